/** Texts of the price of a subscription: in the offer, on the button and on every later card. */

import type {Locale} from '../core/locale.ts';

export interface PriceMessages {
  /** The price of one period, by the platform's name of the period. */
  readonly every: Partial<Record<string, (price: string) => string>>;
  /** The price of a period that has no words here. */
  readonly everyOther: (price: string, period: string) => string;
  /** The label of the button that starts the subscription, before the price. */
  readonly subscribeFor: string;
}

const everyOther: PriceMessages['everyOther'] = (price, period) => `${price} (${period})`;

// A no-break space keeps the slash and the period together on one line.
const per = (period: string) => (price: string) => `${price} /\u00a0${period}`;
const a = (period: string) => (price: string) => `${price} a\u00a0${period}`;

export const priceMessages: Record<Locale, PriceMessages> = {
  tr: {
    every: {daily: per('gün'), weekly: per('hafta'), monthly: per('ay'), yearly: per('yıl')},
    everyOther,
    subscribeFor: 'Abone ol ·',
  },
  en: {
    every: {daily: a('day'), weekly: a('week'), monthly: a('month'), yearly: a('year')},
    everyOther,
    subscribeFor: 'Subscribe for',
  },
};
