/** Texts for refusals when a shopper subscribes or cancels. Loaded after the first refusal. */

import type {PageErrorCode, PaymentErrorCode} from '../../worker/contract/codes.ts';
import {limited, refusalIn, type Refusal, type RefusalOf, type RefusalTable} from './refusals.ts';

type MessagesByLocale = Refusal['messages'];

export const retryable = (messages: MessagesByLocale): Refusal => ({nextStep: 'retry', messages});
const withoutNextStep = (messages: MessagesByLocale): Refusal => ({nextStep: 'none', messages});

/** A refusal whose text sends the shopper to the seller, and says what happened. */
const forSeller = (message: Refusal): Refusal => ({...message, asksSeller: true, isComplete: true});

/** The outcome is unknown, so the shopper must neither worry nor take it as done, and may ask the seller. */
const uncertain = (messages: MessagesByLocale): Refusal => forSeller({nextStep: 'retry', tone: 'warn', messages});

/** A refusal after which nothing has failed. */
export const calm = (message: Refusal): Refusal => ({...message, tone: 'calm', isComplete: true});

/** The text for every error code that has no text of its own. */
export const REFUSED = {
  nextStep: 'retry',
  asksSeller: true,
  messages: {
    tr: {
      title: 'Bir sorun oluştu',
      text: 'Biraz sonra yeniden deneyin. Sorun sürerse satıcıya bildirin. Hata kodu: {code}.',
    },
    en: {
      title: 'Something went wrong',
      text: 'Try again in a moment. If it keeps happening, tell the seller. Error code: {code}.',
    },
  },
} as const satisfies Refusal;

/** The text if the session has expired or has the wrong kind. */
const ENDED: Refusal = {
  nextStep: 'reload',
  messages: {
    tr: {title: 'Sayfanın süresi doldu', text: 'Sayfayı yenileyip yeniden başlayın.'},
    en: {title: 'This page has expired', text: 'Reload it to start again.'},
  },
};

const UNRECOGNIZED = calm(
  withoutNextStep({
    tr: {title: 'Numaranızı girin', text: 'Numaranızı otomatik olarak tanıyamadık. Bu denemede ücret alınmadı.'},
    en: {title: 'Enter your number', text: 'We couldn’t recognise it automatically. You weren’t charged this time.'},
  }),
);

export const OUTCOME_UNKNOWN = uncertain({
  tr: {
    title: 'Sonuç henüz belli değil',
    text: 'Aboneliğinizin başladığını bildiren bir SMS aldıysanız işlem tamamdır. Almadıysanız biraz sonra yeniden deneyin; aynı numaradan iki kez ücret alınmaz.',
  },
  en: {
    title: 'We don’t know yet whether this went through',
    text: 'If you got a text saying your subscription has started, you’re all set. If not, try again in a moment. The same number won’t be charged twice.',
  },
});

const REFUSALS: RefusalTable<Exclude<PageErrorCode, PaymentErrorCode>> = {
  rate_limited: limited(),
  other: REFUSED,
  unknown_offer: {
    nextStep: 'reload',
    messages: {
      tr: {title: 'Bu abonelik şu\u00a0an sunulmuyor', text: 'Sayfayı yenileyin; düzelmezse satıcıya sorun.'},
      en: {
        title: 'This subscription isn’t available right now',
        text: 'Reload the page. If that doesn’t help, ask the seller.',
      },
    },
  },
  origin_not_allowed: retryable({
    tr: {
      title: 'Şu\u00a0an bu sayfadan abone olunamıyor',
      text: 'Satıcının kendi sitesinde olduğunuzdan emin olun. Doğru sitedeyseniz biraz sonra yeniden deneyin.',
    },
    en: {
      title: 'Sign-ups are unavailable here right now',
      text: 'Make sure you’re on the seller’s own site. If you are, try again in a while.',
    },
  }),
  unauthorized: ENDED,
  session_expired: ENDED,
  session_kind: ENDED,
  human_check_required: calm(
    retryable({
      tr: {title: 'Robot olmadığınızı doğrulayın', text: 'Aşağıdaki doğrulamayı tamamlayın, ardından kodu isteyin.'},
      en: {title: 'Confirm you’re human', text: 'Complete the check below, then request your code.'},
    }),
  ),
  human_check_failed: calm(
    retryable({
      tr: {title: 'Doğrulama tamamlanamadı', text: 'Doğrulamayı bir kez daha yapın, ardından kodu isteyin.'},
      en: {title: 'The check didn’t go through', text: 'Complete it once more, then request your code.'},
    }),
  ),
  number_invalid: withoutNextStep({
    tr: {
      title: 'Bu numarayla abone olunamıyor',
      text: 'Numarayı kontrol edin veya başka bir cep telefonu numarası girin.',
    },
    en: {title: 'We can’t use this number', text: 'Check it, or enter another Turkish mobile number.'},
  }),
  operator_invalid: withoutNextStep({
    tr: {title: 'Bu numara seçtiğiniz operatörde değil', text: 'Numaranızın operatörünü seçin.'},
    en: {title: 'This number is with a different operator', text: 'Choose your number’s operator.'},
  }),
  pin_wrong: withoutNextStep({
    tr: {title: 'Kod hatalı', text: 'Son gelen SMS’teki kodu girin.'},
    en: {title: 'That code isn’t right', text: 'Enter the code from the latest text.'},
  }),
  pin_expired: withoutNextStep({
    tr: {title: 'Kodun süresi doldu', text: 'Yeni kod isteyin.'},
    en: {title: 'The code has expired', text: 'Request a new one.'},
  }),
  pin_blocked: withoutNextStep({
    tr: {title: 'Çok fazla hatalı kod girildi', text: 'Bu kod artık kullanılamaz. Yeni kod isteyin.'},
    en: {title: 'Too many wrong codes', text: 'This code no longer works. Request a new one.'},
  }),
  number_token_invalid: UNRECOGNIZED,
  one_click_off: UNRECOGNIZED,
  not_eligible: withoutNextStep({
    tr: {
      title: 'Bu numarayla abone olunamıyor',
      text: 'Hattınız mobil ödemeye kapalı olabilir. Operatörünüze sorun veya başka bir numara kullanın.',
    },
    en: {
      title: 'This number can’t subscribe',
      text: 'Mobile payments may be turned off for it. Ask your operator or use another number.',
    },
  }),
  already_subscribed: calm(
    withoutNextStep({
      tr: {
        title: 'Zaten abonesiniz',
        text: 'Bu numaranın aboneliği sürüyor. Yeniden abone olmanıza gerek yok; iki kez ücret alınmaz.',
      },
      en: {
        title: 'You’re already subscribed',
        text: 'This number already has the subscription. You won’t be charged twice.',
      },
    }),
  ),
  subscription_failed: retryable({
    tr: {
      title: 'Aboneliğiniz başlatılamadı',
      text: 'Operatörünüz onaylamadı. Bakiyenizi kontrol edip yeniden deneyin.',
    },
    en: {
      title: 'We couldn’t start your subscription',
      text: 'Your operator didn’t approve it. Check your balance and try again.',
    },
  }),
  billing_cap_reached: withoutNextStep({
    tr: {title: 'Hattınızın harcama limiti doldu', text: 'Daha sonra yeniden deneyin veya başka bir numara kullanın.'},
    en: {title: 'This number has reached its spending limit', text: 'Try again later, or use another number.'},
  }),
  daily_cap_reached: withoutNextStep({
    tr: {title: 'Hattınızın günlük limiti doldu', text: 'Yarın yeniden deneyin veya başka bir numara kullanın.'},
    en: {title: 'This number has reached its daily limit', text: 'Try again tomorrow, or use another number.'},
  }),
  test_mode: withoutNextStep({
    tr: {title: 'Bu abonelik henüz açılmadı', text: 'Şimdilik yalnızca satıcının deneme numaraları abone olabilir.'},
    en: {title: 'This subscription isn’t open yet', text: 'For now, only the seller’s test numbers can subscribe.'},
  }),
  landing_not_found: forSeller(
    withoutNextStep({
      tr: {title: 'Bu abonelik şu\u00a0an sunulmuyor', text: 'Aboneliğiniz başlamadı, ücret alınmadı.'},
      en: {
        title: 'This subscription isn’t available right now',
        text: 'It hasn’t started, and you haven’t been charged.',
      },
    }),
  ),
  subscription_not_found: forSeller(
    withoutNextStep({
      tr: {title: 'Aboneliğinizi bulamadık', text: 'Satıcı sizin için kontrol edebilir.'},
      en: {title: 'We couldn’t find your subscription', text: 'The seller can check it for you.'},
    }),
  ),
  already_cancelled: calm(
    withoutNextStep({
      tr: {title: 'Bu abonelik zaten iptal edilmiş', text: 'Yapmanız gereken bir şey yok.'},
      en: {title: 'This subscription is already cancelled', text: 'There’s nothing more to do.'},
    }),
  ),
  cannot_cancel: forSeller(
    withoutNextStep({
      tr: {
        title: 'Aboneliğiniz şu\u00a0an iptal edilemiyor',
        text: 'Aboneliğiniz iptal edilmedi. Daha sonra yeniden deneyin veya operatörünüzün SMS’indeki yolla iptal edin.',
      },
      en: {
        title: 'We can’t cancel your subscription right now',
        text: 'It hasn’t been cancelled. Try again later, or cancel as described in your operator’s text message.',
      },
    }),
  ),
  outcome_unknown: OUTCOME_UNKNOWN,
};

export const refusalOf: RefusalOf = (code, retryAfterMs) => refusalIn(REFUSALS, code, retryAfterMs);

export const CANCELLATION_UNKNOWN = uncertain({
  tr: {
    title: 'İptal işleminizin sonucu henüz belli değil',
    text: 'İptal SMS’i geldiyse aboneliğiniz iptal edildi. Gelmediyse biraz sonra yeniden deneyin.',
  },
  en: {
    title: 'We don’t know\u00a0yet if it’s cancelled',
    text: 'If you got a text about the cancellation, it’s cancelled. If not, try to cancel again in a moment.',
  },
});
