/** The states of `vezne-pay-button`. */

import type {Payment} from '../../../../worker/contract/browser/answers.ts';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import {PAYMENTS, orderCode, transaction} from '../../stub-worker/answers.ts';
import {untilText} from '../page.ts';
import {press} from '../shopper.ts';
import type {TestWorker} from '../test-worker.ts';
import {SELLER, held, refused, returnFrom, showsSkeleton, showsText, type State, type States} from './state.ts';

const payButton = '<vezne-pay-button offer="gold" lang="tr"></vezne-pay-button>';
const mobileButton = payButton.replace(' offer', ' via="payment-page" offer');

const BILL = {bank: null};
const TWICE_ON_THE_BILL: Payment = {
  ...PAYMENTS.twice,
  order_code: null,
  transactions: [transaction('149.90', BILL), transaction('149.90', {...BILL, id: 't-2'})],
};

const refusal = (code: ErrorCode, expected: string, markup = payButton): State => ({
  markup,
  script: {faults: {bankPage: refused(code, {retryAfter: code === 'rate_limited' ? 30 : 0})}},
  reach: async (element) => {
    await press(element, 'Havale / EFT / FAST ile');
    await untilText(element, expected);
  },
});
const returned = (payment: Payment, expected: string, outcome = 'done'): State => ({
  markup: payButton,
  script: {payment},
  prepare: () => returnFrom('bank-page', outcome),
  reach: showsText(expected),
});
const twoButtons = `<div lang="tr" style="background: canvas">${[payButton, mobileButton].map((each) => each.replace(' lang="tr"', '')).join('')}</div>`;
/** Makes the tab remember that the shopper has left for the payment page, or has paid there. */
const otherwise =
  (outcome: 'away' | 'success') =>
  ({address}: TestWorker): void => {
    sessionStorage[`vezne payment-page ${address} gold`] = outcome;
  };

export const PAY_BUTTON_STATES: States = {
  'a pay button': {markup: payButton, reach: showsText('Havale / EFT / FAST ile ₺149,90 öde')},
  'a pay button for the payment page': {markup: mobileButton, reach: showsText('Telefon faturasıyla ₺149,90 öde')},
  'a pay button that opens the bank page': {
    markup: payButton,
    script: {faults: {bankPage: held}},
    reach: async (element) => {
      await press(element, 'Havale / EFT / FAST ile');
      await untilText(element, 'Ödeme sayfası açılıyor');
    },
  },
  'a pay button that failed': refusal('temporarily_unavailable', 'yanıt vermiyor'),
  'a pay button that is rate limited': refusal('rate_limited', 'Lütfen biraz bekleyin'),
  'a pay button that is refused': refusal('platform_refused', 'Hata kodu'),
  'a pay button of a Worker that is misconfigured': refusal('misconfigured', 'Hata kodu'),
  'a pay button of an order that is paid already': {
    markup: payButton,
    script: {faults: {bankPage: refused('order_paid')}},
    reach: async (element, worker) => {
      await untilText(element, 'Havale / EFT / FAST ile');
      await worker.script({payment: PAYMENTS.paid});
      await press(element, 'Havale / EFT / FAST ile');
      await untilText(element, 'Ödemeniz alındı');
    },
  },
  'a pay button whose session has ended': refusal('session_expired', 'Sayfanın süresi doldu'),
  'a pay button with an ended session from the shop': refusal(
    'session_expired',
    'Sayfanın süresi doldu',
    payButton.replace('offer="gold"', 'session="shop-session"'),
  ),
  'a pay button whose order the bank page does not know': refusal('bank_page_unavailable', 'Çınar'),
  'a pay button after the shopper returned, while the payment is loading': {
    markup: payButton,
    script: {faults: {payment: held}, sockets: 'silent'},
    prepare: () => returnFrom('bank-page', 'done'),
    reach: showsSkeleton,
  },
  'a pay button after the shopper returned from the bank page': returned(
    PAYMENTS.waiting,
    'ödemenizi kontrol ediyoruz',
  ),
  'a pay button after the shopper returned from the bank page without paying': returned(
    PAYMENTS.waiting,
    'Banka sayfasını yeniden aç',
    'back',
  ),
  'a pay button after the shopper paid a part': returned(PAYMENTS.partial, '₺49,90 kaldı'),
  'a pay button after the shopper paid too much': returned(PAYMENTS.overpaid, 'Ödemeniz fazla geldi'),
  'a pay button with money that could not be matched': returned(PAYMENTS.unclear, 'Türk lirası olarak gelmedi'),
  'a pay button of an expired order': returned(PAYMENTS.expired, 'Ödeme süresi doldu'),
  'a pay button after the shopper paid on the payment page and returned': {
    markup: mobileButton,
    script: {payment: {...PAYMENTS.paid, transactions: [transaction('149.90', {bank: null})]}},
    prepare: () => returnFrom('payment-page', 'success'),
    reach: showsText('Ödemeniz alındı'),
  },
  'a pay button after the payment page failed': {
    markup: mobileButton,
    prepare: () => returnFrom('payment-page', 'failure'),
    reach: showsText('Telefon faturası sayfasını yeniden aç'),
  },
  'a pay button of an order that was paid twice on the phone bill': {
    markup: mobileButton,
    script: {payment: TWICE_ON_THE_BILL, code: orderCode({seller: SELLER})},
    prepare: () => returnFrom('payment-page', 'success'),
    reach: showsText('Satıcıyla iletişime geç'),
  },
  'two pay buttons after the shopper paid with one of them': {
    markup: twoButtons,
    prepare: otherwise('success'),
    reach: showsText('yeniden ödemeyin'),
  },
  'two pay buttons after the shopper came back with Back': {
    markup: twoButtons,
    prepare: otherwise('away'),
    reach: showsText('Ödemedim, havaleyle öderim'),
  },
  'two pay buttons of an order that is paid': {
    markup: twoButtons,
    script: {payment: PAYMENTS.paid},
    prepare: () => returnFrom('payment-page', 'success'),
    reach: showsText('Teşekkürler'),
  },
};
