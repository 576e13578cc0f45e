/** Texts of the price of a subscription: in the offer, on the button and on every later card. */

import type {Locale} from '../core/locale.ts';

export interface PriceMessages {
  /** The words for a period, by the platform's name of the period. */
  readonly periods: Partial<Record<string, string>>;
  /** The price of one period. It stands alone, or after free days. */
  readonly each: (price: string, period: string, freeDays: number | null | undefined) => string;
  /** The price of one period, with the free days before the first charge. */
  readonly trial: (days: number, each: string) => string;
  /** The label of the button that starts the subscription, before the price. */
  readonly subscribeFor: string;
}

// A no-break space keeps the price or the period on one line with the word beside it.
export const priceMessages: Record<Locale, PriceMessages> = {
  tr: {
    periods: {daily: 'gün', weekly: 'hafta', monthly: 'ay', yearly: 'yıl'},
    each: (price, period, freeDays) =>
      freeDays ? `${period}${period === 'gün' ? 'lük' : 'lık'} ${price}` : `${price} /\u00a0${period}`,
    trial: (days, each) => `${days}\u00a0gün\u00a0ücretsiz, sonra ${each}`,
    subscribeFor: 'Abone ol ·',
  },
  en: {
    periods: {daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year'},
    each: (price, period) => `${price} a\u00a0${period}`,
    trial: (days, each) => `${each}, first\u00a0${days > 1 ? `${days}\u00a0days` : 'day'}\u00a0free`,
    subscribeFor: 'Subscribe for',
  },
};
