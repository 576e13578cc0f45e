/** Texts for refusals during vendor registration. Loaded after the first refusal. */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import {limited} from './limited.ts';
import type {RefusalMessage} from './payment-refusals.ts';

/** The text if the session has expired or has the wrong kind. */
const ENDED: RefusalMessage = {
  nextStep: 'reload',
  messages: {
    tr: {
      title: 'Sayfanın süresi doldu',
      text: 'Bu kez başvuru gönderilmedi. Sayfayı yenileyin veya pazaryerinin sitesinden yeniden başlayın.',
    },
    en: {
      title: 'This page has expired',
      text: 'No application was sent this time. Reload the page, or start again on the marketplace’s site.',
    },
  },
};

/** The text for every error code that has no text of its own. */
const REFUSED: RefusalMessage = {
  nextStep: 'retry',
  messages: {
    tr: {
      title: 'Form açılamadı',
      text: 'Yeniden deneyin. Sorun sürerse pazaryerine “{code}” kodunu iletin.',
    },
    en: {
      title: 'We couldn’t open the form',
      text: 'Try again. If it keeps happening, give the marketplace the code “{code}”.',
    },
  },
};

const REFUSALS: {readonly [code in PageErrorCode]?: RefusalMessage} = {
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

/** The message for an error code. The code may be unknown to this page, if the Worker is newer than the page. */
export function refusalOf(code: PageErrorCode, retryAfterMs: number): RefusalMessage {
  return code === 'rate_limited' ? limited(retryAfterMs) : (REFUSALS[code] ?? REFUSED);
}
