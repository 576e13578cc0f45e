/**
 * Formats amounts and mobile numbers that a shopper reads, and parses what a shopper types as an amount or number. An
 * amount stays a string; only `transfer/payment-status/outcomes.ts` calculates with amounts, in whole kuruş.
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

/**
 * `"1149.90"` → `1149,90`, without currency and thousands separators, as a bank app's amount field needs it. The Worker
 * always sends two decimal places.
 */
export function formatPlainAmount(amount: string, locale: Locale): string {
  return locale === 'tr' ? amount.replace('.', ',') : amount;
}

/** Removes spaces, dashes and invisible characters, and turns Arabic-script digits into ASCII digits. */
export function normalizeDigits(input: string): string {
  return input.replace(/[\s\p{Cf}\p{Pd}]/gu, '').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

/**
 * `0532 123 45 67`, `+90 (532) 123 45 67`, `00905321234567` → `5321234567`. Returns undefined if the input is not a
 * mobile number.
 */
export function parseMsisdn(input: string): string | undefined {
  const digits = normalizeDigits(input).replace(/[()./]/g, '');
  return /^(?:(?:\+|00)?90|0)?(5\d{9})$/.exec(digits)?.[1];
}

/** `5321234567` → `0532 123 45 67`. Also formats masked numbers such as `532*****67`. */
export function formatMsisdn(msisdn: string): string {
  return `0${msisdn}`.replace(/^(.{4})(.{3})(.{2})(.*)$/, '$1 $2 $3 $4');
}
