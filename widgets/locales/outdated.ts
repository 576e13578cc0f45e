/** Texts that a page must show without another file. */

import type {Refusal} from './refusals.ts';

/** The page was opened before a new version was deployed. */
export const outdatedMessages: Refusal = {
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

/** An element cannot be rendered. */
export const brokenMessages: Refusal = {
  messages: {tr: {title: 'Bu bölüm gösterilemiyor'}, en: {title: 'We can’t show this'}},
  nextStep: 'reload',
};
