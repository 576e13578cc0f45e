/** Amounts as a shopper reads them. They stay text; where they are reckoned with (`payment-status/excess.ts`), it is in whole kuruş. */

import {INTL} from './intl.ts';
import type {Locale} from './language.ts';

// Numbers are formatted from text (lossless), which the types of older libraries do not know.
export type DecimalText = Intl.StringNumericLiteral;

/** `"149.90"` → `₺149,90`. A currency no browser knows is shown as one that nobody knows (¤). */
export function formatAmount(amount: string, locale: Locale, currency = 'TRY'): string {
  return new Intl.NumberFormat(INTL[locale], {
    style: 'currency',
    currency: /^[A-Z]{3}$/.test(currency) ? currency : 'XXX',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as DecimalText);
}
