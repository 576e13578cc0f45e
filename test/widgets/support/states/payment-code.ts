/** The states of `vezne-payment-code`. */

import {FEW_BANKS, PAYMENTS, bank, bankList, orderCode} from '../../stub-worker/answers.ts';
import type {Fault} from '../../stub-worker/script.ts';
import {find, until, untilText} from '../page.ts';
import {clickOn, press} from '../shopper.ts';
import {
  SELLER,
  addSharing,
  allowCopying,
  held,
  refuseCopying,
  refused,
  showsSkeleton,
  showsText,
  unavailable,
  type State,
  type States,
} from './state.ts';

export const code = '<vezne-payment-code offer="gold" bank="cinar" lang="tr"></vezne-payment-code>';
const codeOfSession = code.replace('offer="gold"', 'session="shop-session"');

/** Order codes are valid for days. In the last hour, the page shows a countdown. */
export const dueSoon = (leftMs = 2_400_000) => ({
  code: orderCode({pay_until: new Date(Date.now() + leftMs).toISOString()}),
});

/** Banks whose apps have a link. */
export const BANKS_WITH_APPS = bankList(
  FEW_BANKS.map(({code: each, name}) => bank(each, name, {app_url: `https://${each}.example/app`})),
);

const refusal = (fault: Fault, title: string, markup = code): State => ({
  markup,
  script: {faults: {code: fault}, code: orderCode({seller: SELLER})},
  reach: showsText(title),
});

export const PAYMENT_CODE_STATES: States = {
  'an order code': {markup: code, reach: showsText('Çınar Bankası')},
  'an order code of a large amount': {
    markup: code,
    script: {
      code: orderCode({amount: '1234567.89'}),
      payment: {...PAYMENTS.waiting, amount: '1234567.89', remaining: '1234567.89'},
    },
    reach: showsText('₺1.234.567,89'),
  },
  'an order code of a seller with a name': {
    markup: code,
    script: {code: orderCode({seller: SELLER})},
    reach: showsText('Fener'),
  },
  'an order code with less than an hour left': {markup: code, script: () => dueSoon(), reach: showsText('Kalan süre')},
  'an order code with a link to the bank’s app': {
    markup: code,
    screen: 'phone',
    script: {banks: BANKS_WITH_APPS},
    reach: showsText('uygulamasını aç'),
  },
  'an order code that can be shared': {markup: code, prepare: addSharing, reach: showsText('Bilgileri paylaş')},
  'an order code that was copied': {
    markup: code,
    prepare: allowCopying,
    reach: async (element) => {
      await press(element, 'Kodu kopyala');
      await until('the confirmation', () => find(element, '.copied'));
    },
  },
  'an order code whose IBAN was copied': {
    markup: code,
    prepare: allowCopying,
    reach: async (element) => {
      await untilText(element, 'IBAN');
      await clickOn(element, '.row .copy');
      await until('the confirmation', () => find(element, '.copied'));
    },
  },
  'an order code whose details were all copied': {
    markup: code,
    prepare: allowCopying,
    reach: async (element) => {
      await press(element, 'Tümünü kopyala');
      await untilText(element, '✓ Kopyalandı');
    },
    again: (element) => clickOn(element, '.ways .link'),
  },
  'an order code that the browser refuses to copy': {
    markup: code,
    prepare: refuseCopying,
    reach: async (element) => {
      await press(element, 'Kodu kopyala');
      await until('the field', () => find(element, '.copy-fallback textarea'));
    },
  },
  'an order code whose details the browser refuses to copy': {
    markup: code,
    prepare: refuseCopying,
    reach: (element) => press(element, 'Tümünü kopyala'),
    again: async (element) => {
      await clickOn(element, '.ways .link');
      await until('the field', () => find(element, '.ways .copy-fallback textarea'));
    },
  },
  'an order code that is partly paid': {
    markup: code,
    script: {payment: PAYMENTS.partial},
    reach: showsText('Kalan tutar'),
  },
  'an order code whose money is sent': {
    markup: code,
    reach: async (element) => {
      await press(element, 'Parayı gönderdim');
      await untilText(element, 'Ödeme bilgileri');
    },
  },
  'an order code whose money is sent, with its details open': {
    markup: code,
    reach: async (element) => {
      await press(element, 'Parayı gönderdim');
      await clickOn(element, 'summary');
    },
  },
  'an order code that has expired': {
    markup: code,
    script: {payment: PAYMENTS.expired, code: orderCode({seller: SELLER})},
    reach: showsText('Ödeme süresi doldu'),
  },
  'an order code with money that could not be matched': {
    markup: code,
    script: {payment: PAYMENTS.unclear, code: orderCode({seller: SELLER})},
    reach: showsText('Ödemeniz Türk lirası olarak gelmedi'),
  },
  'an order code that is paid': {markup: code, script: {payment: PAYMENTS.paid}, reach: showsText('Ödemeniz alındı')},
  'an order code whose session has ended': {
    markup: code,
    reach: async (element, worker) => {
      await until('the payment', async () => (await worker.sockets()) === 1);
      await worker.script({token: 'another', sockets: 'refused'});
      await worker.dropSockets();
      await untilText(element, 'buradan izlenemiyor');
    },
  },
  'an order code before a bank is chosen': {
    markup: code.replace(' bank="cinar"', ''),
    reach: showsText('Hangi bankadan göndereceksiniz?'),
  },
  'an order code without a bank': {
    markup: code.replace('bank="cinar"', 'bank="gone"'),
    reach: showsText('artık listede değil'),
  },
  'an order code that is loading': {markup: code, script: {faults: {code: held}}, reach: showsSkeleton},
  'an order code whose account is loading': {
    markup: code,
    script: {code: orderCode({account: null}), faults: {banks: held}},
    reach: async (element) => {
      await untilText(element, 'Kodu kopyala');
      await showsSkeleton(element);
    },
  },
  'an order code whose account failed': {
    markup: code,
    script: {code: orderCode({account: null}), faults: {banks: unavailable}},
    reach: async (element) => {
      await untilText(element, 'Kodu kopyala');
      await untilText(element, 'yanıt vermiyor');
    },
  },
  'an order code that failed': refusal(unavailable, 'yanıt vermiyor'),
  'an order code that is rate limited': refusal(refused('rate_limited', {retryAfter: 30}), 'Lütfen biraz bekleyin'),
  'an order code of a Worker that is misconfigured': refusal(refused('misconfigured'), 'Hata kodu'),
  'an order code of an order that is paid already': {
    markup: code,
    script: {faults: {code: refused('order_paid')}, payment: PAYMENTS.paid},
    reach: showsText('Ödemeniz alındı'),
  },
  'an order code that a view-only session may not request': refusal(refused('session_kind'), 'yalnızca görüntüle'),
  'an order code that an ended session may not request': refusal(refused('session_expired'), 'Sayfanın süresi doldu'),
  'an order code that an ended session from the shop may not request': refusal(
    refused('session_expired'),
    'Sayfanın süresi doldu',
    codeOfSession,
  ),
};
