/**
 * Formats amounts and mobile numbers that a shopper reads. An amount stays a string; only
 * `transfer/payment-status/outcomes.ts` calculates with amounts, in whole kuruş. What a shopper types is read in
 * `worker/contract/readers/`.
 */

import type {Locale} from './locale.ts';

/**
 * An amount in lira: `"1149.90"` → `₺1.149,90`, or `₺1,149.90` in English. Written by hand, because a slow phone takes
 * 60 ms for the first `Intl.NumberFormat`, and shows nothing before.
 */
export function formatAmount(amount: string, locale: Locale): string {
  const isTurkish = locale === 'tr';
  return `₺${amount.replace('.', isTurkish ? ',' : '.').replace(/\B(?=(\d{3})+\b)/g, isTurkish ? '.' : ',')}`;
}

/** `5321234567` → `0532 123 45 67`. Also formats masked numbers such as `532*****67`. */
export function formatMsisdn(msisdn: string): string {
  return `0${msisdn}`.replace(/^(.{4})(.{3})(.{2})(.*)$/, '$1 $2 $3 $4');
}
