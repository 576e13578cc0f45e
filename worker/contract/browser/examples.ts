/** Example requests and answers of the browser API, for its description. */

import type {BrowserEndpointName} from './endpoints.ts';

interface Example {
  /** Fields of the body or parameters of the path. */
  readonly input?: object;
  /** Absent when the answer is not JSON. */
  readonly answer?: object;
}

const order = 'V2K7M4Q9';
const title = {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'};
const token = 'eyJhbGciOiJIUzI1NiJ9…';
const money = {amount: '50.00', currency: 'TRY'};
const price = {amount: '149.90', currency: 'TRY'};
const at = '2026-11-21T15:42:00+03:00';
const inTenMinutes = '2026-11-21T15:52:00+03:00';
const inHalfAnHour = '2026-11-21T16:12:00+03:00';
const inAWeek = '2026-11-28T15:42:00+03:00';
const handoff = {code: 'V2K7M4Q9.9fJ3kT0aW7', offer: 'gold'};
const phone = {operator: 1, msisdn: '0532 123 45 67', tracking_id: 't-81c4'};
const session = {
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
const bank = {
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
const orderCode = {
  order_code: '881200450017',
  order,
  ...price,
  pay_until: '2026-11-24T15:42:00+03:00',
  account: bank,
};
const subscription = {
  id: '4001',
  state: 'active',
  msisdn: '532*****67',
  operator: 1,
  price: '12.00',
  period: 'weekly',
  trial_days: null,
  subscribed_at: '2026-11-14T15:42:00+03:00',
  renews_at: '2026-11-28T15:42:00+03:00',
  cancelled_at: null,
};

export const browserExamples: Readonly<Record<BrowserEndpointName, Example>> = {
  openSession: {input: {offer: 'gold'}, answer: session},
  showSession: {
    answer: {
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
    },
  },
  showBanks: {
    answer: {
      banks: [bank],
      stale: false,
      arrival: {same_bank: {tr: 'Birkaç dakika içinde', en: 'Within minutes'}, other_bank: null},
    },
  },
  showBankLogo: {input: {id: '6'}},
  openOrderCode: {input: {bank: 'garanti'}, answer: orderCode},
  showPayment: {
    answer: {
      order: orderCode.order,
      order_code: orderCode.order_code,
      state: 'partial',
      amount: '149.90',
      currency: 'TRY',
      paid: '100.00',
      refunded: '0.00',
      refunding: '0.00',
      remaining: '49.90',
      late: false,
      overdue: false,
      unclear: false,
      notice: null,
      transactions: [{id: '77001', amount: '100.00', currency: 'TRY', bank: 'Garanti BBVA', at}],
      handed_over_at: null,
      revision: 1795262400000,
      as_of: inTenMinutes,
    },
  },
  watchPayment: {},
  createHandoff: {input: {}, answer: {code: handoff.code, expires_at: inTenMinutes}},
  previewHandoff: {input: handoff, answer: {title, ...price}},
  redeemHandoff: {
    input: {...handoff, attempt: 'b3c1f0de'},
    answer: {token, kind: 'payment', order, title, ...price, read_until: inAWeek},
  },
  openVendorForm: {
    input: {},
    answer: {
      url: 'https://pay.platform.example/vendor/4c1e',
      nonce: '7F3K2M9Q4X8V1C5B6N0W2R7T3Y',
      sandbox: 'allow-forms allow-scripts allow-same-origin',
    },
  },
  returnVendor: {},
  recordActivity: {
    input: {offer: 'club', type: 'visit', tracking_id: 't-81c4', url: 'https://shop.example/club', referer: '-'},
    answer: {},
  },
  createHostedPayment: {
    input: {redirect_url: 'https://shop.example/thanks', back_url: 'https://shop.example/pay'},
    answer: {
      order_code: '881200450017',
      url: 'https://pay.platform.example/phs/banks/881200450017?redirect=https%3A%2F%2Fshop.example%2Fthanks',
    },
  },
  openPaymentNotice: {
    input: {
      bank: 'garanti',
      amount: '149.90',
      notice: {name: 'Deniz Örnek', phone: '5321234567', apply_time: at, description: 'Lamba'},
      redirect_url: 'https://shop.example/thanks',
    },
    answer: {
      notice_code: 'N-501',
      url: 'https://pay.platform.example/phs/yonlendir/N-501?redirect=https%3A%2F%2Fshop.example%2Fthanks',
    },
  },
  showNoticePrefill: {
    answer: {order, amount: '149.90', name: 'Deniz Örnek', email: null, phone: null, description: null},
  },
  openPaymentPage: {
    input: {success_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/pay', language: 'tr'},
    answer: {url: 'https://pay.platform.example/t/4c1e', expires_at: inHalfAnHour},
  },
  previewRefund: {
    input: {link: 'Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N'},
    answer: {state: 'open', ...money, expires_at: inAWeek, title},
  },
  sendRefundContact: {
    input: {link: 'Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N', name: 'Deniz Örnek', iban: 'TR33 0006 1005 1978 6457 8413 26'},
    answer: {state: 'sent', ...money, expires_at: inAWeek, title},
  },
  sendPin: {input: phone, answer: {expires_at: inTenMinutes, resend_at: '2026-11-21T15:43:00+03:00', as_of: at}},
  createSubscription: {input: {...phone, pin: '4821'}, answer: {state: 'subscribed'}},
  showNumber: {input: {number_token: '4417'}, answer: {msisdn: '532*****67', operator: 1}},
  showSubscription: {answer: {subscription}},
  endSubscription: {
    input: {},
    answer: {subscription: {...subscription, state: 'cancelled', renews_at: null, cancelled_at: at}},
  },
};
