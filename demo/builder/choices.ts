/** What the user of the builder has chosen. The choices are in the address of the page, without those left as they are. */

import {offerNames, type Offers, rowOf, type Tag, TAGS} from './elements.ts';
import {type State, statesOf} from './states.ts';

export const FIELDS = ['name', 'email', 'phone', 'address', 'marketing'] as const;
export type Field = (typeof FIELDS)[number];

/** What the buyer consents to, which the offer says in its own words. */
export const MARKETING = {tr: 'Kampanyalardan haberdar olmak isterim.', en: 'Send me offers.'} as const;

/** Where the buyer reads what happens to the fields; a merchant writes the address of their own page. */
export const PRIVACY = 'https://shop.example/privacy';

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
  /** The offer's name; empty for an element without an offer. */
  readonly offer: string;
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

/** Reads choices of an address or of a form. What is missing or unknown is as usual. */
export function readChoices(query: URLSearchParams, known: Offers): Choices {
  const element = oneOf(query.get('element'), TAGS, 'vezne-checkout');
  const offers = offerNames(element, known);
  const accent = query.get('accent') ?? '';
  const state = oneOf(query.get('state'), statesOf(element), '');
  const fields = FIELDS.filter((field) => query.getAll('fields').join(',').split(',').includes(field));
  return {
    element,
    offer: oneOf(query.get('offer'), offers, offers[0] ?? ''),
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
  for (const name of ['offer', 'state', 'lang', 'theme', 'radius', 'density', 'font', 'format'] as const)
    if (choices[name] !== usual[name]) query.set(name, String(choices[name]));
  if (choices.accent) query.set('accent', choices.accent.slice(1));
  if (choices.fields.length > 0) query.set('fields', choices.fields.join(','));
  const text = query.toString().replaceAll('%2C', ',');
  return text && `?${text}`;
}

/** The name of the offer in the page. An offer that asks who buys is one of its own, which the demo's page makes. */
export function offerName({offer, fields}: Choices): string {
  return [offer, ...fields].join('-');
}

function oneOf<T extends string>(value: string | null, known: readonly T[], usual: T): T {
  return known.find((each) => each === value) ?? usual;
}

function within(value: string | null, {min, max, usual}: {min: number; max: number; usual: number}): number {
  const number = Number(value ?? usual);
  return number >= min && number <= max ? number : usual;
}
