/**
 * Texts for refused payments. Refusals are rare, so this file is loaded only after the first one. At that time the
 * Worker has just answered, so loading almost certainly succeeds.
 */

import type {PageErrorCode, PaymentErrorCode} from '../../worker/contract/codes.ts';
import type {Locale} from '../core/locale.ts';

/** The reason for a refusal, as shown to the shopper. Many error codes share one reason. */
type Reason =
  | 'limited'
  | 'human'
  | 'unproven'
  | 'offer'
  | 'handoff'
  | 'origin'
  | 'session'
  | 'kind'
  | 'paid'
  | 'refused';

/** The texts of a refusal, and what the shopper can do next: retry, start a new payment, reload the page, or nothing. */
export interface RefusalMessage {
  readonly messages: Record<Locale, {readonly title: string; readonly text: string}>;
  readonly nextStep: 'retry' | 'start-over' | 'reload' | 'none';
}

const REASONS: Record<PaymentErrorCode, Reason> = {
  rate_limited: 'limited',
  human_check_required: 'human',
  human_check_failed: 'unproven',
  unknown_offer: 'offer',
  price_changed: 'refused',
  handoff_invalid: 'handoff',
  origin_not_allowed: 'origin',
  unauthorized: 'session',
  session_expired: 'session',
  session_kind: 'kind',
  invalid_request: 'refused',
  not_found: 'refused',
  method_not_allowed: 'refused',
  too_large: 'refused',
  return_url_not_allowed: 'refused',
  unknown_order: 'refused',
  order_completed: 'refused',
  order_paid: 'paid',
  bank_page_unavailable: 'refused',
  amount_invalid: 'refused',
  bank_invalid: 'refused',
  platform_refused: 'refused',
  temporarily_unavailable: 'refused',
  misconfigured: 'refused',
  internal: 'refused',
};

const REFUSALS: Record<Reason, RefusalMessage> = {
  limited: {
    nextStep: 'retry',
    messages: {
      tr: {title: 'Çok fazla deneme yapıldı', text: 'Birazdan yeniden denenecek.'},
      en: {title: 'Too many attempts', text: 'We will try again in a moment.'},
    },
  },
  human: {
    nextStep: 'none',
    messages: {
      tr: {
        title: 'İnsan olduğunuzu doğrulayın',
        text: 'Aşağıdaki doğrulamayı tamamlayın; ödeme kaldığı yerden devam eder.',
      },
      en: {title: 'Please confirm that you are human', text: 'Complete the check below; the payment then continues.'},
    },
  },
  unproven: {
    nextStep: 'none',
    messages: {
      tr: {title: 'Doğrulama tamamlanamadı', text: 'Doğrulamayı yineleyin; ödeme kaldığı yerden devam eder.'},
      en: {title: 'The check was not passed', text: 'Repeat the check below; the payment then continues.'},
    },
  },
  offer: {
    nextStep: 'retry',
    messages: {
      tr: {title: 'Bu teklif şu an satışta değil', text: 'Ürünü yeniden seçin ya da satıcıya başvurun.'},
      en: {title: 'This offer is not on sale right now', text: 'Choose the product again, or contact the seller.'},
    },
  },
  handoff: {
    nextStep: 'none',
    messages: {
      tr: {
        title: 'Bu bağlantı daha önce açılmış ya da süresi dolmuş',
        text: 'Ödemeye buradan başlayabilir ya da ilk cihazınızda yeni bir kod açabilirsiniz.',
      },
      en: {
        title: 'This link has been opened before, or its time is over',
        text: 'Begin the payment here, or show a new code on your first device.',
      },
    },
  },
  origin: {
    nextStep: 'retry',
    messages: {
      tr: {
        title: 'Bu sayfadan şu an ödeme alınamıyor',
        text: 'Satıcının kendi sitesinde olduğunuzdan emin olun. Öyleyse biraz sonra yeniden deneyin.',
      },
      en: {
        title: 'This page cannot take payments right now',
        text: 'Make sure you are on the seller’s own site. If you are, try again in a while.',
      },
    },
  },
  session: {
    nextStep: 'start-over',
    messages: {
      tr: {
        title: 'Bu ödeme oturumu sona erdi',
        text: 'Siparişi satıcının sayfasından yeniden açın. Gönderdiğiniz para kaybolmaz.',
      },
      en: {
        title: 'This payment session has ended',
        text: 'Open the order again from the seller’s page. Money you have sent is not lost.',
      },
    },
  },
  kind: {
    nextStep: 'none',
    messages: {
      tr: {
        title: 'Buradan yalnızca bakabilirsiniz',
        text: 'Siparişe başladığınız yerden devam edin: ilk cihazınızdan ya da satıcının sayfasından.',
      },
      en: {
        title: 'Here you can only look',
        text: 'Go on where you began the order: on your first device, or from the seller’s page.',
      },
    },
  },
  paid: {
    nextStep: 'none',
    messages: {
      tr: {
        title: 'Bu sipariş zaten ödendi',
        text: 'Yeniden ödemeniz gerekmez. Siparişinizin durumunu satıcının sayfasında görebilirsiniz.',
      },
      en: {
        title: 'This order is paid already',
        text: 'You need not pay again. The seller’s page shows how your order stands.',
      },
    },
  },
  refused: {
    nextStep: 'retry',
    messages: {
      tr: {title: 'Ödeme başlatılamadı', text: 'Sayfayı yenileyin; sürerse satıcıya hata kodunu iletin.'},
      en: {
        title: 'The payment could not be started',
        text: 'Reload the page; if it happens again give the seller the error code.',
      },
    },
  },
};

/** The message for an error code. The code may be unknown to this page, if the Worker is newer than the page. */
export function refusalOf(code: PageErrorCode): RefusalMessage {
  return REFUSALS[(REASONS as Partial<Record<PageErrorCode, Reason>>)[code] ?? 'refused'];
}
