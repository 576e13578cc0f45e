/** Amounts as a shopper reads them. They stay text; where they are reckoned with (`payment-status/excess.ts`), it is in whole kuruş. */
import {INTL} from './intl.ts';
import type {Locale} from './language.ts';

// Numbers are formatted from text (lossless), which the types of older libraries do not know.
export type DecimalText = Intl.StringNumericLiteral;

/** `"149.90"` → `₺149,90`. */
export function formatAmount(amount: string, locale: Locale): string {
  return new Intl.NumberFormat(INTL[locale], {
    style: 'currency',
    currency: 'TRY',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as DecimalText);
}
