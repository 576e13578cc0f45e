/** Texts for refusals when a shopper subscribes or cancels. Loaded after the first refusal. */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {RefusalMessage} from './payment-refusals.ts';

type MessagesByLocale = RefusalMessage['messages'];

const retryable = (messages: MessagesByLocale): RefusalMessage => ({nextStep: 'retry', messages});
const withoutNextStep = (messages: MessagesByLocale): RefusalMessage => ({nextStep: 'none', messages});

/** The text for every error code that has no text of its own. */
const REFUSED = retryable({
  tr: {title: 'İşlem yapılamadı', text: 'Sayfayı yenileyin; sürerse satıcıya hata kodunu iletin.'},
  en: {title: 'This could not be done', text: 'Reload the page; if it happens again give the seller the error code.'},
});

/** The text if the session has expired or has the wrong kind. */
const ENDED = withoutNextStep({
  tr: {title: 'Sayfa çok uzun süre açık kaldı', text: 'Sayfayı yenileyip yeniden başlayın.'},
  en: {title: 'This page was open for too long', text: 'Reload it and start again.'},
});

const REFUSALS: {readonly [code in PageErrorCode]?: RefusalMessage} = {
  rate_limited: retryable({
    tr: {title: 'Çok fazla deneme yapıldı', text: 'Daha sonra yeniden deneyin.'},
    en: {title: 'Too many attempts', text: 'Try again later.'},
  }),
  unknown_offer: withoutNextStep({
    tr: {title: 'Bu abonelik şu an sunulmuyor', text: 'Sayfayı yenileyin ya da satıcıya başvurun.'},
    en: {title: 'This subscription is not on offer right now', text: 'Reload the page, or contact the seller.'},
  }),
  origin_not_allowed: retryable({
    tr: {
      title: 'Bu sayfadan şu an abone olunamıyor',
      text: 'Satıcının kendi sitesinde olduğunuzdan emin olun. Öyleyse biraz sonra yeniden deneyin.',
    },
    en: {
      title: 'Nobody can subscribe from this page right now',
      text: 'Make sure you are on the seller’s own site. If you are, try again in a while.',
    },
  }),
  unauthorized: ENDED,
  session_expired: ENDED,
  session_kind: ENDED,
  human_check_required: retryable({
    tr: {title: 'İnsan olduğunuzu doğrulayın', text: 'Aşağıdaki doğrulamayı tamamlayın, sonra yeniden deneyin.'},
    en: {title: 'Please confirm that you are human', text: 'Complete the check below, then try again.'},
  }),
  human_check_failed: retryable({
    tr: {title: 'Doğrulama tamamlanamadı', text: 'Doğrulamayı yineleyin.'},
    en: {title: 'The check was not passed', text: 'Do the check again.'},
  }),
  number_invalid: withoutNextStep({
    tr: {
      title: 'Bu numarayla abone olunamıyor',
      text: 'Türkiye’de kayıtlı, 5 ile başlayan 10 haneli bir cep telefonu numarası yazın.',
    },
    en: {
      title: 'This number cannot be subscribed',
      text: 'Write a Turkish mobile number: ten digits that begin with 5.',
    },
  }),
  operator_invalid: withoutNextStep({
    tr: {title: 'Bu numara seçtiğiniz operatörde değil', text: 'Numaranızın operatörünü seçin.'},
    en: {title: 'This number is not with that operator', text: 'Choose the operator of your number.'},
  }),
  pin_wrong: withoutNextStep({
    tr: {title: 'Kod yanlış', text: 'Son gelen SMS’teki kodu yazın.'},
    en: {title: 'The code is wrong', text: 'Write the code of the latest SMS.'},
  }),
  pin_expired: withoutNextStep({
    tr: {title: 'Kodun süresi doldu', text: 'Yeni bir kod isteyin.'},
    en: {title: 'The code has expired', text: 'Ask for a new one.'},
  }),
  pin_blocked: withoutNextStep({
    tr: {title: 'Çok fazla yanlış kod yazıldı', text: 'Bu kod artık geçmez. Yeni bir kod isteyin.'},
    en: {title: 'Too many wrong codes', text: 'This one no longer counts. Ask for a new one.'},
  }),
  number_token_invalid: withoutNextStep({
    tr: {title: 'Numaranız tanınamadı', text: 'Numaranızı yazarak devam edin.'},
    en: {title: 'Your number was not recognised', text: 'Go on by writing your number.'},
  }),
  one_click_off: withoutNextStep({
    tr: {title: 'Numaranız tanınamadı', text: 'Numaranızı yazarak devam edin.'},
    en: {title: 'Your number was not recognised', text: 'Go on by writing your number.'},
  }),
  not_eligible: withoutNextStep({
    tr: {
      title: 'Bu numara abone olamıyor',
      text: 'Hattınız mobil ödemeye kapalı olabilir. Operatörünüze sorun ya da başka bir numara deneyin.',
    },
    en: {
      title: 'This number cannot subscribe',
      text: 'Mobile payment may be off for it. Ask your operator, or use another number.',
    },
  }),
  already_subscribed: withoutNextStep({
    tr: {title: 'Bu numara zaten abone', text: 'Yeniden abone olmanız gerekmiyor; ücret iki kez alınmaz.'},
    en: {title: 'This number is subscribed already', text: 'There is nothing to do; you are not charged twice.'},
  }),
  subscription_failed: retryable({
    tr: {title: 'Abonelik başlatılamadı', text: 'Operatörünüz onaylamadı. Bakiyenizi kontrol edip yeniden deneyin.'},
    en: {
      title: 'The subscription could not begin',
      text: 'Your operator did not approve it. Check your balance and try again.',
    },
  }),
  billing_cap_reached: withoutNextStep({
    tr: {title: 'Bu hattın harcama sınırına ulaşıldı', text: 'Daha sonra yeniden deneyin ya da operatörünüze sorun.'},
    en: {title: 'The spending limit of this number is reached', text: 'Try again later, or ask your operator.'},
  }),
  test_mode: withoutNextStep({
    tr: {title: 'Bu abonelik henüz açılmadı', text: 'Şu an yalnızca deneme numaraları abone olabiliyor.'},
    en: {title: 'This subscription is not open yet', text: 'Only test numbers can subscribe for now.'},
  }),
  landing_not_found: withoutNextStep({
    tr: {title: 'Bu abonelik bulunamadı', text: 'Satıcıya başvurun.'},
    en: {title: 'This subscription was not found', text: 'Contact the seller.'},
  }),
  subscription_not_found: withoutNextStep({
    tr: {title: 'Abonelik bulunamadı', text: 'Satıcıya başvurun.'},
    en: {title: 'The subscription was not found', text: 'Contact the seller.'},
  }),
  already_cancelled: withoutNextStep({
    tr: {title: 'Bu abonelik zaten iptal edilmiş', text: 'Yapmanız gereken bir şey yok.'},
    en: {title: 'This subscription was cancelled already', text: 'There is nothing to do.'},
  }),
  cannot_cancel: withoutNextStep({
    tr: {title: 'Bu abonelik şu an iptal edilemiyor', text: 'Daha sonra yeniden deneyin ya da satıcıya başvurun.'},
    en: {title: 'This subscription cannot be cancelled right now', text: 'Try again later, or contact the seller.'},
  }),
  outcome_unknown: retryable({
    tr: {
      title: 'Sonuç henüz belli değil',
      text: 'Onay SMS’i geldiyse işlem tamamdır. Gelmediyse biraz sonra yeniden deneyin; ücret iki kez alınmaz.',
    },
    en: {
      title: 'It is not known yet whether this worked',
      text: 'If you got an SMS that says so, it did. If not, try again in a moment; you are not charged twice.',
    },
  }),
};

/** The message for an error code. The code may be unknown to this page, if the Worker is newer than the page. */
export function refusalOf(code: PageErrorCode): RefusalMessage {
  return REFUSALS[code] ?? REFUSED;
}
