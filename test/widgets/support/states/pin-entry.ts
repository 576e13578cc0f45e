/** The states of `vezne-pin-subscribe` after a PIN was requested. */

import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {pinSent, STARTED, terms} from '../../stub-worker/answers.ts';
import {untilText} from '../page.ts';
import {clickOn, press, typeInto} from '../shopper.ts';
import type {TestWorker} from '../test-worker.ts';
import {askPin, LONG_TERMS, pin} from './pin-subscribe.ts';
import {SELLER, held, refused, showsText, unavailable, type State, type States} from './state.ts';

const pinWithLinks = pin.replace('><', '><a slot="done" href="#club">Kulübe girin</a><');
const SUBSCRIBE = 'Abone ol · ₺12,00 / hafta';

const toPin = async (element: Element): Promise<void> => {
  await askPin(element);
  await untilText(element, 'SMS ile gelen kodu girin');
};
const enterPin = async (element: Element): Promise<void> => {
  await toPin(element);
  await typeInto(element, '#pin', '1234');
  await press(element, SUBSCRIBE);
};
/** The Worker’s answer to a PIN request, if the shopper may request another PIN immediately. */
const mayResend = () => ({pin: pinSent({resendInMs: 0})});

/** The Worker refuses the PIN or the number. */
const refusal = (
  code: ErrorCode,
  expected: string,
  {markup = pin, ...details}: {markup?: string; retryAfter?: number; attemptsLeft?: number} = {},
): State => ({
  markup,
  script: () => ({pin: pinSent(), terms: terms({seller: SELLER}), faults: {subscribe: refused(code, details)}}),
  reach: async (element) => {
    await enterPin(element);
    await untilText(element, expected);
  },
});

const subscribedBefore = ({address}: TestWorker): void => {
  sessionStorage[`vezne pin ${address} club`] = JSON.stringify({
    startedAt: STARTED,
    msisdn: '532*****67',
  });
};

export const PIN_ENTRY_STATES: States = {
  'a PIN form': {markup: pin, script: () => ({pin: pinSent()}), reach: toPin},
  'a PIN form in which another PIN can be requested': {
    markup: pin,
    script: mayResend,
    reach: async (element) => {
      await toPin(element);
      await untilText(element, 'Yeni kod iste');
    },
  },
  'a PIN form that requests another PIN': {
    markup: pin,
    script: mayResend,
    reach: async (element, worker) => {
      await toPin(element);
      await worker.fault('pin', held);
      await press(element, 'Yeni kod iste');
      await untilText(element, 'Gönderiliyor');
    },
  },
  'a PIN form after another PIN was sent': {
    markup: pin,
    script: mayResend,
    reach: async (element) => {
      await toPin(element);
      await press(element, 'Yeni kod iste');
      await untilText(element, 'yeni bir kod gönderdik');
    },
  },
  'a PIN form whose shopper must wait before requesting another PIN': {
    markup: pin,
    script: mayResend,
    reach: async (element, worker) => {
      await toPin(element);
      await worker.fault('pin', refused('rate_limited', {retryAfter: 3_600}));
      await press(element, 'Yeni kod iste');
      await untilText(element, 'Yeni kod gönderilmedi');
    },
  },
  'a PIN form for a PIN that another page requested': {
    markup: pin,
    script: {faults: {pin: unavailable}},
    reach: async (element) => {
      await askPin(element);
      await press(element, 'Kodum var');
      await untilText(element, 'SMS ile gelen kodu girin');
    },
  },
  'a PIN form that was sent empty': {
    markup: pin,
    script: () => ({pin: pinSent()}),
    reach: async (element) => {
      await toPin(element);
      await press(element, SUBSCRIBE);
      await untilText(element, 'yalnızca rakamlardan oluşur');
    },
  },
  'a PIN form that waits for the answer': {
    markup: pin,
    script: () => ({pin: pinSent(), faults: {subscribe: held}}),
    reach: async (element) => {
      await enterPin(element);
      await untilText(element, 'Başlatılıyor…');
    },
  },
  'a PIN form with a wrong PIN': refusal('pin_wrong', 'Kod hatalı'),
  'a PIN form with few attempts left': refusal('pin_wrong', '2 hakkınız kaldı', {attemptsLeft: 2}),
  'a PIN form without attempts left': refusal('pin_wrong', 'Bu kod artık kullanılamaz', {attemptsLeft: 0}),
  'a PIN form with a blocked PIN': refusal('pin_blocked', 'Bu kod artık kullanılamaz'),
  'a PIN form with a blocked PIN, after another PIN was sent': {
    markup: pin,
    script: () => ({...mayResend(), faults: {subscribe: refused('pin_blocked')}}),
    reach: async (element) => {
      await toPin(element);
      await press(element, 'Yeni kod iste');
      await untilText(element, 'yeni bir kod gönderdik');
      await typeInto(element, '#pin', '1234');
      await press(element, SUBSCRIBE);
      await untilText(element, 'Bu kod artık kullanılamaz');
    },
  },
  'a PIN form with an expired PIN': {
    markup: pin,
    script: () => ({pin: pinSent({expiresInMs: 1_000, resendInMs: 0})}),
    reach: async (element) => {
      await toPin(element);
      await untilText(element, 'Kodun süresi doldu');
    },
  },
  'a PIN form with a PIN that the operator calls expired': refusal('pin_expired', 'Kodun süresi doldu'),
  'a PIN form whose shopper must wait before the next attempt': refusal(
    'rate_limited',
    'sonra yeniden deneyebilirsiniz',
    {
      retryAfter: 60,
    },
  ),
  'a PIN form without an answer': refusal('temporarily_unavailable', 'ücret alınmadı'),
  'a PIN form whose outcome is unknown': refusal('outcome_unknown', 'Sonuç henüz belli değil'),
  'a PIN form whose operator did not start the subscription': refusal('subscription_failed', 'Operatörünüz onaylamadı'),
  'a PIN form of a Worker that is misconfigured': refusal('misconfigured', 'Hata kodu'),
  'a PIN form whose number is refused': refusal('number_invalid', 'Numarayı kontrol edin'),
  'a PIN form whose operator is refused': refusal('operator_invalid', 'operatörünü seçin'),
  'a number that has the subscription already': refusal('already_subscribed', 'Zaten abonesiniz'),
  'a number that cannot be subscribed': refusal('not_eligible', 'Bu numarayla abone olunamıyor'),
  'a number that has reached its billing cap': refusal('billing_cap_reached', 'harcama limiti doldu'),
  'a number that has reached its daily cap': refusal('daily_cap_reached', 'günlük limiti doldu'),
  'a subscription in test mode': refusal('test_mode', 'henüz açılmadı'),
  'a subscription that the platform does not know': refusal('landing_not_found', 'şu an sunulmuyor'),
  'a PIN form with an ended session from the shop': refusal('session_expired', 'Sayfanın süresi doldu', {
    markup: pin.replace('offer="club"', 'session="shop-session"'),
  }),
  'a subscription that has started': {
    markup: pinWithLinks,
    script: () => ({pin: pinSent()}),
    reach: async (element) => {
      await enterPin(element);
      await untilText(element, 'Aboneliğiniz başladı');
    },
  },
  'a subscription with a long title that has started': {
    markup: pinWithLinks,
    script: () => ({pin: pinSent(), terms: LONG_TERMS}),
    reach: async (element) => {
      await toPin(element);
      await typeInto(element, '#pin', '1234');
      await clickOn(element, '#confirm');
      await untilText(element, 'Aboneliğiniz başladı');
    },
  },
  'a subscription that had started before the page was reloaded': {
    markup: pinWithLinks,
    prepare: subscribedBefore,
    reach: showsText('Aboneliğiniz başladı'),
  },
};
