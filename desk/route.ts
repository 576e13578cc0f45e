/**
 * The addresses of the views. They stand behind `#`, so that no server and no log has them, and name ids only: what was
 * typed stays in the page.
 */

import type {Locale} from '../widgets/core/locale.ts';
import {WORK_LISTS} from './locales/work.ts';

export type Route =
  | {readonly view: 'search'}
  | {
      readonly view: 'payment';
      readonly service: string;
      readonly order: string;
      /** In which language the customer is written to, if the order does not say it; empty if nobody chose one. */
      readonly language: Locale | '';
    }
  | {readonly view: 'day'; readonly service: string; readonly day: string}
  | {readonly view: 'work'; readonly service: string; readonly kind: string; readonly page: string}
  | {readonly view: 'health'}
  /** An address that somebody wrote, or copied without its end. */
  | {readonly view: 'unknown'};

const part = (text: string) => encodeURIComponent(text);

/** The address of a view. An empty field stands for the first service, today, all kinds, or the first page. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'search':
    case 'health':
    case 'unknown':
      return `#${route.view}`;
    case 'payment':
      return `#payment/${part(route.service)}/${part(route.order)}${route.language && `/${route.language}`}`;
    case 'day':
      return `#day/${part(route.service)}/${part(route.day)}`;
    case 'work':
      return `#work/${part(route.service)}/${part(route.kind)}${route.page && `/${part(route.page)}`}`;
  }
}

const UNKNOWN = {view: 'unknown'} as const;
const MAX_PARTS = {'': 1, search: 1, payment: 4, day: 3, work: 4, health: 1} as const;

/** Reads an address. Without one, it is the search. */
export function readRoute(hash: string): Route {
  let parts: string[];
  try {
    parts = hash.replace(/^#/, '').split('/').map(decodeURIComponent);
  } catch {
    return UNKNOWN;
  }
  const [view = '', first = '', second = '', third = ''] = parts;
  if (parts.length > MAX_PARTS[view as keyof typeof MAX_PARTS]) return UNKNOWN;
  switch (view) {
    case 'payment':
      if (!first || !second || !['', 'tr', 'en'].includes(third)) return UNKNOWN;
      return {view, service: first, order: second, language: third as Locale | ''};
    case 'day':
      return second === '' || isDay(second) ? {view, service: first, day: second} : UNKNOWN;
    case 'work':
      if ((second && !WORK_LISTS.some((kind) => kind === second)) || !/^[\w.-]{0,2000}$/.test(third)) return UNKNOWN;
      return {view, service: first, kind: second, page: third};
    case 'search':
    case 'health':
      return {view};
    case '':
      return {view: 'search'};
    default:
      return UNKNOWN;
  }
}

/** Whether the calendar has the day: an address can be changed by hand to the 31st of February. */
export function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
