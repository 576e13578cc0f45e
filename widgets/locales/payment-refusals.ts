/**
 * Texts for refused payments. Refusals are rare, so this file is loaded only after the first one. At that time the
 * Worker has just answered, so loading almost certainly succeeds.
 */

import type {PageErrorCode, PaymentErrorCode} from '../../worker/contract/codes.ts';
import type {Locale} from '../core/locale.ts';
import {CONTINUES, inTime, limited} from './limited.ts';

/** The reason for a refusal, as shown to the shopper. Many error codes share one reason. */
type Reason =
  | 'limited'
  | 'human'
  | 'unproven'
  | 'offer'
  | 'over'
  | 'handoff'
  | 'origin'
  | 'session'
  | 'kind'
  | 'paid'
  | 'taken'
  | 'setup'
  | 'refused';

export interface RefusalText {
  readonly title: string;
  /**
   * If it is missing, the notice says whether the element or the shopper retries. `{code}` is replaced by the error
   * code, which the shopper gives to the seller.
   */
  readonly text?: string;
  /** The text in place of `text` if the notice has a button that starts a new payment. */
  readonly startOverText?: string;
}

/**
 * The texts of a refusal, and what the shopper can do next: retry, start a new payment (or, where the page may start
 * none, reload it), reload the page, or nothing.
 */
export interface RefusalMessage {
  readonly messages: Record<Locale, RefusalText>;
  readonly nextStep: 'retry' | 'start-over' | 'reload' | 'none';
  /** Whether the shopper may need the seller. The element then shows the seller's contacts. */
  readonly asksSeller?: boolean;
  /** Whether the text says what happened to the money, so that the notice does not add that nothing is lost. */
  readonly isComplete?: boolean;
  /** The look of the notice: `calm` if nothing has failed, `warn` if the outcome is unknown. */
  readonly tone?: 'calm' | 'calm good' | 'warn';
}

const REASONS: Record<PaymentErrorCode, Reason> = {
  rate_limited: 'limited',
  human_check_required: 'human',
  human_check_failed: 'unproven',
  unknown_offer: 'offer',
  offer_expired: 'over',
  price_changed: 'refused',
  buyer_required: 'refused',
  handoff_invalid: 'handoff',
  origin_not_allowed: 'origin',
  unauthorized: 'session',
  session_expired: 'session',
  session_kind: 'kind',
  invalid_request: 'refused',
  not_found: 'refused',
  method_not_allowed: 'refused',
  too_large: 'refused',
  return_url_not_allowed: 'setup',
  unknown_order: 'refused',
  order_exists: 'taken',
  order_cancelled: 'refused',
  order_paid: 'paid',
  bank_page_unavailable: 'refused',
  amount_invalid: 'refused',
  bank_invalid: 'refused',
  platform_refused: 'refused',
  temporarily_unavailable: 'refused',
  misconfigured: 'setup',
  internal: 'refused',
};

const REFUSALS: Record<Exclude<Reason, 'limited'>, RefusalMessage> = {
  // These texts also fit a payment notice, whose shopper has paid and must not pay again.
  human: {
    nextStep: 'none',
    isComplete: true,
    messages: {
      tr: {title: 'Robot olmadığınızı doğrulayın', text: 'Devam etmek için aşağıdaki doğrulamayı tamamlayın.'},
      en: {title: 'Please confirm you’re human', text: 'Complete the check below to continue.'},
    },
  },
  unproven: {
    nextStep: 'none',
    isComplete: true,
    messages: {
      tr: {title: 'Doğrulama tamamlanamadı', text: 'Devam etmek için doğrulamayı tekrarlayın.'},
      en: {title: 'The check didn’t go through', text: 'Repeat it below to continue.'},
    },
  },
  offer: {
    nextStep: 'none',
    messages: {
      tr: {
        title: 'Bu ürün şu\u00a0an satışta değil',
        text: 'Ürünü yeniden seçin ya da mağazaya sorun.',
      },
      en: {title: 'This item isn’t available right now', text: 'Choose the product again, or ask the shop.'},
    },
  },
  over: {
    nextStep: 'none',
    tone: 'calm',
    messages: {
      tr: {title: 'Bu teklifin süresi doldu', text: 'Yenisini mağazadan isteyin.'},
      en: {title: 'This offer has expired', text: 'Ask the shop for a new one.'},
    },
  },
  handoff: {
    nextStep: 'none',
    tone: 'warn',
    isComplete: true,
    messages: {
      tr: {
        title: 'Bu bağlantı artık geçerli değil',
        text: 'Siparişi başlattığınız cihazda yeni bir karekod oluşturun. Henüz ödemediyseniz buradan da başlayabilirsiniz.',
      },
      en: {
        title: 'This link no longer works',
        text: 'Get a new QR code on the device where you started. If you haven’t paid yet, you can also start here.',
      },
    },
  },
  origin: {
    nextStep: 'retry',
    messages: {
      tr: {
        title: 'Bu sayfada şu\u00a0an ödeme alınamıyor',
        text: 'Satıcının kendi sitesinde olduğunuzdan emin olun, sonra yeniden deneyin.',
      },
      en: {
        title: 'This page can’t take payments right now',
        text: 'Make sure you’re on the seller’s own site, then try again.',
      },
    },
  },
  // Money may be on its way, even if this page has shown no order code.
  session: {
    nextStep: 'start-over',
    asksSeller: true,
    tone: 'warn',
    isComplete: true,
    messages: {
      tr: {
        title: 'Sayfanın süresi doldu',
        text: 'Parayı gönderdiyseniz satıcıya ulaşır; yeniden göndermeyin. Göndermediyseniz sayfayı yenileyin ya da siparişi satıcının sayfasından yeniden açın.',
        startOverText:
          'Parayı gönderdiyseniz satıcıya ulaşır; yeniden göndermeyin. Göndermediyseniz yeni bir ödeme başlatın.',
      },
      en: {
        title: 'This page timed out',
        text: 'If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, reload this page, or open the order again from the seller’s page.',
        startOverText:
          'If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, start a new payment.',
      },
    },
  },
  kind: {
    nextStep: 'none',
    asksSeller: true,
    tone: 'calm',
    isComplete: true,
    messages: {
      tr: {
        title: 'Bu cihazda siparişi yalnızca görüntüleyebilirsiniz',
        text: 'Ödemeye başladığınız cihazdan ya da satıcının sayfasından devam edin.',
      },
      en: {
        title: 'You can only view this order here',
        text: 'Continue on the device where you started, or from the seller’s page.',
      },
    },
  },
  paid: {
    nextStep: 'none',
    tone: 'calm good',
    isComplete: true,
    messages: {
      tr: {
        title: 'Bu siparişin ödemesi alındı',
        text: 'Yeniden ödemeyin. Sorularınızı sipariş verdiğiniz mağaza yanıtlar.',
      },
      en: {
        title: 'This order is already paid',
        text: 'Don’t pay again. If you have a question, ask the shop where you ordered.',
      },
    },
  },
  taken: {
    nextStep: 'none',
    asksSeller: true,
    messages: {
      tr: {
        title: 'Bu sipariş numarası daha önce kullanılmış',
        text: 'Satıcı siparişe yeni bir numara vermeli. Satıcıya “{code}” kodunu iletin.',
      },
      en: {
        title: 'This order number is already in use',
        text: 'The seller has to give your order a new number. Give the seller the code “{code}”.',
      },
    },
  },
  setup: {
    nextStep: 'retry',
    asksSeller: true,
    messages: {
      tr: {
        title: 'Ödeme başlatılamadı',
        text: 'Satıcının ödeme ayarlarında bir sorun var. Satıcıya “{code}” kodunu iletin.',
      },
      en: {
        title: 'We couldn’t start the payment',
        text: 'There’s a problem with the seller’s payment settings. Give the seller the code “{code}”.',
      },
    },
  },
  refused: {
    nextStep: 'retry',
    asksSeller: true,
    messages: {
      tr: {
        title: 'Ödeme başlatılamadı',
        text: 'Yeniden deneyin. Sorun sürerse satıcıya “{code}” kodunu iletin.',
      },
      en: {
        title: 'We couldn’t start the payment',
        text: 'Try again. If it keeps happening, give the seller the code “{code}”.',
      },
    },
  },
};

const NOTICE_ENDED: RefusalMessage = {
  ...REFUSALS.session,
  messages: {
    tr: {
      title: 'Bildiriminiz gönderilemedi',
      text: 'Sayfanın süresi doldu. Sayfayı yenileyip yeniden bildirin; parayı yeniden göndermeyin.',
    },
    en: {
      title: 'We couldn’t send your report',
      text: 'This page timed out. Reload it to report again. Don’t send the money again.',
    },
  },
};

const NOTICE_PAID: RefusalMessage = {
  ...REFUSALS.paid,
  messages: {
    tr: {...REFUSALS.paid.messages.tr, text: 'Bildirim göndermeniz gerekmiyor.'},
    en: {...REFUSALS.paid.messages.en, text: 'You don’t need to report a payment.'},
  },
};

/** The texts if the Worker has not stored a payment notice, and the same notice may succeed later. */
const noticeUnsent = (retryAfterMs: number): RefusalMessage => ({
  nextStep: 'none',
  tone: 'warn',
  isComplete: true,
  messages: {
    tr: {
      title: 'Bildiriminiz henüz gönderilmedi',
      text: `${inTime(retryAfterMs).tr} yeniden deneyin. Parayı yeniden göndermeyin.`,
    },
    en: {
      title: 'Your report hasn’t been sent yet',
      text: `Try again ${inTime(retryAfterMs).en}. Don’t send the money again.`,
    },
  },
});

/** The texts if the Worker has refused a payment notice for a reason without a text of its own. */
const NOTICE_REFUSED: RefusalMessage = {
  nextStep: 'none',
  isComplete: true,
  messages: {
    tr: {
      title: 'Bildiriminiz gönderilemedi',
      text: 'Birazdan yeniden deneyin. Sorun sürerse satıcıya “{code}” kodunu iletin. Parayı yeniden göndermeyin.',
    },
    en: {
      title: 'We couldn’t send your report',
      text: 'Try again in a moment. If it keeps happening, give the seller the code “{code}”. Don’t send the money again.',
    },
  },
};

/** The message for an error code. The code may be unknown to this page, if the Worker is newer than the page. */
export function refusalOf(code: PageErrorCode, retryAfterMs: number): RefusalMessage {
  const reason = (REASONS as Partial<Record<PageErrorCode, Reason>>)[code] ?? 'refused';
  return reason === 'limited' ? limited(retryAfterMs) : REFUSALS[reason];
}

/** The message for an error code of a pay button, which waits. */
export function buttonRefusalOf(code: PageErrorCode, retryAfterMs: number): RefusalMessage {
  return code === 'rate_limited' ? limited(retryAfterMs, CONTINUES) : refusalOf(code, retryAfterMs);
}

/** The message for an error code of a payment notice. It never asks for money. */
export function noticeRefusalOf(code: PageErrorCode, retryAfterMs: number): RefusalMessage {
  if (code === 'temporarily_unavailable' || code === 'rate_limited') return noticeUnsent(retryAfterMs);
  const refusal = refusalOf(code, retryAfterMs);
  switch (refusal) {
    case REFUSALS.setup:
    case REFUSALS.refused:
      return NOTICE_REFUSED;
    case REFUSALS.session:
      return NOTICE_ENDED;
    case REFUSALS.paid:
      return NOTICE_PAID;
    default:
      return refusal;
  }
}
