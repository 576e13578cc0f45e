/** Texts for refusals during vendor registration. Loaded after the first refusal. */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {RefusalMessage} from './payment-refusals.ts';

/** The text if the session has expired or has the wrong kind. */
const ENDED: RefusalMessage = {
  nextStep: 'none',
  messages: {
    tr: {
      title: 'Kayıt sayfasının süresi doldu',
      text: 'Sayfayı yenileyin ya da kaydı pazaryerinin sitesinden yeniden başlatın.',
    },
    en: {
      title: 'The time for this registration is over',
      text: 'Reload the page, or begin again on the marketplace’s site.',
    },
  },
};

/** The text for every error code that has no text of its own. */
const REFUSED: RefusalMessage = {
  nextStep: 'retry',
  messages: {
    tr: {title: 'Kayıt formu açılamadı', text: 'Sayfayı yenileyin; sürerse pazaryerine hata kodunu iletin.'},
    en: {
      title: 'The registration form could not be opened',
      text: 'Reload the page; if it happens again give the marketplace the error code.',
    },
  },
};

const REFUSALS: {readonly [code in PageErrorCode]?: RefusalMessage} = {
  unauthorized: ENDED,
  session_expired: ENDED,
  session_kind: ENDED,
  rate_limited: {
    nextStep: 'retry',
    messages: {
      tr: {title: 'Çok fazla deneme yapıldı', text: 'Biraz bekleyip yeniden deneyin.'},
      en: {title: 'Too many attempts', text: 'Wait a moment, then try again.'},
    },
  },
  origin_not_allowed: {
    nextStep: 'retry',
    messages: {
      tr: {
        title: 'Bu sayfadan şu an kayıt olunamıyor',
        text: 'Pazaryerinin kendi sitesinde olduğunuzdan emin olun. Öyleyse biraz sonra yeniden deneyin.',
      },
      en: {
        title: 'Nobody can register from this page right now',
        text: 'Make sure you are on the marketplace’s own site. If you are, try again in a while.',
      },
    },
  },
};

/** The message for an error code. The code may be unknown to this page, if the Worker is newer than the page. */
export function refusalOf(code: PageErrorCode): RefusalMessage {
  return REFUSALS[code] ?? REFUSED;
}
