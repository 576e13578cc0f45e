/**
 * The addresses of the views. They stand behind `#`, so that no server and no log has them, and name ids only: what was
 * typed stays in the page.
 */

import type {Locale} from '../widgets/core/locale.ts';

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
  | {readonly view: 'health'};

const part = (text: string) => encodeURIComponent(text);

/** The address of a view. An empty field stands for the first service, today, all kinds, or the first page. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'search':
    case 'health':
      return `#${route.view}`;
    case 'payment':
      return `#payment/${part(route.service)}/${part(route.order)}${route.language && `/${route.language}`}`;
    case 'day':
      return `#day/${part(route.service)}/${part(route.day)}`;
    case 'work':
      return `#work/${part(route.service)}/${part(route.kind)}${route.page && `/${part(route.page)}`}`;
  }
}

/** Reads an address. Everything that is no address is the search. */
export function readRoute(hash: string): Route {
  const [view, first = '', second = '', third = ''] = hash.replace(/^#/, '').split('/').map(decode);
  switch (view) {
    case 'payment':
      return first && second
        ? {view, service: first, order: second, language: third === 'tr' || third === 'en' ? third : ''}
        : {view: 'search'};
    case 'day':
      return {view, service: first, day: isDay(second) ? second : ''};
    case 'work':
      return {
        view,
        service: first,
        kind: /^\w*$/.test(second) ? second : '',
        page: /^[\w.-]{1,2000}$/.test(third) ? third : '',
      };
    case 'health':
      return {view};
    default:
      return {view: 'search'};
  }
}

/** Whether the calendar has the day: an address can be changed by hand to the 31st of February. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
