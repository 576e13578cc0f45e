import type {Locale} from '../../core/locale.ts';

/**
 * `"1149.90"` → `1149,90`, without currency and thousands separators, as a bank app's amount field needs it. The Worker
 * always sends two decimal places.
 */
export function formatPlainAmount(amount: string, locale: Locale): string {
  return locale === 'tr' ? amount.replace('.', ',') : amount;
}
