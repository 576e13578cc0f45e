/** Texts for refusals during vendor registration. Loaded after the first refusal. */

import {limited, refusalIn, type Refusal, type RefusalOf, type RefusalTable} from './refusals.ts';

/** The text if the session has expired or has the wrong kind. */
const ENDED: Refusal = {
  nextStep: 'reload',
  messages: {
    tr: {
      title: 'Sayfanın süresi doldu',
      text: 'Başvurunuz gönderilmedi. Sayfayı yenileyin veya pazaryerinin sitesinden yeniden başlayın.',
    },
    en: {
      title: 'This page has expired',
      text: 'No application was sent this time. Reload the page, or start again on the marketplace’s site.',
    },
  },
};

/** The text for every error code that has no text of its own. */
const REFUSED: Refusal = {
  nextStep: 'retry',
  messages: {
    tr: {
      title: 'Form açılamadı',
      text: 'Yeniden deneyin. Sorun sürerse pazaryerine bildirin. Hata kodu: {code}.',
    },
    en: {
      title: 'We couldn’t open the form',
      text: 'Try again. If it keeps happening, tell the marketplace. Error code: {code}.',
    },
  },
};

const REFUSALS: RefusalTable = {
  rate_limited: limited(),
  other: REFUSED,
  unauthorized: ENDED,
  session_expired: ENDED,
  session_kind: ENDED,
  origin_not_allowed: {
    nextStep: 'retry',
    messages: {
      tr: {
        title: 'Şu\u00a0an bu sayfadan başvuru yapılamıyor',
        text: 'Pazaryerinin kendi sitesinde olduğunuzdan emin olun. Doğru sitedeyseniz biraz sonra yeniden deneyin.',
      },
      en: {
        title: 'Applications are unavailable here right now',
        text: 'Make sure you’re on the marketplace’s own site. If you are, try again in a while.',
      },
    },
  },
};

export const refusalOf: RefusalOf = (code, retryAfterMs) => refusalIn(REFUSALS, code, retryAfterMs);
