/** Texts shown if the human check cannot load or has failed. They are part of the file that loads the check. */

import type {Locale} from '../core/locale.ts';

export const humanCheckTitles: Record<Locale, string> = {
  tr: 'Doğrulama tamamlanamadı',
  en: 'The check didn’t go through',
};

export const humanCheckMessages: Record<Locale, string> = {
  tr: `${humanCheckTitles.tr}. Bağlantınızı kontrol edip yeniden deneyin.`,
  en: `${humanCheckTitles.en}. Check your connection and try again.`,
};
