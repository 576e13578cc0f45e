/** The states of `vezne-subscription`. */

import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import type {SubscriptionState} from '../../../../worker/contract/fields.ts';
import {STARTED, subscription} from '../../stub-worker/answers.ts';
import {untilText} from '../page.ts';
import {press} from '../shopper.ts';
import {SELLER, held, refused, reset, showsSkeleton, showsText, type State, type States} from './state.ts';

const membership =
  '<vezne-subscription session="management" lang="tr"><span slot="title">Fener Kulübü</span></vezne-subscription>';

const cancel = async (element: Element): Promise<void> => {
  await press(element, 'Aboneliği iptal et');
  await press(element, 'Evet, iptal et');
};
const inState = (state: SubscriptionState, expected: string): State => ({
  markup: membership,
  script: {subscription: subscription({state}), seller: SELLER},
  reach: showsText(expected),
});
const failed = (code: ErrorCode, expected: string): State => ({
  markup: membership,
  script: {seller: SELLER, faults: {subscription: refused(code)}},
  reach: showsText(expected),
});
const notCancelled = (code: ErrorCode, expected: string): State => ({
  markup: membership,
  script: {seller: SELLER, faults: {cancel: refused(code)}},
  reach: async (element) => {
    await cancel(element);
    await untilText(element, expected);
    await untilText(element, 'Aboneliği iptal et');
  },
});

export const SUBSCRIPTION_STATES: States = {
  'an active subscription': {markup: membership, reach: showsText('Aboneliği iptal et')},
  'a subscription with a free trial': {
    markup: membership,
    script: {subscription: subscription({period: 'monthly', trial_days: 14, renews_at: '2026-12-10T12:00:00+03:00'})},
    reach: showsText('14 gün ücretsiz, sonra aylık ₺12,00'),
  },
  'a subscription whose payment is retried': inState('retry', 'yeniden denenecek'),
  'a subscription that is paused': inState('suspend', 'durduruldu'),
  'a subscription that the operator has rejected': inState('rejected', 'onaylamadı'),
  'a subscription whose state is unknown': inState('unknown', 'Sonra yeniden bakın'),
  'a subscription with few details': {
    markup: membership,
    script: {
      subscription: subscription({msisdn: null, price: null, period: null, subscribed_at: null, renews_at: null}),
    },
    reach: showsText('Aktif'),
  },
  'a subscription that was cancelled earlier': {
    markup: membership,
    script: {
      subscription: subscription({state: 'cancelled', cancelled_at: STARTED}),
      seller: SELLER,
    },
    reach: showsText('Aboneliğiniz iptal edildi'),
  },
  'a subscription that is loading': {markup: membership, script: {faults: {subscription: held}}, reach: showsSkeleton},
  'a subscription that does not exist': failed('subscription_not_found', 'Aboneliğinizi bulamadık'),
  'a subscription whose session has ended': failed('session_expired', 'Sayfanın süresi doldu'),
  'a subscription that failed': failed('temporarily_unavailable', 'yanıt vermiyor'),
  'a subscription that is rate limited': failed('rate_limited', 'Lütfen biraz bekleyin'),
  'a subscription of a Worker that is misconfigured': failed('misconfigured', 'Bir sorun oluştu'),
  'a subscription without a connection': {
    markup: membership,
    script: {faults: {subscription: reset}},
    reach: showsText('hizmetine ulaşılamıyor'),
  },
  'a subscription with the question whether to cancel it': {
    markup: membership,
    reach: async (element) => {
      await press(element, 'Aboneliği iptal et');
      await untilText(element, 'iptal edilsin mi?');
    },
  },
  'a subscription that is being cancelled': {
    markup: membership,
    script: {faults: {cancel: held}},
    reach: async (element) => {
      await cancel(element);
      await untilText(element, 'İptal ediliyor');
    },
  },
  'a subscription that the shopper has cancelled': {
    markup: membership,
    reach: async (element) => {
      await cancel(element);
      await untilText(element, 'Aboneliğiniz iptal edildi');
    },
  },
  'a subscription that cannot be cancelled now': notCancelled('cannot_cancel', 'şu an iptal edilemiyor'),
  'a subscription that was cancelled in the meantime': {
    markup: membership,
    script: {faults: {cancel: refused('already_cancelled')}},
    reach: async (element, worker) => {
      await press(element, 'Aboneliği iptal et');
      await worker.script({
        subscription: subscription({state: 'cancelled', cancelled_at: STARTED}),
      });
      await press(element, 'Evet, iptal et');
      await untilText(element, 'Bundan sonra ücret alınmaz.');
    },
  },
  'a subscription whose cancellation has an unknown outcome': notCancelled(
    'outcome_unknown',
    'İptal işleminizin sonucu henüz belli değil',
  ),
  'a subscription whose cancellation failed': notCancelled('temporarily_unavailable', 'iptal edilemedi'),
};
