/** What tests tell the stubbed Worker. */

import type {
  BankList,
  Handoff,
  HandoffPreview,
  OrderCode,
  Payment,
  RedeemedSession,
  NewPaymentSession,
  CreatedPaymentNotice,
  HostedPayment,
  NoticePrefill,
  PaymentPage,
  VendorForm,
} from '../../../worker/contract/browser/answers.ts';
import type {
  ShownNumber,
  PinSent,
  Subscription,
  SubscriptionTerms,
} from '../../../worker/contract/browser/subscription-answers.ts';
import type {ErrorCode} from '../../../worker/contract/codes.ts';

export const OPERATIONS = {
  session: 'POST /v1/sessions',
  banks: 'GET /v1/banks',
  code: 'POST /v1/order-code',
  payment: 'GET /v1/payment',
  handoff: 'POST /v1/handoffs',
  preview: 'POST /v1/handoffs/preview',
  redeem: 'POST /v1/handoffs/redeem',
  activity: 'POST /v1/activities',
  terms: 'GET /v1/session',
  pin: 'POST /v1/pins',
  subscribe: 'POST /v1/subscriptions',
  number: 'POST /v1/numbers',
  subscription: 'GET /v1/subscription',
  cancel: 'POST /v1/subscription/cancel',
  bankPage: 'POST /v1/hosted-payment',
  paymentPage: 'POST /v1/payment-pages',
  notice: 'POST /v1/payment-notices',
  prefill: 'GET /v1/payment-notices/prefill',
  vendorForm: 'POST /v1/vendor-forms',
} as const;

export type Operation = keyof typeof OPERATIONS;

/** What an operation does instead of answering. */
export type Fault =
  /** Refuses with one of the contract's codes. */
  | {readonly kind: 'problem'; readonly code: ErrorCode; readonly retryAfter?: number}
  /** Answers 200 with what is not JSON. */
  | {readonly kind: 'garbled'}
  /** Answers 200 with JSON of another contract. */
  | {readonly kind: 'strange'}
  /** Answers 502 with a page of a proxy between. */
  | {readonly kind: 'html'}
  /** Ends the connection without an answer. */
  | {readonly kind: 'reset'}
  /** Says nothing until the test releases it. */
  | {readonly kind: 'held'};

/** How the stubbed Worker behaves; a test changes what it needs. */
export interface Script {
  readonly session: NewPaymentSession;
  readonly banks: BankList;
  readonly code: OrderCode;
  readonly payment: Payment;
  readonly handoff: Handoff;
  readonly preview: HandoffPreview;
  readonly redeemed: RedeemedSession;
  readonly terms: SubscriptionTerms;
  readonly pin: PinSent;
  readonly number: ShownNumber;
  readonly subscription: Subscription;
  readonly bankPage: HostedPayment;
  readonly paymentPage: PaymentPage;
  readonly notice: CreatedPaymentNotice;
  readonly prefill: NoticePrefill;
  readonly vendorForm: VendorForm;
  /** Answers 401 to every other token. */
  readonly token: string | null;
  /** Whether sockets open, are refused, or open and say nothing. */
  readonly sockets: 'open' | 'refused' | 'silent';
  /** Whether an open socket answers a ping. */
  readonly pong: boolean;
  /** Whether the page may read what is answered; its files anybody may. */
  readonly isAllowed: boolean;
  /** Part of the names of files that never come. */
  readonly missing: string | null;
  /** By operation. */
  readonly faults: {readonly [name in Operation]?: Fault | undefined};
}

/** A request the Worker got, as a test looks at it. */
export interface Call {
  readonly operation: Operation | 'live' | 'unknown';
  readonly authorization: string | null;
  readonly body: unknown;
}
