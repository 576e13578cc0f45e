/** Amounts and times as a shopper reads them. Amounts stay text; where they are reckoned with, it is in whole kuruş. */
import type {Locale} from './language.ts';

const INTL: Record<Locale, string> = {tr: 'tr-TR', en: 'en-GB'};

// Numbers are formatted from text (lossless), which the types of older libraries do not know.
type DecimalText = Intl.StringNumericLiteral;

/** `"149.90"` → `₺149,90`. */
export function formatAmount(amount: string, locale: Locale): string {
  return new Intl.NumberFormat(INTL[locale], {
    style: 'currency',
    currency: 'TRY',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as DecimalText);
}

/** `"1149.90"` → `1149,90`: as shown, but as a field for an amount takes it. */
export function plainAmount(amount: string, locale: Locale): string {
  return new Intl.NumberFormat(INTL[locale], {minimumFractionDigits: 2, useGrouping: false}).format(
    amount as DecimalText,
  );
}

/** What of `paid` is more than `amount`. */
export function excess(paid: string, amount: string): string {
  const kurus = Math.max(0, toKurus(paid) - toKurus(amount));
  return `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
}

function toKurus(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** `2026-11-21T15:42:00+03:00` → `21 Kas 2026 15:42`, wherever the device is. */
export function formatTime(at: string, locale: Locale): string {
  return new Intl.DateTimeFormat(INTL[locale], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Europe/Istanbul',
  }).format(new Date(at));
}
