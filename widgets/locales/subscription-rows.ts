/** The names of a subscription's details, in `vezne-subscription` and on the cards at the end. */

import type {Locale} from '../core/locale.ts';

export interface SubscriptionRowMessages {
  readonly number: string;
  readonly price: string;
  readonly started: string;
  /** Instead of `started`, for a subscription that never started. */
  readonly requested: string;
  readonly nextCharge: string;
}

export const subscriptionRowMessages: Record<Locale, SubscriptionRowMessages> = {
  tr: {
    number: 'Numara',
    price: 'Ücret',
    started: 'Başlangıç',
    requested: 'Başvuru tarihi',
    nextCharge: 'Sonraki ödeme',
  },
  en: {
    number: 'Number',
    price: 'Price',
    started: 'Started',
    requested: 'Requested',
    nextCharge: 'Next payment',
  },
};
