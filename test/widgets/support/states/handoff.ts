/** The states of a hand-off: of its QR code on the first device, and of its link on the second device. */

import {PAYMENTS, bankList, orderCode, preview} from '../../stub-worker/answers.ts';
import {find, until, untilText} from '../page.ts';
import {chooseBank, press} from '../shopper.ts';
import {checkout, endSession} from './checkout.ts';
import {code} from './payment-code.ts';
import {
  SELLER,
  allowCopying,
  held,
  refuseCopying,
  refused,
  showsSkeleton,
  showsText,
  stored,
  unavailable,
  type State,
  type States,
} from './state.ts';

const toQrCode = async (element: Element): Promise<void> => {
  await press(element, 'Telefonda aç');
  await until('the QR code', () => find(element, '.qr'));
};
const widen = (element: Element): void => {
  (element.parentElement as HTMLElement).style.inlineSize = '800px';
};
/** Phones hide the QR code. */
const qrCode: Pick<State, 'markup' | 'screen'> = {markup: code, screen: 'desktop'};
const link: Pick<State, 'markup' | 'link'> = {markup: checkout, link: {bank: 'toros'}};
/** The shopper’s own order on the second device. */
const ownOrder = stored({step: 'pay', bank: 'toros'}, ' gold');

export const HANDOFF_STATES: States = {
  'an order code with its QR code': {...qrCode, reach: toQrCode},
  'a checkout with the QR code beside the order code': {
    markup: checkout,
    screen: 'desktop',
    reach: async (element) => {
      widen(element);
      await chooseBank(element, 'Çınar');
      await until('the QR code', () => find(element, '.beside') && find(element, '.qr'));
    },
    again: async (element) => {
      widen(element);
      await until('the QR code', () => find(element, '.beside') && find(element, '.qr'));
    },
  },
  'a QR code that is loading': {
    ...qrCode,
    script: {faults: {handoff: held}},
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await showsSkeleton(element);
    },
  },
  'a QR code that failed': {
    ...qrCode,
    script: {faults: {handoff: unavailable}},
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await untilText(element, 'Karekod oluşturulamadı');
    },
  },
  'a QR code that is rate limited': {
    ...qrCode,
    script: {faults: {handoff: refused('rate_limited')}},
    reach: async (element) => {
      await press(element, 'Telefonda aç');
      await untilText(element, 'Karekod birazdan hazır');
    },
  },
  'a hand-off link that was copied': {
    ...qrCode,
    prepare: allowCopying,
    reach: async (element) => {
      await toQrCode(element);
      await press(element, 'Bağlantıyı kopyala');
      await untilText(element, '✓ Bağlantı kopyalandı');
    },
  },
  'a hand-off link that the browser refuses to copy': {
    ...qrCode,
    prepare: refuseCopying,
    reach: async (element) => {
      await toQrCode(element);
      await press(element, 'Bağlantıyı kopyala');
      await until('the link', () => find(element, '.copy-fallback textarea'));
    },
  },
  'an order code that was opened on a phone': {
    ...qrCode,
    reach: async (element, worker) => {
      await untilText(element, 'Telefonda aç');
      await until('the payment', async () => (await worker.sockets()) === 1);
      await toQrCode(element);
      await worker.send({...PAYMENTS.waiting, handed_over_at: '2026-11-21T15:43:00+03:00'});
      await untilText(element, 'Telefonda açıldı');
    },
  },
  'a checkout that asks about a link': {
    ...link,
    script: {preview: preview({seller: SELLER})},
    reach: showsText('Satıcı: Fener'),
  },
  'a checkout that asks about a link to an order without a title': {
    ...link,
    script: {preview: preview({title: null})},
    reach: showsText('ile ödeme'),
  },
  'a checkout with its own order that asks about a link': {
    ...link,
    prepare: ownOrder,
    reach: showsText('olduğu gibi kalır'),
  },
  'a checkout that reads a link': {...link, script: {faults: {preview: held}}, reach: showsSkeleton},
  'a checkout that could not read a link': {
    ...link,
    script: {faults: {preview: unavailable}},
    reach: showsText('açılamadı'),
  },
  'a checkout that could not open a link': {
    ...link,
    script: {faults: {redeem: unavailable}},
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'açılamadı');
    },
  },
  'a hand-off link that was used before': {
    ...link,
    script: {faults: {preview: refused('handoff_invalid')}},
    reach: async (element) => {
      await until('the notice', () => find(element, '[role=alert]'));
      await untilText(element, 'Çınar');
    },
  },
  'an order that was started on another device': {
    ...link,
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'Ödemenizi bekliyoruz');
    },
  },
  'an order from another device, beside an own order': {
    ...link,
    prepare: ownOrder,
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'Kendi siparişime dön');
      await untilText(element, 'Ödemenizi bekliyoruz');
    },
  },
  'an order from another device, without a bank': {
    ...link,
    script: {code: orderCode({account: null}), banks: bankList([])},
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await until('the button', () => find(element, '[slot=account]'));
      await untilText(element, 'Ödemenizi bekliyoruz');
    },
  },
  'an order from another device whose session has ended': {
    ...link,
    reach: async (element, worker) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'Ödemenizi bekliyoruz');
      await endSession(element, worker);
    },
  },
  'an order from another device whose shopper has forgotten the code': {
    ...link,
    script: {preview: preview({seller: SELLER})},
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await press(element, 'Kodu yazmayı unuttum');
      await untilText(element, 'Ödememi bildir');
    },
  },
  'an order from another device that is paid': {
    ...link,
    script: {payment: PAYMENTS.paid},
    reach: async (element) => {
      await press(element, 'Siparişi aç');
      await untilText(element, 'Ödemeniz alındı');
    },
  },
};
