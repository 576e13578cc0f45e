/** Text for a browser that refuses to copy. */

import type {Locale} from '../../core/locale.ts';

export const copyFallbackMessages: Record<Locale, string> = {
  tr: 'Tarayıcınız kopyalamaya izin vermedi. Seçili metni kendiniz kopyalayın.',
  en: 'Your browser blocked copying. Copy the selected text yourself.',
};
