/** Texts shown if the human check cannot load or has failed. They are part of the file that loads the check. */

import type {Locale} from '../core/locale.ts';

/** Why the check is not shown, and what the shopper can do. */
export type HumanCheckFailure = Readonly<Record<Locale, {readonly title: string; readonly text: string}>>;

export const humanCheckMessages: HumanCheckFailure = {
  tr: {title: 'Doğrulama tamamlanamadı', text: 'Bağlantınızı kontrol edip yeniden deneyin.'},
  en: {title: 'The check didn’t go through', text: 'Check your connection and try again.'},
};
