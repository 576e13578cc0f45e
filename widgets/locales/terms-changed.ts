/** The text for terms that have changed since the page was loaded. */

import type {Locale} from '../core/locale.ts';

/** For each language, the text with the new price. */
export const termsChangedMessages: Record<Locale, (price: string) => string> = {
  tr: (price) => `Ücret ya da koşullar değişti: ${price}. Yeniden okuyup onaylayın.`,
  en: (price) => `The price or terms have changed: ${price}. Read and accept them again.`,
};
