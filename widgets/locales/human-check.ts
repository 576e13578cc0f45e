/** Text shown if the human check cannot load or has failed. It is part of the file that loads the check. */

import type {Locale} from '../core/locale.ts';

export const humanCheckMessages: Record<Locale, string> = {
  tr: 'Doğrulama tamamlanamadı. Bağlantınızı kontrol edip yeniden deneyin.',
  en: 'The check didn’t go through. Check your connection and try again.',
};
