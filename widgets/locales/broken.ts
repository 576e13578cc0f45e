/** Texts for an element that cannot be rendered. The page must show them without another file. */

import type {RefusalMessage} from './payment-refusals.ts';

export const brokenMessages: RefusalMessage = {
  messages: {
    tr: {title: 'Bu bölüm gösterilemiyor', text: 'Sayfayı yenileyin.'},
    en: {title: 'We can’t show this part of the page', text: 'Reload the page.'},
  },
  nextStep: 'reload',
};
