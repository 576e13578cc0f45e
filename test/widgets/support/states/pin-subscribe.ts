/** The states of `vezne-pin-subscribe` until a PIN is requested. */

import {SCRIPT_TAG, type ScriptTag} from '../../../../widgets/core/script-tag.ts';
import {terms} from '../../stub-worker/answers.ts';
import type {Fault} from '../../stub-worker/script.ts';
import {untilText} from '../page.ts';
import {clickOn, press, typeInto} from '../shopper.ts';
import type {TestWorker} from '../test-worker.ts';
import {
  SELLER,
  goOffline,
  held,
  refused,
  reset,
  showsSkeleton,
  showsText,
  unavailable,
  type State,
  type States,
} from './state.ts';

export const pin = '<vezne-pin-subscribe offer="club" lang="tr"></vezne-pin-subscribe>';

export const fillIn = async (element: Element, number = '0532 123 45 67'): Promise<void> => {
  await clickOn(element, '[name=operator][value="4"]');
  await typeInto(element, '#number', number);
  await clickOn(element, '[name=consent]');
};
export const askPin = async (element: Element): Promise<void> => {
  await fillIn(element);
  await press(element, 'Onay kodu gönder');
};
const failedOffer = (fault: Fault, expected: string): State => ({
  markup: pin,
  script: {faults: {session: fault}},
  reach: showsText(expected),
});
const failedPin = (fault: Fault, expected: string): State => ({
  markup: pin,
  script: {terms: terms({seller: SELLER}), faults: {pin: fault}},
  reach: async (element) => {
    await askPin(element);
    await untilText(element, expected);
  },
});

const OPERATORS = [
  {id: 1, name: 'Telemavi'},
  {id: 4, name: 'Kuzeycell'},
  {id: 6, name: 'Hatay Mobil'},
  {id: 7, name: 'Anadolu İletişim'},
];

/** The terms of an offer whose title and price need several lines. */
export const LONG_TERMS = terms({
  title: {
    tr: 'Fener Kulübü Aile Üyeliği: yılın bütün el yapımı seramiklerine erken erişim',
    en: 'Lantern Club family membership: early access to all handmade ceramics of the year',
  },
  price: '12345.60',
  period: 'monthly',
  trial_days: 14,
});

/** Makes the page show an old, lower price, as if its page script had been loaded before the price changed. */
function loadOldTerms({address}: TestWorker): () => void {
  const page = globalThis as {[SCRIPT_TAG]?: ScriptTag | undefined};
  const {create_until: _until, ...shown} = terms({price: '9.00'});
  page[SCRIPT_TAG] = {api: `${address}/`, scripts: new Map(), terms: {id: 'club', ...shown}};
  return () => (page[SCRIPT_TAG] = undefined);
}

export const PIN_SUBSCRIBE_STATES: States = {
  'a subscription form': {markup: pin, reach: showsText('Onay kodu gönder')},
  'a subscription form with a free trial': {
    markup: pin,
    script: {terms: terms({period: 'monthly', trial_days: 14})},
    reach: showsText('14 gün ücretsiz, sonra aylık ₺12,00'),
  },
  'a subscription form with one operator': {
    markup: pin,
    script: {terms: terms({operators: [{id: 4, name: 'Kuzeycell'}]})},
    reach: showsText('Onay kodu gönder'),
  },
  'a subscription form with three operators': {
    markup: pin,
    script: {terms: terms({operators: OPERATORS.slice(0, 3)})},
    reach: showsText('Onay kodu gönder'),
  },
  'a subscription form with four operators': {
    markup: pin,
    script: {terms: terms({operators: OPERATORS})},
    reach: showsText('Onay kodu gönder'),
  },
  'a subscription form with a long title': {
    markup: pin,
    script: {terms: LONG_TERMS},
    reach: showsText('Onay kodu gönder'),
  },
  'a subscription form that is loading': {markup: pin, script: {faults: {session: held}}, reach: showsSkeleton},
  'a subscription form that failed': failedOffer(unavailable, 'yanıt vermiyor'),
  'a subscription form of an unknown offer': failedOffer(refused('unknown_offer'), 'şu an sunulmuyor'),
  'a subscription form on a page that is not allowed': failedOffer(refused('origin_not_allowed'), 'abone olunamıyor'),
  'a subscription form of a Worker that is misconfigured': failedOffer(
    refused('misconfigured'),
    'Abonelik bilgileri yüklenemedi',
  ),
  'a subscription form that is rate limited': failedOffer(refused('rate_limited'), 'Lütfen biraz bekleyin'),
  'a subscription form without a connection': failedOffer(reset, 'hizmetine ulaşılamıyor'),
  'a subscription form on a device that is offline': {
    ...failedOffer(reset, 'İnternet bağlantınız yok'),
    prepare: goOffline,
  },
  'a subscription form with an ended session from the shop': {
    markup: pin.replace('offer="club"', 'session="shop-session"'),
    script: {faults: {terms: refused('session_expired')}},
    reach: showsText('Sayfanın süresi doldu'),
  },
  'a subscription form that is filled in': {markup: pin, reach: (element) => fillIn(element)},
  'a subscription form that was sent empty': {
    markup: pin,
    reach: async (element) => {
      await press(element, 'Onay kodu gönder');
      await untilText(element, 'Operatörünüzü seçin.');
    },
    again: (element) => clickOn(element, '[type=submit]'),
  },
  'a subscription form with a wrong number': {
    markup: pin,
    reach: async (element) => {
      await fillIn(element, '0212 123');
      await press(element, 'Onay kodu gönder');
      await untilText(element, '05 ile başlayan 11 hane');
    },
    again: (element) => clickOn(element, '[type=submit]'),
  },
  'a subscription form whose terms have changed': {
    markup: pin,
    prepare: loadOldTerms,
    reach: async (element) => {
      await askPin(element);
      await untilText(element, 'Ücret değişti: ₺9,00');
    },
  },
  'a subscription form that requests a PIN': failedPin(held, 'Gönderiliyor'),
  'a subscription form whose number is refused': failedPin(refused('number_invalid'), 'Numarayı kontrol edin'),
  'a subscription form whose operator is refused': failedPin(refused('operator_invalid'), 'operatörünü seçin'),
  'a subscription form whose PIN request failed': failedPin(unavailable, 'Kodum var'),
  'a subscription form whose PIN request is refused': failedPin(refused('platform_refused'), 'Onay kodu gönderilemedi'),
  'a subscription form whose PIN request got no answer': failedPin(reset, 'hizmetine ulaşılamıyor'),
  'a subscription form whose shopper must wait some minutes': failedPin(
    refused('rate_limited', {retryAfter: 300}),
    'Çok fazla kod istendi',
  ),
  'a subscription form after another device has requested a PIN': failedPin(
    refused('rate_limited', {retryAfter: 45}),
    'Az önce bir kod gönderildi',
  ),
  'a subscription form whose shopper must wait before requesting another PIN': failedPin(
    refused('rate_limited', {retryAfter: 82_800}),
    'Kodum var',
  ),
};
