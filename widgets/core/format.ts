/** Amounts as a shopper reads them. They stay text; where they are reckoned with (`transfer/payment-status/outcomes.ts`), it is in whole kuruş. */

import {INTL_LOCALES, type Locale} from './locale.ts';

// Numbers are formatted from text (lossless), which the types of older libraries do not know.
export type DecimalText = Intl.StringNumericLiteral;

/** `"149.90"` → `₺149,90`. A currency no browser knows is shown as one that nobody knows (¤). */
export function formatAmount(amount: string, locale: Locale, currency = 'TRY'): string {
  return new Intl.NumberFormat(INTL_LOCALES[locale], {
    style: 'currency',
    currency: /^[A-Z]{3}$/.test(currency) ? currency : 'XXX',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as DecimalText);
}

/** `"1149.90"` → `1149,90`: as shown, but as a field for an amount takes it. */
export function formatPlainAmount(amount: string, locale: Locale): string {
  return new Intl.NumberFormat(INTL_LOCALES[locale], {minimumFractionDigits: 2, useGrouping: false}).format(
    amount as DecimalText,
  );
}

/** Without spaces, dashes and marks that nobody sees; digits of Arabic script as ours. */
export function normalizeDigits(written: string): string {
  return written.replace(/[\s\p{Cf}\p{Pd}]/gu, '').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

/** `0532 123 45 67`, `+90 (532) 123 45 67`, `00905321234567` → `5321234567`; nothing where it is no such number. */
export function parseMsisdn(written: string): string | undefined {
  const digits = normalizeDigits(written).replace(/[()./]/g, '');
  return /^(?:(?:\+|00)?90|0)?(5\d{9})$/.exec(digits)?.[1];
}

/** `5321234567` → `0532 123 45 67`, masked ones too. */
export function formatMsisdn(msisdn: string): string {
  return `0${msisdn}`.replace(/^(.{4})(.{3})(.{2})(.*)$/, '$1 $2 $3 $4');
}
