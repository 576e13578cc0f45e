/** Texts for refusals of a refund link. Loaded after the first refusal. */

import {refundMessages} from './refund.ts';
import {limited, refusalIn, type Refusal, type RefusalOf, type RefusalTable} from './refusals.ts';

const {tr, en} = refundMessages;

/** The text for every error code that has no text of its own. */
const REFUSED: Refusal = {
  nextStep: 'retry',
  messages: {
    tr: {
      title: 'İade sayfası açılamadı',
      text: 'Yeniden deneyin. Sorun sürerse bağlantıyı gönderen satıcıya bildirin. Hata kodu: {code}.',
    },
    en: {
      title: 'We couldn’t open the refund',
      text: 'Try again. If it keeps happening, tell the seller who sent you the link. Error code: {code}.',
    },
  },
};

const REFUSALS: RefusalTable = {
  rate_limited: limited(),
  other: REFUSED,
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

export const refusalOf: RefusalOf = (code, retryAfterMs) => refusalIn(REFUSALS, code, retryAfterMs);
