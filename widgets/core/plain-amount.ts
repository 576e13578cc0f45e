import {INTL} from './intl.ts';
import type {Locale} from './language.ts';
import type {DecimalText} from './money.ts';

/** `"1149.90"` → `1149,90`: as shown, but as a field for an amount takes it. */
export function plainAmount(amount: string, locale: Locale): string {
  return new Intl.NumberFormat(INTL[locale], {minimumFractionDigits: 2, useGrouping: false}).format(
    amount as DecimalText,
  );
}
