/** What the builder knows of each element. `docs/elements.md` describes the elements. */

/** The scripts of the Worker that define elements, and that a page can pin. */
export type Script = 'checkout' | 'subscribe' | 'vendor' | 'refund' | 'activity';

/** Where an element gets what it shows: from an offer, or from what the merchant's server writes into the page. */
export type Source = 'payment' | 'subscription' | 'session' | 'link';

interface ElementRow {
  readonly script: Script;
  readonly source: Source;
  /** The Trusted Types policy of the element, if it has one. */
  readonly policy?: string;
  /** Whether an offer with fields makes the element ask who buys. */
  readonly asks?: true;
}

const TRANSFER = {script: 'checkout', source: 'payment', policy: 'vezne-transfer'} as const;
const SUBSCRIPTION = {script: 'subscribe', source: 'subscription', policy: 'vezne-subscription'} as const;

export const ELEMENTS = {
  'vezne-checkout': {...TRANSFER, asks: true},
  'vezne-bank-list': TRANSFER,
  'vezne-payment-code': {...TRANSFER, asks: true},
  'vezne-payment-status': TRANSFER,
  'vezne-payment-notice': TRANSFER,
  'vezne-pay-button': {...TRANSFER, asks: true},
  'vezne-pin-subscribe': SUBSCRIPTION,
  'vezne-one-click': SUBSCRIPTION,
  'vezne-subscription': {...SUBSCRIPTION, source: 'session'},
  'vezne-refund-contact': {script: 'refund', source: 'link', policy: 'vezne-refund'},
  'vezne-vendor-form': {script: 'vendor', source: 'session', policy: 'vezne-vendor'},
  'vezne-activity': {script: 'activity', source: 'subscription'},
} as const satisfies Readonly<Record<string, ElementRow>>;

export type Tag = keyof typeof ELEMENTS;

export const TAGS = Object.keys(ELEMENTS) as readonly Tag[];

export const rowOf = (tag: Tag): ElementRow => ELEMENTS[tag];

/** An offer, as the settings and the merchant API say it. */
export interface Offer {
  readonly kind: 'payment' | 'subscription';
  readonly title: {readonly tr: string; readonly en: string};
  readonly [field: string]: unknown;
}

/** The offers of the settings, by name. */
export type Offers = Readonly<Record<string, Offer>>;

/** The names of the offers that an element can show. */
export const offerNames = (tag: Tag, offers: Offers): string[] =>
  Object.keys(offers).filter((name) => offers[name]?.kind === rowOf(tag).source);
