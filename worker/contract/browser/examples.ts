/** Values of fields, of which the rows of the browser API compose their examples. Only the API's description has them. */

import '../described.ts';
import type {Bank, NewPaymentSession, OrderCode, Payment} from './answers.ts';
import type {Subscription, SubscriptionTerms} from './subscription-answers.ts';

export const order = 'V2K7M4Q9';
export const title = {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'};
export const token = 'eyJhbGciOiJIUzI1NiJ9…';
export const price = {amount: '149.90', currency: 'TRY'} as const;
export const at = '2026-11-21T15:42:00+03:00';
export const inTenMinutes = '2026-11-21T15:52:00+03:00';
export const inHalfAnHour = '2026-11-21T16:12:00+03:00';
export const inAWeek = '2026-11-28T15:42:00+03:00';
export const shopPage = 'https://shop.example/pay';
export const thanksPage = 'https://shop.example/thanks';
export const thanksParameter = 'redirect=https%3A%2F%2Fshop.example%2Fthanks';
export const platformPage = 'https://pay.platform.example';
export const buyerName = 'Deniz Örnek';
export const link = 'Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N';
export const handoff = {code: 'V2K7M4Q9.9fJ3kT0aW7', offer: 'gold'};
export const phone = {operator: 1, msisdn: '0532 123 45 67', tracking_id: 't-81c4'};
export const maskedNumber = {msisdn: '532*****67', operator: 1};

export const session: NewPaymentSession = DESCRIBED && {
  token,
  kind: 'payment',
  order,
  title,
  ...price,
  create_until: inHalfAnHour,
  read_until: inAWeek,
  hours: 72,
  human_check: null,
};

export const bank: Bank = {
  id: '6',
  code: 'garanti',
  name: 'Garanti BBVA',
  account_holder: 'Demo A.Ş.',
  iban: 'TR330006200000000000000001',
  branch_no: '0421',
  account_no: '6291001',
  currency: 'TRY',
  logo: 'https://vezne.shop.example/v1/banks/6/logo',
  bank_no: '62',
  updated_at: at,
};

export const arrival = {same_bank: {tr: 'Birkaç dakika içinde', en: 'Within minutes'}, other_bank: null};

export const orderCode: OrderCode = DESCRIBED && {
  order_code: '881200450017',
  order,
  ...price,
  pay_until: '2026-11-24T15:42:00+03:00',
  account: bank,
};

export const payment: Payment = DESCRIBED && {
  order,
  order_code: orderCode.order_code,
  state: 'partial',
  ...price,
  paid: '100.00',
  refunded: '0.00',
  refunding: '0.00',
  remaining: '49.90',
  late: false,
  overdue: false,
  unclear: false,
  notice: null,
  transactions: [{id: '77001', amount: '100.00', currency: 'TRY', bank: bank.name, at}],
  handed_over_at: null,
  revision: 1795262400000,
  as_of: inTenMinutes,
};

export const refund = {amount: '50.00', currency: 'TRY', expires_at: inAWeek, title} as const;

export const terms: SubscriptionTerms = {
  kind: 'subscription',
  title: {tr: 'Kulüp', en: 'The club'},
  terms: {tr: 'Haftada 12,00 TL.', en: '12.00 TRY a week.'},
  price: '12.00',
  currency: 'TRY',
  period: 'weekly',
  operators: [{id: 1, name: 'Operator'}],
  create_until: inHalfAnHour,
  human_check: null,
  one_click: false,
};

export const subscription: Subscription = DESCRIBED && {
  id: '4001',
  state: 'active',
  ...maskedNumber,
  price: '12.00',
  period: 'weekly',
  trial_days: null,
  subscribed_at: '2026-11-14T15:42:00+03:00',
  renews_at: inAWeek,
  cancelled_at: null,
};
