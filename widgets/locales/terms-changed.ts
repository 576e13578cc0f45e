/** The text for terms that have changed since the page was loaded. */

import type {Locale} from '../core/locale.ts';

export const termsChangedMessages: Record<Locale, string> = {
  tr: 'Ücret ya da koşullar değişti. Okuyup yeniden kabul edin.',
  en: 'The price or the terms have changed. Read them and agree again.',
};
