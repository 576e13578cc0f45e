/** The states of `vezne-refund-contact`. */

import type {ShownRefund} from '../../../../worker/contract/browser/answers.ts';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {refund} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {clickOn, typeInto} from '../shopper.ts';
import {
  goOffline,
  held,
  refused,
  reset,
  showsSkeleton,
  showsText,
  type State,
  type States,
  unavailable,
} from './state.ts';

const markup = '<vezne-refund-contact link="Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N" lang="tr"></vezne-refund-contact>';
export const IBAN = 'TR330006100519786457841326';

export async function fillIn(element: Element, name = 'Deniz Örnek', iban = IBAN): Promise<void> {
  await typeInto(element, '#name', name);
  await typeInto(element, '#iban', iban);
  await clickOn(element, '[type=submit]');
}

const ended = (state: ShownRefund['state'], expected: string): State => ({
  markup,
  script: {refundLink: refund(state)},
  reach: showsText(expected),
});
const failed = (code: ErrorCode, expected: string): State => ({
  markup,
  script: {faults: {refundLink: refused(code)}},
  reach: showsText(expected),
});
const after = (script: Partial<Script>, expected: string): State => ({
  markup,
  script,
  reach: async (element) => {
    await fillIn(element);
    await clickOn(element, '.buttons .button');
    await showsText(expected)(element);
  },
});

export const REFUND_STATES: States = {
  'a refund form': {markup, reach: showsText('İadenin yatırılacağı hesabı')},
  'a refund link that is loading': {markup, script: {faults: {refundLink: held}}, reach: showsSkeleton},
  'a refund form that was sent empty': {
    markup,
    reach: async (element) => {
      await clickOn(element, '[type=submit]');
      await showsText('IBAN’ınızı yazın')(element);
    },
  },
  'a refund form with a mistyped IBAN': {
    markup,
    reach: async (element) => {
      await fillIn(element, 'Deniz Örnek', IBAN.replace(/6$/, '7'));
      await showsText('yazım hatası')(element);
    },
  },
  'the summary of a refund': {
    markup,
    reach: async (element) => {
      await fillIn(element);
      await showsText('Bilgileri kontrol edin')(element);
    },
  },
  'a refund that is being sent': after({faults: {refundContact: held}}, 'Gönderiliyor'),
  'a refund that was accepted': after({refundContact: refund('sent')}, 'İade talebiniz alındı'),
  'a refund whose outcome is unknown': after({refundContact: refund('checking')}, 'kontrol ediliyor'),
  'a refund whose account was refused': after({refundContact: refund('refused')}, 'kabul edilmedi'),
  'a refund whose shopper must wait': after(
    {faults: {refundContact: refused('rate_limited', {retryAfter: 60})}},
    'para gönderilmedi',
  ),
  'a refund that was not sent': after({faults: {refundContact: unavailable}}, 'para gönderilmedi'),
  'a refund without an answer': after({faults: {refundContact: reset}}, 'Yanıt gelmedi'),
  'a refund link that was used': ended('used', 'Bu bağlantı kullanıldı'),
  'a refund link that has expired': ended('expired', 'süresi doldu'),
  'a refund link that was withdrawn': ended('withdrawn', 'geri çekildi'),
  'a refund link whose money is gone': ended('unavailable', 'Bu bağlantıyla iade yapılamıyor'),
  'a refund link that does not exist': failed('not_found', 'Bu bağlantı geçerli değil'),
  'a refund link that is rate limited': failed('rate_limited', 'Lütfen biraz bekleyin'),
  'a refund link of a Worker that is misconfigured': failed('misconfigured', 'Hata kodu'),
  'a refund link without a connection': {
    markup,
    script: {faults: {refundLink: reset}},
    reach: showsText('hizmetine ulaşılamıyor'),
  },
  'a refund link on a device that is offline': {
    markup,
    script: {faults: {refundLink: reset}},
    prepare: goOffline,
    reach: showsText('İnternet bağlantınız yok'),
  },
};
