import type {Locale} from '../../core/locale.ts';

/** The text for a price that has changed since the page was loaded. */
export const priceChangedMessages: Record<Locale, (before: string, amount: string) => string> = {
  tr: (before, amount) => `Fiyat değişti: ${before} yerine ${amount}. Uygunsa bankanızı yeniden seçin.`,
  en: (before, amount) => `The price changed from ${before} to ${amount}. If that’s OK, choose your bank again.`,
};
