/** Formats the price of a subscription. */

import {formatAmount} from '../core/format.ts';
import type {Locale} from '../core/locale.ts';
import {priceMessages} from '../locales/pin-subscribe.ts';

/** What a subscription costs in each period. */
export interface Price {
  /** Decimal text, such as `12.00`. */
  readonly price: string;
  /** The platform's name of the period; null if it is unknown. */
  readonly period: string | null;
  /** Free days before the first charge. */
  readonly trial_days?: number | null | undefined;
}

/** The price with its period and trial, for example `₺12.00 a week` or `₺12.00 a week, first 7 days free`. */
export function formatPrice({price, period, trial_days: days}: Price, locale: Locale): string {
  const t = priceMessages[locale];
  const amount = formatAmount(price, locale);
  // A merchant chooses the name of the period, which may be `constructor`.
  const word = period && Object.hasOwn(t.periods, period) && t.periods[period];
  const each = word ? t.each(amount, word, days) : period ? `${amount} (${period})` : amount;
  return days ? t.trial(days, each) : each;
}
