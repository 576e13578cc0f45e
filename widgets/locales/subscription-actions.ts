/**
 * Texts for the failure of an action: a PIN request, an attempt to subscribe, or a cancellation. They say what happened
 * to the action. Each text is true for this request only: an earlier attempt may have subscribed the number.
 */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import {CONTINUES, limited, refusalIn, type Refusal, type RefusalRows} from './refusals.ts';
import {CANCELLATION_UNKNOWN, calm, OUTCOME_UNKNOWN, REFUSED, retryable} from './subscription-refusals.ts';

/**
 * What the shopper did. `load`: opened the page. `resend`: requested another PIN while the last PIN is valid. `retry`: attempted to subscribe
 * after an attempt with an unknown outcome.
 */
export type Action = 'load' | 'pin' | 'resend' | 'attempt' | 'retry' | 'cancel';

/** The general text of a refusal, with a title that names the action. */
const refusedTo = (tr: string, en: string): Refusal => {
  const {messages} = REFUSED;
  return {...REFUSED, messages: {tr: {...messages.tr, title: tr}, en: {...messages.en, title: en}}};
};

const LOAD_REFUSED = refusedTo('Abonelik bilgileri yüklenemedi', 'We couldn’t load the subscription');
const PIN_REFUSED = refusedTo('Onay kodu gönderilemedi', 'We couldn’t text you a code');
const CANCELLATION_REFUSED = refusedTo('Aboneliğiniz iptal edilemedi', 'We couldn’t cancel your subscription');

const NOT_CANCELLED = retryable({
  tr: {title: 'Aboneliğiniz iptal edilemedi', text: 'Ödeme hizmeti yanıt vermiyor. Biraz sonra yeniden deneyin.'},
  en: {
    title: 'We couldn’t cancel your subscription',
    text: 'The payment service isn’t responding. Try again in a moment.',
  },
});

const CANCELLATION_LIMITED = calm(
  retryable({
    tr: {
      title: 'Lütfen biraz bekleyin',
      text: 'Bu denemede aboneliğiniz iptal edilmedi. Biraz sonra yeniden deneyin.',
    },
    en: {title: 'Please wait a moment', text: 'Your subscription wasn’t cancelled this time. Try again in a moment.'},
  }),
);

const RESEND_LIMITED = calm(
  retryable({
    tr: {title: 'Yeni kod gönderilmedi', text: 'Son SMS’teki kodu girebilirsiniz.'},
    en: {title: 'We didn’t send a new code', text: 'You can still use the code from the latest text.'},
  }),
);

const ATTEMPT_REFUSED = refusedTo('Aboneliğiniz başlatılamadı', 'We couldn’t start your subscription');

const ATTEMPT_LIMITED = calm(
  retryable({
    tr: {title: 'Çok fazla deneme yapıldı', text: 'Bu denemede abonelik başlamadı, ücret alınmadı.'},
    en: {title: 'Too many attempts', text: 'You weren’t subscribed or charged this time.'},
  }),
);

const refused = (text: Refusal): RefusalRows => ({platform_refused: text, misconfigured: text});

// The form has a countdown if the Worker says how long to wait.
const PIN: RefusalRows = {...refused(PIN_REFUSED), rate_limited: limited(CONTINUES)};

/** The texts of each action. All other codes keep their general texts. */
const TEXTS: Readonly<Record<Action, RefusalRows>> = {
  load: refused(LOAD_REFUSED),
  pin: PIN,
  resend: {...PIN, rate_limited: RESEND_LIMITED},
  // With all codes but `internal`, the platform did not get this request, or it refused the request.
  attempt: {...refused(ATTEMPT_REFUSED), rate_limited: ATTEMPT_LIMITED, internal: OUTCOME_UNKNOWN},
  retry: {
    ...refused(OUTCOME_UNKNOWN),
    rate_limited: OUTCOME_UNKNOWN,
    temporarily_unavailable: OUTCOME_UNKNOWN,
    internal: OUTCOME_UNKNOWN,
    landing_not_found: OUTCOME_UNKNOWN,
  },
  cancel: {
    ...refused(CANCELLATION_REFUSED),
    rate_limited: CANCELLATION_LIMITED,
    temporarily_unavailable: NOT_CANCELLED,
    outcome_unknown: CANCELLATION_UNKNOWN,
    internal: CANCELLATION_UNKNOWN,
  },
};

/** What happened to the action; undefined if the general text of the code says enough. */
export function actionRefusalOf(action: Action, code: PageErrorCode): Refusal | undefined {
  return refusalIn(TEXTS[action], code);
}
