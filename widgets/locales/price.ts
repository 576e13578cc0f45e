/** The text for a price that has changed since the page was loaded. */

import type {Locale} from '../core/locale.ts';

export const priceMessages: Record<Locale, (amount: string) => string> = {
  tr: (amount) => `Fiyat değişti; yeni tutar ${amount}.`,
  en: (amount) => `The price is now ${amount}.`,
};
