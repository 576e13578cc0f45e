/** The default answers of the stub Worker, which validates every answer with the contract's schemas. */

import type * as answer from '../../../worker/contract/browser/answers.ts';
import type {
  ShownNumber,
  PinSent,
  Subscription,
  SubscriptionTerms,
} from '../../../worker/contract/browser/subscription-answers.ts';
import type {BuyerForm} from '../../../worker/contract/buyer.ts';

const AT = '2026-11-21T15:42:00+03:00';
/** A time that is never over while the tests run, because pages compare it with the current time. */
const CREATE_UNTIL = '2099-01-01T00:00:00+03:00';
const UNTIL = '2026-11-24T15:42:00+03:00';

const ARRIVAL = {
  same_bank: {
    tr: 'Aynı bankadan ya da FAST ile gönderdiğiniz para hemen ulaşır.',
    en: 'Transfers from the same bank or by FAST arrive instantly.',
  },
  other_bank: {tr: 'EFT ile gönderdiğiniz para bugün ulaşır.', en: 'EFT transfers arrive today.'},
};

export function bank(code: string, name: string, change: Partial<answer.Bank> = {}): answer.Bank {
  return {
    id: code,
    code,
    name,
    account_holder: 'Örnek Ödeme Kuruluşu A.Ş.',
    iban: 'TR330006100519786457841326',
    branch_no: '519',
    account_no: '6457841326',
    currency: 'TRY',
    logo: null,
    bank_no: '61',
    updated_at: AT,
    ...change,
  };
}

export const FEW_BANKS: readonly answer.Bank[] = [
  bank('cinar', 'Çınar Bankası'),
  bank('marmara', 'Marmara Bankası', {iban: 'TR460001500158007299283748', account_holder: 'Örnek Ödeme A.Ş.'}),
  bank('toros', 'Toros Bank'),
  bank('yayla', 'Yayla Katılım'),
];

export const MANY_BANKS: readonly answer.Bank[] = [
  ...FEW_BANKS,
  bank('isik', 'Türkiye Işık Bankası'),
  bank('is', 'Anadolu İş Bankası'),
  bank('guvence', 'Güvence BBVA'),
  bank('garanti', 'GARANTİLİ Şehir Bankası'),
  bank('deniz', 'Deniz ve Göl Bankası'),
];

/** The token says, as the Worker's, for which order its session is. */
export function session(change: Partial<answer.NewPaymentSession> = {}): answer.NewPaymentSession {
  const {order = 'P-1009'} = change;
  return {
    token: `header.${btoa(JSON.stringify({order})).replaceAll('=', '')}.signature-one`,
    kind: 'payment',
    order,
    title: {tr: 'Ahşap masa lambası', en: 'Wooden desk lamp'},
    amount: '149.90',
    currency: 'TRY',
    create_until: CREATE_UNTIL,
    read_until: AT,
    hours: 72,
    human_check: null,
    ...change,
  };
}

/** An order code. Without an account, the stub adds the account of the bank in the request. */
export type ScriptedCode = Omit<answer.OrderCode, 'account'> & Partial<Pick<answer.OrderCode, 'account'>>;

export function orderCode(change: Partial<answer.OrderCode> = {}): ScriptedCode {
  return {order_code: '881200450017', order: 'P-1009', amount: '149.90', currency: 'TRY', pay_until: UNTIL, ...change};
}

export function handoff(change: Partial<answer.Handoff> = {}): answer.Handoff {
  return {code: 'x7+f/DEMO/P-1009 ü', expires_at: AT, ...change};
}

export function preview(change: Partial<answer.HandoffPreview> = {}): answer.HandoffPreview {
  const {title, amount} = session();
  return {title, amount, currency: 'TRY', ...change};
}

export function redeemed(change: Partial<answer.RedeemedSession> = {}): answer.RedeemedSession {
  const {order, title, amount} = session();
  return {
    token: 'brought.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one',
    kind: 'payment',
    order,
    title,
    amount,
    currency: 'TRY',
    read_until: AT,
    ...change,
  };
}

export function transaction(amount: string, change: Partial<answer.Transaction> = {}): answer.Transaction {
  return {id: `t-${amount}`, amount, currency: 'TRY', bank: 'Çınar Bankası', at: AT, ...change};
}

const UNPAID = {
  order: 'P-1009',
  order_code: '881200450017',
  amount: '149.90',
  currency: 'TRY',
  refunded: '0.00',
  refunding: '0.00',
  late: false,
  overdue: false,
  unclear: false,
  notice: null,
  handed_over_at: null,
  revision: 1,
  as_of: AT,
} as const;

/** One payment for each state, and payments for special cases. */
export const PAYMENTS = {
  waiting: {...UNPAID, state: 'waiting', paid: '0.00', remaining: '149.90', transactions: []},
  partial: {...UNPAID, state: 'partial', paid: '100.00', remaining: '49.90', transactions: [transaction('100.00')]},
  over: {
    ...UNPAID,
    state: 'partial',
    overdue: true,
    paid: '100.00',
    remaining: '49.90',
    transactions: [transaction('100.00')],
  },
  paid: {...UNPAID, state: 'paid', paid: '149.90', remaining: '0.00', transactions: [transaction('149.90')]},
  late: {
    ...UNPAID,
    state: 'paid',
    late: true,
    paid: '149.90',
    remaining: '0.00',
    transactions: [transaction('149.90')],
  },
  overpaid: {
    ...UNPAID,
    state: 'overpaid',
    paid: '200.00',
    remaining: '0.00',
    transactions: [transaction('150.00'), transaction('50.00', {id: 't-2', bank: 'Toros Bank'})],
  },
  twice: {
    ...UNPAID,
    state: 'overpaid',
    paid: '299.80',
    remaining: '0.00',
    transactions: [transaction('149.90'), transaction('149.90', {id: 't-2', bank: 'Toros Bank'})],
  },
  completed: {...UNPAID, state: 'completed', paid: '149.90', remaining: '0.00', transactions: [transaction('149.90')]},
  refunding: {
    ...UNPAID,
    state: 'paid',
    paid: '149.90',
    refunding: '149.90',
    remaining: '0.00',
    transactions: [transaction('149.90')],
  },
  refunded: {
    ...UNPAID,
    state: 'refunded',
    paid: '0.00',
    refunded: '149.90',
    remaining: '0.00',
    transactions: [],
  },
  unclear: {
    ...UNPAID,
    state: 'waiting',
    paid: '0.00',
    remaining: '149.90',
    unclear: true,
    transactions: [transaction('149.90', {currency: 'USD'})],
  },
  pending: {
    ...UNPAID,
    state: 'pending',
    paid: '0.00',
    remaining: '0.00',
    unclear: true,
    transactions: [transaction('149.90')],
  },
  cancelled: {...UNPAID, state: 'cancelled', paid: '0.00', remaining: '149.90', transactions: []},
  expired: {...UNPAID, state: 'expired', paid: '0.00', remaining: '149.90', transactions: []},
} as const satisfies Record<string, answer.Payment>;

export function bankList(banks: readonly answer.Bank[] = FEW_BANKS, stale = false): answer.BankList {
  return {banks: [...banks], stale, arrival: ARRIVAL};
}

export function terms(change: Partial<SubscriptionTerms> = {}): SubscriptionTerms {
  return {
    kind: 'subscription',
    title: {tr: 'Kulüp üyeliği', en: 'Club membership'},
    terms: {
      tr: 'Üyeler yeni ürünleri iki gün önceden görür.',
      en: 'Members see new products two days early.',
    },
    terms_url: 'https://shop.example/terms',
    privacy_url: 'https://shop.example/privacy',
    manage_url: 'https://shop.example/account',
    price: '12.00',
    currency: 'TRY',
    period: 'weekly',
    operators: [
      {id: 1, name: 'Telemavi'},
      {id: 4, name: 'Kuzeycell'},
    ],
    create_until: AT,
    human_check: null,
    one_click: true,
    ...change,
  };
}

/**
 * The answer to a PIN request that is sent now.
 * @param skewMs - How far the Worker's clock is ahead of the device's.
 */
export function pinSent({expiresInMs = 600_000, resendInMs = 60_000, skewMs = 0} = {}): PinSent {
  const at = (ms: number) => `${new Date(Date.now() + skewMs + ms + 3 * 3_600_000).toISOString().slice(0, 19)}+03:00`;
  return {expires_at: at(expiresInMs), resend_at: at(resendInMs), as_of: at(0)};
}

export const KNOWN_NUMBER: ShownNumber = {msisdn: '532*****67', operator: 4};

/** The start of a weekly subscription two days ago, to the minute, and its next payment. */
export const STARTED = daysFromNow(-2);
export const RENEWAL = daysFromNow(5);

function daysFromNow(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16)}:00Z`;
}

export function subscription(change: Partial<Subscription> = {}): Subscription {
  return {
    id: '900719925474099312',
    state: 'active',
    msisdn: '532*****67',
    operator: 4,
    price: '12.00',
    period: 'weekly',
    trial_days: null,
    subscribed_at: STARTED,
    renews_at: RENEWAL,
    cancelled_at: null,
    ...change,
  };
}

export const BANK_PAGE: answer.HostedPayment = {
  order_code: '881200450017',
  url: 'https://pay.platform.example/phs/banks/881200450017',
};
export const PAYMENT_PAGE: answer.PaymentPage = {url: 'https://pay.platform.example/page/7f3', expires_at: AT};
export const NOTICE: answer.CreatedPaymentNotice = {
  notice_code: 'N-77',
  url: 'https://pay.platform.example/phs/yonlendir/N-77',
};
export const NO_PREFILL: answer.NoticePrefill = {
  order: 'P-1009',
  amount: '149.90',
  name: null,
  email: null,
  phone: null,
  description: null,
};
export const VENDOR_FORM: answer.VendorForm = {
  url: 'about:blank',
  nonce: '0123456789ABCDEFGHJKMNPQRS',
  sandbox: 'allow-forms allow-scripts',
};

/** A refund link in this state. */
export const refund = (state: answer.ShownRefund['state']): answer.ShownRefund => ({
  state,
  amount: '50.00',
  currency: 'TRY',
  expires_at: '2026-12-12T18:00:00+03:00',
  seller: {name: 'Fener Atölyesi', support_email: 'help@shop.example'},
  title: {tr: 'Seramik lamba', en: 'Ceramic lamp'},
});

/** Asks for everything that a form can have. */
export const BUYER_FORM: BuyerForm = {
  name: 'required',
  email: 'required',
  phone: 'optional',
  address: 'required',
  own: [
    {id: 'engraving', type: 'text', label: {tr: 'Lambaya yazılacak isim', en: 'Name on the lamp'}},
    {
      id: 'color',
      type: 'choice',
      label: {tr: 'Renk', en: 'Color'},
      required: true,
      choices: [
        {value: 'oak', label: {tr: 'Meşe', en: 'Oak'}},
        {value: 'walnut', label: {tr: 'Ceviz', en: 'Walnut'}},
      ],
    },
    {
      id: 'contract',
      type: 'tick',
      label: {tr: 'Ön bilgilendirmeyi okudum, sözleşmeyi kabul ediyorum.', en: 'I have read both, and I agree.'},
      required: true,
      links: [
        {text: {tr: 'Ön bilgilendirme formu', en: 'Preliminary information'}, url: 'https://shop.example/info'},
        {text: {tr: 'Mesafeli satış sözleşmesi', en: 'Distance sales contract'}, url: 'https://shop.example/contract'},
      ],
    },
  ],
  marketing: {tr: 'Kampanyaları e-postayla almak istiyorum.', en: 'Send me offers by e-mail.'},
  privacy_url: 'https://shop.example/privacy',
  terms_url: 'https://shop.example/terms',
  seller: {name: 'Fener Atölyesi'},
  version: '1',
};
