/** Texts for a page that was opened before a new version was deployed. The page must show them without another file. */

import type {RefusalMessage} from './payment-refusals.ts';

export const outdatedMessages: RefusalMessage = {
  messages: {
    tr: {
      title: 'Sayfa güncellendi',
      text: 'Sayfayı yenileyin; kaldığınız yerden devam edersiniz.',
    },
    en: {
      title: 'This page was updated',
      text: 'Reload it to continue where you left off.',
    },
  },
  nextStep: 'reload',
  tone: 'calm',
};
