/** The states of `vezne-payment-status`. */

import {PAYMENTS, orderCode, transaction} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {find, until, untilText} from '../page.ts';
import {clickOn, press} from '../shopper.ts';
import {
  SELLER,
  allowCopying,
  blockStorage,
  held,
  refuseCopying,
  refused,
  returnFrom,
  reset,
  showsSkeleton,
  showsText,
  type State,
  type States,
} from './state.ts';

export const status = '<vezne-payment-status offer="gold" lang="tr"></vezne-payment-status>';
const statusOfSession = status.replace('offer="gold"', 'session="shop-session"');
const statusWithLink = status.replace('><', '><a slot="paid" href="#order">Siparişinizi görün</a><');

/** The names of the payments for which the element shows no final card. */
const WAITING: ReadonlySet<string> = new Set(['waiting', 'partial']);
const NOTICE = {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', sent: null};
const code = orderCode({seller: SELLER});

const shows = (payment: Partial<Script>, expected: string, markup = status): State => ({
  markup,
  script: {code, ...payment},
  reach: showsText(expected),
});

export const PAYMENT_STATUS_STATES: States = {
  'a payment that is loading': {
    markup: status,
    script: {faults: {payment: held}, sockets: 'silent'},
    reach: showsSkeleton,
  },
  'a payment that failed': {
    markup: status,
    script: {faults: {payment: refused('origin_not_allowed')}, sockets: 'refused'},
    reach: showsText('ödeme alınamıyor'),
  },
  'a payment that is rate limited': {
    markup: status,
    script: {faults: {payment: refused('rate_limited', {retryAfter: 30})}, sockets: 'refused'},
    reach: showsText('Lütfen biraz bekleyin'),
  },
  'a payment whose session has ended': {
    markup: status,
    script: {token: 'another', sockets: 'refused'},
    reach: showsText('Sayfanın süresi doldu'),
  },
  'a payment whose session from the shop has ended': {
    markup: statusOfSession,
    script: {token: 'another', sockets: 'refused'},
    reach: showsText('Sayfanın süresi doldu'),
  },
  'a payment without a connection': {
    markup: status,
    reach: async (element, worker) => {
      await untilText(element, 'bekliyoruz');
      await worker.script({sockets: 'refused', faults: {payment: reset}});
      await worker.dropSockets();
      await untilText(element, 'Bağlantı kurulamadı');
    },
  },
  'a payment on a device that stores nothing': {
    markup: status,
    prepare: blockStorage,
    reach: showsText('bekliyoruz'),
  },
  'a payment that is waiting for a notice to be finished': shows(
    {payment: {...PAYMENTS.waiting, notice: {...NOTICE, sent: false}}},
    'Bildirimi tamamla',
  ),
  'a payment with a notice of which the platform says nothing': {
    ...shows({payment: {...PAYMENTS.waiting, notice: NOTICE}}, 'Bulununca bu sayfa güncellenir'),
    prepare: () => returnFrom('notice', 'done'),
  },
  'a payment with a notice that was sent': shows(
    {payment: {...PAYMENTS.waiting, notice: {...NOTICE, sent: true}}},
    'Ödemenizi arıyoruz',
  ),
  'an expired payment with a notice that was sent': shows(
    {payment: {...PAYMENTS.expired, notice: {...NOTICE, sent: true}}},
    'Ödemenizi arıyoruz',
  ),
  ...Object.fromEntries(
    Object.entries(PAYMENTS).map(([state, payment]): [string, State] => [
      `a payment that is ${state}`,
      {
        markup: status,
        script: {payment, code},
        reach: async (element) => {
          await until(state, () => find(element, WAITING.has(state) ? '.words' : '.result'));
        },
      },
    ]),
  ),
  'a payment that has just arrived': {
    markup: statusWithLink,
    script: {code},
    reach: async (element, worker) => {
      await untilText(element, 'bekliyoruz');
      await until('the socket', async () => (await worker.sockets()) === 1);
      await worker.send(PAYMENTS.paid);
      await untilText(element, 'Ödemeniz alındı');
      await untilText(element, 'Fener');
    },
  },
  'a payment that was paid from a phone bill': shows(
    {payment: {...PAYMENTS.paid, order: '20261123094512', transactions: [transaction('149.90', {bank: null})]}},
    'Telefon faturasından',
  ),
  'a payment that was refunded in part': shows(
    {payment: {...PAYMENTS.paid, paid: '99.90', refunded: '50.00'}},
    '₺50,00 iade edildi',
  ),
  'an expired payment whose money is sent': shows(
    {payment: {...PAYMENTS.expired, notice: NOTICE}},
    'yine de satıcıya ulaşır',
  ),
  'an expired payment, with a session from the shop': shows(
    {payment: PAYMENTS.expired},
    'Ödeme süresi doldu',
    statusOfSession,
  ),
  'a receipt whose order number was copied': {
    markup: status,
    script: {payment: PAYMENTS.paid, code},
    prepare: allowCopying,
    reach: async (element) => {
      await untilText(element, 'Ödeme kodu');
      await press(element, 'Kopyala');
      await untilText(element, '✓ Kopyalandı');
    },
  },
  'a receipt that was copied': {
    markup: status,
    script: {payment: PAYMENTS.paid, code},
    prepare: allowCopying,
    reach: async (element) => {
      await untilText(element, 'Ödeme kodu');
      await press(element, 'Tümünü kopyala');
      await untilText(element, '✓ Kopyalandı');
    },
    again: (element) => clickOn(element, '.ways .link:nth-child(2)'),
  },
  'a receipt that the browser refuses to copy': {
    markup: status,
    script: {payment: PAYMENTS.paid, code},
    prepare: refuseCopying,
    reach: async (element) => {
      await untilText(element, 'Ödeme kodu');
      await press(element, 'Tümünü kopyala');
      await until('the field', () => find(element, '.copy-fallback textarea'));
    },
    again: (element) => clickOn(element, '.ways .link:nth-child(2)'),
  },
};
