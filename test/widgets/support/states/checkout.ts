/** The states of `vezne-checkout`, except those of a human check and of a hand-off link. */

import {SCRIPT_TAG, type ScriptTag} from '../../../../widgets/core/script-tag.ts';
import type {Payment} from '../../../../worker/contract/browser/answers.ts';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {MANY_BANKS, PAYMENTS, bankList, orderCode} from '../../stub-worker/answers.ts';
import {until, untilText} from '../page.ts';
import {chooseBank, clickOn, press, typeInto} from '../shopper.ts';
import type {TestWorker} from '../test-worker.ts';
import {BANKS_WITH_APPS, dueSoon} from './payment-code.ts';
import {
  SELLER,
  blockStorage,
  goOffline,
  held,
  printed,
  refused,
  reset,
  returnFrom,
  showsSkeleton,
  showsText,
  stored,
  type State,
  type States,
} from './state.ts';

export const checkout = '<vezne-checkout offer="gold" lang="tr"></vezne-checkout>';
const checkoutOfSession = checkout.replace('offer="gold"', 'session="shop-session"');
const NOTICE = {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', sent: null};

/** Chooses a bank, presses the buttons, and waits for the text. */
const afterBank =
  (expected: string, ...buttons: string[]) =>
  async (element: Element): Promise<void> => {
    await chooseBank(element, 'Çınar');
    for (const button of buttons) await press(element, button);
    await untilText(element, expected);
  };

const withPayment = (payment: Payment, expected: string, markup = checkout): State => ({
  markup,
  script: {payment, code: orderCode({seller: SELLER})},
  reach: afterBank(expected),
});
/** The Worker refuses the session. */
const refusedSession = (code: ErrorCode, expected: string): State => ({
  markup: checkout,
  script: {faults: {session: refused(code, {retryAfter: code === 'rate_limited' ? 30 : 0})}},
  reach: showsText(expected),
});
/** The Worker refuses the order code. */
const refusedCode = (code: ErrorCode, expected: string, markup = checkout): State => ({
  markup,
  script: {
    faults: {code: refused(code, {retryAfter: code === 'rate_limited' ? 30 : 0})},
    code: orderCode({seller: SELLER}),
  },
  reach: afterBank(expected),
});

/** Makes the Worker reject the session, so that the page can no longer read the payment. */
export async function endSession(element: Element, worker: TestWorker): Promise<void> {
  await until('the socket', async () => (await worker.sockets()) === 1);
  await worker.script({token: 'another', sockets: 'refused'});
  await worker.dropSockets();
  await untilText(element, 'buradan izlenemiyor');
}

/** Makes the page show an old, lower price, as if its page script had been loaded before the price changed. */
function loadOldPrice({address}: TestWorker): () => void {
  const page = globalThis as {[SCRIPT_TAG]?: ScriptTag | undefined};
  const title = {tr: 'Ahşap masa lambası', en: 'Wooden desk lamp'};
  page[SCRIPT_TAG] = {
    api: `${address}/`,
    scripts: new Map(),
    offer: {id: 'gold', title, amount: '129.90', currency: 'TRY'},
  };
  return () => (page[SCRIPT_TAG] = undefined);
}

/** The states before the shopper has chosen a bank. */
const BANK_STEP: States = {
  'a new checkout': {markup: checkout, reach: showsText('Çınar')},
  'a checkout of an order that was paid on another page': {
    markup: checkoutOfSession,
    script: {payment: PAYMENTS.paid},
    reach: showsText('Ödemeniz alındı'),
  },
  'a checkout that is loading': {markup: checkout, script: {faults: {session: held}}, reach: showsSkeleton},
  'a checkout that failed': refusedSession('unknown_offer', 'satışta değil'),
  'a checkout of a Worker that does not answer': refusedSession('temporarily_unavailable', 'yanıt vermiyor'),
  'a checkout that is rate limited': refusedSession('rate_limited', 'Lütfen biraz bekleyin'),
  'a checkout of a Worker that is misconfigured': refusedSession('misconfigured', 'Hata kodu'),
  'a checkout on a page that is not allowed': refusedSession('origin_not_allowed', 'ödeme alınamıyor'),
  'a checkout without a connection': {
    markup: checkout,
    script: {faults: {session: reset}},
    reach: showsText('hizmetine ulaşılamıyor'),
  },
  'a checkout on a device that is offline': {
    markup: checkout,
    script: {faults: {session: reset}},
    prepare: goOffline,
    reach: showsText('İnternet bağlantınız yok'),
  },
  'a checkout with many banks': {
    markup: checkout,
    script: {banks: bankList(MANY_BANKS)},
    reach: showsText('Bankanız listede yok mu?'),
  },
  'a checkout with the bank that was chosen last time': {
    markup: checkout,
    prepare: stored({bank: 'toros'}),
    reach: showsText('Son seçtiğiniz banka'),
  },
  'a checkout whose search finds no bank': {
    markup: checkout,
    script: {banks: bankList(MANY_BANKS)},
    reach: async (element) => {
      await typeInto(element, 'input[type=search]', 'zzz');
      await untilText(element, 'eşleşen banka bulunamadı');
    },
  },
  'a checkout with a session from the shop': {markup: checkoutOfSession, reach: showsText('Çınar')},
  'a checkout with the page’s own title and footer': {
    markup: checkout.replace('><', '><span slot="title">Sipariş P-1009</span><p slot="footer">Fener Atölyesi</p><'),
    reach: showsText('Çınar'),
  },
  'a checkout whose price has changed': {
    markup: checkout,
    prepare: loadOldPrice,
    reach: afterBank('Fiyat değişti'),
  },
};

/** The states after the shopper has chosen a bank. */
const PAY_STEP: States = {
  'a checkout whose order code is loading': {
    markup: checkout,
    script: {faults: {code: held}},
    reach: async (element) => {
      await chooseBank(element, 'Çınar');
      await untilText(element, 'Parayı bankanızdan gönderin');
      await showsSkeleton(element);
    },
  },
  'a checkout whose order code failed': refusedCode('temporarily_unavailable', 'yanıt vermiyor'),
  'a checkout whose order code is refused': refusedCode('platform_refused', 'Hata kodu'),
  'a checkout whose order code is rate limited': refusedCode('rate_limited', 'Lütfen biraz bekleyin'),
  'a checkout of an order that is paid already': {
    ...refusedCode('order_paid', 'Ödemeniz alındı'),
    script: {payment: PAYMENTS.paid, faults: {code: refused('order_paid')}},
  },
  'a checkout whose session ended before the code': refusedCode('session_expired', 'Sayfanın süresi doldu'),
  'a checkout whose session from the shop ended before the code': refusedCode(
    'session_expired',
    'Sayfanın süresi doldu',
    checkoutOfSession,
  ),
  'a checkout with an order code': {
    markup: checkout,
    reach: async (element) => {
      await afterBank('Ödemenizi bekliyoruz')(element);
      await untilText(element, 'IBAN');
    },
  },
  'a checkout with less than an hour left': {markup: checkout, script: () => dueSoon(), reach: afterBank('Kalan süre')},
  'a checkout in the last minute': {
    markup: checkout,
    script: () => dueSoon(59_000),
    reach: afterBank('1 dakikadan az kaldı'),
  },
  'a checkout with a link to the bank’s app': {
    markup: checkout,
    screen: 'phone',
    script: {banks: BANKS_WITH_APPS},
    reach: afterBank('uygulamasını aç'),
  },
  'a checkout whose bank is no longer listed': {
    markup: checkout,
    script: {code: orderCode({account: null})},
    reach: afterBank('artık listede değil'),
  },
  'a checkout with an order code on a device that stores nothing': {
    markup: checkout,
    prepare: blockStorage,
    reach: afterBank('kodu saklayamıyor'),
  },
  'a checkout with an order code on a device that goes offline': {
    markup: checkout,
    prepare: goOffline,
    reach: async (element, worker) => {
      await afterBank('İnternet bağlantınız yok')(element);
      await until('the socket', async () => (await worker.sockets()) === 1);
      await worker.script({sockets: 'refused', faults: {payment: reset}});
      await worker.dropSockets();
      await until('the request that fails', async () => (await worker.calls('payment')).length > 0);
    },
  },
  'a checkout with an order code whose session has ended': {
    markup: checkout,
    reach: async (element, worker) => {
      await afterBank('Ödemenizi bekliyoruz')(element);
      await endSession(element, worker);
    },
  },
  'a checkout that is partly paid and whose session has ended': {
    markup: checkout,
    script: {payment: PAYMENTS.partial},
    reach: async (element, worker) => {
      await afterBank('Kalan tutar')(element);
      await endSession(element, worker);
    },
  },
  'a checkout whose session has ended after the money was sent': {
    markup: checkout,
    script: {code: orderCode({seller: SELLER})},
    reach: async (element, worker) => {
      await afterBank('Ödeme bilgileri', 'Parayı gönderdim')(element);
      await until('the socket', async () => (await worker.sockets()) === 1);
      await worker.script({token: 'another', sockets: 'refused'});
      await worker.dropSockets();
      await untilText(element, 'Satıcıyla iletişime geç');
    },
  },
  'a checkout that is partly paid': withPayment(PAYMENTS.partial, 'Kalan tutar'),
  'a checkout whose shopper has sent the money': {
    markup: checkout,
    reach: afterBank('Ödeme bilgileri', 'Parayı gönderdim'),
  },
  'a checkout whose shopper has sent the money and looks at the details': {
    markup: checkout,
    reach: async (element) => {
      await afterBank('Ödeme bilgileri', 'Parayı gönderdim')(element);
      await clickOn(element, 'summary');
    },
  },
  'a checkout whose shopper has forgotten the code': {
    markup: checkout,
    reach: afterBank('Ödememi bildir', 'Kodu yazmayı unuttum'),
  },
};

/** The states of a payment notice in a checkout, and the states at the end of a payment. */
const LATER_STEPS: States = {
  'a checkout with a payment notice that was not submitted': withPayment(
    {...PAYMENTS.waiting, notice: {...NOTICE, sent: false}},
    'Bildirimi tamamla',
  ),
  'a checkout that checks a payment notice': {
    markup: checkout,
    script: {payment: {...PAYMENTS.waiting, notice: {...NOTICE, sent: false}}},
    prepare: () => returnFrom('notice', 'done'),
    reach: afterBank('Bildiriminizi kontrol ediyoruz'),
  },
  'a checkout with a payment notice that was sent': withPayment(
    {...PAYMENTS.waiting, notice: {...NOTICE, sent: true}},
    'Ödemenizi arıyoruz',
  ),
  'a checkout of an expired order with a payment notice that was sent': withPayment(
    {...PAYMENTS.expired, notice: {...NOTICE, sent: true}},
    'Ödemenizi arıyoruz',
  ),
  'a checkout of an expired order': withPayment(PAYMENTS.expired, 'Ödeme bilgileri'),
  'a checkout of an expired order, with a session from the shop': {
    ...withPayment(PAYMENTS.expired, '', checkoutOfSession),
    // The page knows the order at once, and asks for no bank.
    reach: showsText('Ödeme bilgileri'),
  },
  'a checkout of an expired order whose money is sent': {
    markup: checkout,
    script: {code: orderCode({seller: SELLER})},
    reach: async (element, worker) => {
      await afterBank('yeniden göndermeyin', 'Parayı gönderdim')(element);
      await worker.send(PAYMENTS.expired);
      await untilText(element, 'Satıcıyla iletişime geç');
    },
  },
  'a checkout with money that could not be matched': withPayment(PAYMENTS.unclear, 'Satıcıyla iletişime geç'),
  'a checkout that is paid': withPayment(PAYMENTS.paid, 'Ödemeniz alındı'),
  'a checkout that is partly paid and whose time is over': withPayment(PAYMENTS.over, 'satıcıya sorun'),
  'a checkout whose refund is on its way': withPayment(PAYMENTS.refunding, 'İadeniz yolda'),
  'a checkout whose money has just arrived': {
    markup: checkout,
    reach: async (element, worker) => {
      await afterBank('Ödeme bilgileri', 'Parayı gönderdim')(element);
      await worker.send(PAYMENTS.paid);
      await untilText(element, 'Ödemeniz alındı');
    },
  },
  'a checkout that is paid late': withPayment(PAYMENTS.late, 'süre dolduktan sonra'),
  'a checkout that is paid twice': withPayment(PAYMENTS.twice, 'iki kez'),
  'a checkout that is overpaid': withPayment(PAYMENTS.overpaid, 'Ödemeniz fazla geldi'),
  'a checkout of a completed order': withPayment(PAYMENTS.completed, 'onaylandı'),
  'a checkout of a refunded order': withPayment(PAYMENTS.refunded, 'iade edildi'),
  'a checkout whose money waits for approval': withPayment(PAYMENTS.pending, 'Bir ödeme geldi'),
  'a checkout of a cancelled order': withPayment(PAYMENTS.cancelled, 'iptal edildi'),
};

/** The states in which the shopper prints the page. */
const ON_PAPER: States = {
  'a checkout with an order code, on paper': printed({markup: checkout, reach: afterBank('Ödemenizi bekliyoruz')}),
  'a checkout that is paid, on paper': printed(withPayment(PAYMENTS.paid, 'Fener')),
};

export const CHECKOUT_STATES: States = {...BANK_STEP, ...PAY_STEP, ...LATER_STEPS, ...ON_PAPER};
