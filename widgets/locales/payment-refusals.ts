/**
 * Texts for refused payments. Refusals are rare, so this file is loaded only after the first one. At that time the
 * Worker has just answered, so loading almost certainly succeeds.
 */

import type {PaymentErrorCode} from '../../worker/contract/codes.ts';
import {CONTINUES, inTime, limited, refusalIn} from './refusals.ts';
import type {Refusal, RefusalOf, RefusalRows, RefusalTable} from './refusals.ts';

// These texts also fit a payment notice, whose shopper has paid and must not pay again.
const HUMAN: Refusal = {
  nextStep: 'none',
  isComplete: true,
  messages: {
    tr: {title: 'Robot olmadığınızı doğrulayın', text: 'Devam etmek için aşağıdaki doğrulamayı tamamlayın.'},
    en: {title: 'Please confirm you’re human', text: 'Complete the check below to continue.'},
  },
};

const UNPROVEN: Refusal = {
  nextStep: 'none',
  isComplete: true,
  messages: {
    tr: {title: 'Doğrulama tamamlanamadı', text: 'Devam etmek için doğrulamayı tekrarlayın.'},
    en: {title: 'The check didn’t go through', text: 'Repeat it below to continue.'},
  },
};

const NOT_ON_SALE: Refusal = {
  nextStep: 'reload',
  tone: 'warn',
  messages: {
    tr: {title: 'Bu ürün şu\u00a0an satışta değil', text: 'Sayfayı yenileyin; düzelmezse satıcıya sorun.'},
    en: {
      title: 'This item isn’t available right now',
      text: 'Reload the page. If that doesn’t help, ask the seller.',
    },
  },
};

const OVER: Refusal = {
  nextStep: 'none',
  tone: 'calm',
  messages: {
    tr: {title: 'Bu teklifin süresi doldu', text: 'Yenisini mağazadan isteyin.'},
    en: {title: 'This offer has expired', text: 'Ask the shop for a new one.'},
  },
};

const HANDOFF: Refusal = {
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
};

const ORIGIN: Refusal = {
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
};

// Money may be on its way, even if this page has shown no order code.
const ENDED: Refusal = {
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
};

const KIND: Refusal = {
  nextStep: 'none',
  asksSeller: true,
  onlySeller: true,
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
};

// Says what the view `cancelled` says.
const CANCELLED: Refusal = {
  nextStep: 'none',
  asksSeller: true,
  onlySeller: true,
  tone: 'calm',
  isComplete: true,
  messages: {
    tr: {title: 'Siparişiniz iptal edildi', text: 'Para göndermeyin. Gönderdiyseniz satıcıyla iletişime geçin.'},
    en: {title: 'Your order was cancelled', text: 'Don’t send the money. If you already have, contact the seller.'},
  },
};

// The money has arrived, or the merchant has completed an order that was not paid.
const PAID: Refusal = {
  nextStep: 'none',
  tone: 'calm good',
  isComplete: true,
  messages: {
    tr: {
      title: 'Bu sipariş için ödenecek tutar kalmadı',
      text: 'Para göndermeyin. Sorularınızı sipariş verdiğiniz mağaza yanıtlar.',
    },
    en: {
      title: 'There’s nothing left to pay for this order',
      text: 'Don’t send any money. If you have a question, ask the shop where you ordered.',
    },
  },
};

const TAKEN: Refusal = {
  nextStep: 'none',
  asksSeller: true,
  messages: {
    tr: {
      title: 'Bu sipariş numarası daha önce kullanılmış',
      text: 'Satıcı siparişe yeni bir numara vermeli. Satıcıya bildirin. Hata kodu: {code}.',
    },
    en: {
      title: 'This order number is already in use',
      text: 'The seller has to give your order a new number. Tell the seller. Error code: {code}.',
    },
  },
};

const SETUP: Refusal = {
  nextStep: 'retry',
  asksSeller: true,
  onlySeller: true,
  messages: {
    tr: {
      title: 'Ödeme başlatılamadı',
      text: 'Satıcının ödeme ayarlarında bir sorun var. Satıcıya bildirin. Hata kodu: {code}.',
    },
    en: {
      title: 'We couldn’t start the payment',
      text: 'There’s a problem with the seller’s payment settings. Tell the seller. Error code: {code}.',
    },
  },
};

const REFUSED: Refusal = {
  nextStep: 'retry',
  asksSeller: true,
  messages: {
    tr: {
      title: 'Ödeme başlatılamadı',
      text: 'Yeniden deneyin. Sorun sürerse satıcıya bildirin. Hata kodu: {code}.',
    },
    en: {
      title: 'We couldn’t start the payment',
      text: 'Try again. If it keeps happening, tell the seller. Error code: {code}.',
    },
  },
};

const NOTICE_ENDED: Refusal = {
  ...ENDED,
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

const NOTICE_PAID: Refusal = {
  ...PAID,
  messages: {
    tr: {...PAID.messages.tr, text: 'Bildirim göndermeniz gerekmiyor.'},
    en: {...PAID.messages.en, text: 'You don’t need to report a payment.'},
  },
};

/** The texts if the Worker has not stored a payment notice, and the same notice may succeed later. */
const noticeUnsent = (retryAfterMs: number): Refusal => ({
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
const NOTICE_REFUSED: Refusal = {
  nextStep: 'none',
  isComplete: true,
  messages: {
    tr: {
      title: 'Bildiriminiz gönderilemedi',
      text: 'Birazdan yeniden deneyin. Sorun sürerse satıcıya bildirin. Parayı yeniden göndermeyin. Hata kodu: {code}.',
    },
    en: {
      title: 'We couldn’t send your report',
      text: 'Try again in a moment. If it keeps happening, tell the seller. Don’t send the money again. Error code: {code}.',
    },
  },
};

/** Refusals that say the same whatever the shopper was about to do. */
const GENERAL = {
  human_check_required: HUMAN,
  human_check_failed: UNPROVEN,
  unknown_offer: NOT_ON_SALE,
  offer_expired: OVER,
  handoff_invalid: HANDOFF,
  origin_not_allowed: ORIGIN,
  unauthorized: ENDED,
  session_expired: ENDED,
  session_kind: KIND,
  order_exists: TAKEN,
  order_cancelled: CANCELLED,
  order_paid: PAID,
} as const satisfies RefusalRows;

const PAYMENTS: RefusalTable<PaymentErrorCode> = {
  ...GENERAL,
  rate_limited: limited(),
  return_url_not_allowed: SETUP,
  misconfigured: SETUP,
  price_changed: REFUSED,
  buyer_required: REFUSED,
  invalid_request: REFUSED,
  not_found: REFUSED,
  method_not_allowed: REFUSED,
  too_large: REFUSED,
  unknown_order: REFUSED,
  bank_page_unavailable: REFUSED,
  amount_invalid: REFUSED,
  bank_invalid: REFUSED,
  platform_refused: REFUSED,
  temporarily_unavailable: REFUSED,
  internal: REFUSED,
  other: REFUSED,
};

/** A pay button waits for the shopper. */
const BUTTONS: RefusalTable<PaymentErrorCode> = {...PAYMENTS, rate_limited: limited(CONTINUES)};

/** Of a payment notice. They never ask for money. */
const NOTICES: RefusalTable = {
  ...GENERAL,
  unauthorized: NOTICE_ENDED,
  session_expired: NOTICE_ENDED,
  order_paid: NOTICE_PAID,
  rate_limited: noticeUnsent,
  temporarily_unavailable: noticeUnsent,
  other: NOTICE_REFUSED,
};

export const refusalOf: RefusalOf = (code, retryAfterMs) => refusalIn(PAYMENTS, code, retryAfterMs);

export const buttonRefusalOf: RefusalOf = (code, retryAfterMs) => refusalIn(BUTTONS, code, retryAfterMs);

export const noticeRefusalOf: RefusalOf = (code, retryAfterMs) => refusalIn(NOTICES, code, retryAfterMs);
