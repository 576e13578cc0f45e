/** What the user of the builder has chosen. The choices are in the address of the page, without those left as they are. */

import {offerNames, type Offers, rowOf, type Tag, TAGS} from './elements.ts';
import {type State, statesOf} from './states.ts';

export const FIELDS = ['name', 'email', 'phone', 'address', 'marketing'] as const;
export type Field = (typeof FIELDS)[number];

export const FONTS = {
  page: '',
  system: 'system-ui, sans-serif',
  serif: "Georgia, 'Times New Roman', serif",
  mono: 'ui-monospace, Consolas, monospace',
} as const;
export type Font = keyof typeof FONTS;

export const FORMATS = ['html', 'wordpress', 'markdown', 'react', 'vue', 'gtm', 'link'] as const;
export type Format = (typeof FORMATS)[number];

export interface Choices {
  readonly element: Tag;
  /** The name of an offer of the settings; empty for a new one, and for an element without an offer. */
  readonly offer: string;
  /** Of a new offer, as typed. */
  readonly name: string;
  readonly title: string;
  readonly amount: string;
  /** Empty: the language of the page. */
  readonly lang: '' | 'tr' | 'en';
  /** Empty: the color scheme of the page. */
  readonly theme: '' | 'light' | 'dark' | 'auto';
  /** `#rrggbb`; empty: Vezne's own colors, which differ in light and dark. */
  readonly accent: string;
  /** In pixels. */
  readonly radius: number;
  readonly density: number;
  readonly font: Font;
  /** What the offer asks the buyer. */
  readonly fields: readonly Field[];
  /** The state of the preview; empty: as for a new shopper. */
  readonly state: State;
  /** The form of the snippet. */
  readonly format: Format;
}

export const RADIUS = {min: 0, max: 32, usual: 16} as const;
export const DENSITY = {min: 0.75, max: 1.25, usual: 1} as const;

/** Choices that are one field of the form and one part of the address. */
export const SINGLE = [
  'offer',
  'name',
  'title',
  'amount',
  'state',
  'lang',
  'theme',
  'radius',
  'density',
  'font',
] as const;

/** What the Worker refuses in a title (`worker/contract/fields.ts`). Nobody sees it in what was pasted. */
const SENSELESS = /[\p{Cs}\p{Cc}\u061c\u2028-\u202e\u2066-\u2069]/gu;

/** Reads choices of an address or of a form. What is missing or unknown is as usual. */
export function readChoices(query: URLSearchParams, known: Offers): Choices {
  const element = oneOf(query.get('element'), TAGS, 'vezne-checkout');
  const offers = offerNames(element, known);
  const maySell = rowOf(element).source === 'payment';
  const offer = oneOf(query.get('offer'), maySell ? [...offers, ''] : offers, offers[0] ?? '');
  const isNew = maySell && offer === '';
  const typed = (field: string) =>
    isNew ? (query.get(field) ?? '').trim().slice(0, 80).replaceAll(SENSELESS, '').trim() : '';
  const accent = query.get('accent') ?? '';
  const state = oneOf(query.get('state'), statesOf(element), '');
  const fields = FIELDS.filter((field) => query.getAll('fields').join(',').split(',').includes(field));
  return {
    element,
    offer,
    name: typed('name'),
    title: typed('title'),
    amount: typed('amount'),
    lang: oneOf(query.get('lang'), ['', 'tr', 'en'] as const, ''),
    theme: oneOf(query.get('theme'), ['', 'light', 'dark', 'auto'] as const, ''),
    accent: /^#?[\da-f]{6}$/i.test(accent) ? `#${accent.replace('#', '').toLowerCase()}` : '',
    radius: within(query.get('radius'), RADIUS),
    density: within(query.get('density'), DENSITY),
    font: oneOf(query.get('font'), Object.keys(FONTS) as Font[], 'page'),
    // Nobody can see the form of an offer that asks nothing.
    fields: !rowOf(element).asks ? [] : state === 'no-buyer' && fields.length === 0 ? ['name', 'email'] : fields,
    state,
    format: oneOf(query.get('format'), FORMATS, 'html'),
  };
}

/** The choices as the query of an address, with a leading `?` unless everything is as usual. */
export function writeChoices(choices: Choices, known: Offers): string {
  const usual = readChoices(new URLSearchParams({element: choices.element}), known);
  const query = new URLSearchParams();
  if (choices.element !== 'vezne-checkout') query.set('element', choices.element);
  for (const name of [...SINGLE, 'format'] as const)
    if (choices[name] !== usual[name]) query.set(name, String(choices[name]));
  if (choices.accent) query.set('accent', choices.accent.slice(1));
  if (choices.fields.length > 0) query.set('fields', choices.fields.join(','));
  const text = query.toString().replaceAll('%2C', ',');
  return text && `?${text}`;
}

/** The longest name of an offer (`worker/contract/offers.ts`). */
const MAX_NAME = 40;

/**
 * The name of the offer in the page. An offer of the settings that also asks who buys is one of its own, which the demo's
 * page makes.
 */
export function offerName({offer, name, fields}: Choices): string {
  if (offer === '') return name;
  const more = fields.map((field) => `-${field}`).join('');
  return offer.slice(0, MAX_NAME - more.length) + more;
}

function oneOf<T extends string>(value: string | null, known: readonly T[], usual: T): T {
  return known.find((each) => each === value) ?? usual;
}

function within(value: string | null, {min, max, usual}: {min: number; max: number; usual: number}): number {
  const number = Number(value ?? usual);
  return number >= min && number <= max ? number : usual;
}
