/** Texts for refusals of a refund link. Loaded after the first refusal. */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import {limited} from './limited.ts';
import type {RefusalMessage} from './payment-refusals.ts';
import {refundMessages} from './refund.ts';

const {tr, en} = refundMessages;

/** The text for every error code that has no text of its own. */
const REFUSED: RefusalMessage = {
  nextStep: 'retry',
  messages: {
    tr: {
      title: 'İade sayfası açılamadı',
      text: 'Yeniden deneyin. Sorun sürerse bağlantıyı gönderen satıcıya “{code}” kodunu iletin.',
    },
    en: {
      title: 'We couldn’t open the refund',
      text: 'Try again. If it keeps happening, give the seller who sent you the link the code “{code}”.',
    },
  },
};

const REFUSALS: {readonly [code in PageErrorCode]?: RefusalMessage} = {
  not_found: {
    nextStep: 'none',
    messages: {
      tr: {title: tr.unknownTitle, text: tr.unknownText},
      en: {title: en.unknownTitle, text: en.unknownText},
    },
  },
  origin_not_allowed: {
    nextStep: 'retry',
    messages: {
      tr: {
        title: 'Bu sayfadan iade alınamıyor',
        text: 'Satıcının kendi sitesinde olduğunuzdan emin olun ya da satıcının gönderdiği bağlantıyı açın.',
      },
      en: {
        title: 'Refunds are unavailable on this page',
        text: 'Make sure you’re on the seller’s own site, or open the link that the seller sent you.',
      },
    },
  },
};

/** The message for an error code. The code may be unknown to this page, if the Worker is newer than the page. */
export function refusalOf(code: PageErrorCode, retryAfterMs: number): RefusalMessage {
  return code === 'rate_limited' ? limited(retryAfterMs) : (REFUSALS[code] ?? REFUSED);
}
