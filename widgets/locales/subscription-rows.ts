/** The names of a subscription's details, in `vezne-subscription` and on the cards at the end. */

import type {Locale} from '../core/locale.ts';

const tr = {
  number: 'Numara',
  price: 'Ücret',
  started: 'Başlangıç',
  /** Instead of `started`, for a subscription that never started. */
  requested: 'Başvuru tarihi',
  nextCharge: 'Sonraki ödeme',
};

export type SubscriptionRowMessages = typeof tr;

const en: SubscriptionRowMessages = {
  number: 'Number',
  price: 'Price',
  started: 'Started',
  requested: 'Requested',
  nextCharge: 'Next payment',
};

export const subscriptionRowMessages: Record<Locale, SubscriptionRowMessages> = {tr, en};
