import {formatAmount} from './format.ts';
import {INTL_LOCALES} from './intl-locales.ts';
import type {Locale} from './locale.ts';

/** An amount in any currency: `₺149.90`, `$149.90`. An invalid currency code is shown as `¤`. */
export function formatMoney(amount: string, currency: string, locale: Locale): string {
  if (currency === 'TRY') return formatAmount(amount, locale);
  // `Intl.NumberFormat` formats a string without loss. Older type libraries allow only numbers.
  return new Intl.NumberFormat(INTL_LOCALES[locale], {
    style: 'currency',
    currency: /^[A-Z]{3}$/.test(currency) ? currency : 'XXX',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as unknown as number);
}
