/** Text shown when the human check cannot load. It is part of the file that loads the check. */

import type {Locale} from '../core/locale.ts';

export const humanCheckMessages: Record<Locale, string> = {
  tr: 'Doğrulama yüklenemedi. Bağlantınızı kontrol edip yeniden deneyin.',
  en: 'The check couldn’t load. Check your connection and try again.',
};
