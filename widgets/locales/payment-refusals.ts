/**
 * What is said of refusals: rare, so it comes with the first of them. That it can come is sure as sure can be, for the
 * Worker has just answered.
 */

import type {PageErrorCode, PaymentErrorCode} from '../../worker/contract/codes.ts';
import type {Locale} from '../core/locale.ts';

/** Why something was refused, as far as a shopper cares; many codes share one. */
type Reason = 'limited' | 'offer' | 'handoff' | 'origin' | 'session' | 'kind' | 'paid' | 'refused';

/** A refusal in words, and whether asking again, or beginning anew, is a way on. */
export interface RefusalMessage {
  readonly messages: Record<Locale, {readonly title: string; readonly text: string}>;
  readonly nextStep: 'again' | 'anew' | 'none';
}

const REASONS: Record<PaymentErrorCode, Reason> = {
  rate_limited: 'limited',
  unknown_offer: 'offer',
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
  amount_invalid: 'refused',
  bank_invalid: 'refused',
  platform_refused: 'refused',
  temporarily_unavailable: 'refused',
  misconfigured: 'refused',
  internal: 'refused',
};

const REFUSALS: Record<Reason, RefusalMessage> = {
  limited: {
    way: 'again',
    words: {
      tr: {title: 'Çok fazla deneme yapıldı', text: 'Birazdan yeniden denenecek.'},
      en: {title: 'Too many attempts', text: 'We will try again in a moment.'},
    },
  },
  offer: {
    way: 'again',
    words: {
      tr: {title: 'Bu teklif şu an satışta değil', text: 'Ürünü yeniden seçin ya da satıcıya başvurun.'},
      en: {title: 'This offer is not on sale right now', text: 'Choose the product again, or contact the seller.'},
    },
  },
  handoff: {
    way: 'none',
    words: {
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
    way: 'again',
    words: {
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
    way: 'anew',
    words: {
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
    way: 'none',
    words: {
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
    way: 'none',
    words: {
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
    way: 'again',
    words: {
      tr: {title: 'Ödeme başlatılamadı', text: 'Sayfayı yenileyin; sürerse satıcıya hata kodunu iletin.'},
      en: {
        title: 'The payment could not be started',
        text: 'Reload the page; if it happens again give the seller the error code.',
      },
    },
  },
};

/** What to say of a code; a Worker newer than this page may know some that this page does not. */
export function refusalOf(code: PageErrorCode): RefusalMessage {
  return REFUSALS[(REASONS as Partial<Record<PageErrorCode, Reason>>)[code] ?? 'refused'];
}
