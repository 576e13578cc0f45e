/** What a test can set to control the stub Worker. */

import type * as answer from '../../../worker/contract/browser/answers.ts';
import type {
  ShownNumber,
  PinSent,
  Subscription,
  SubscriptionTerms,
} from '../../../worker/contract/browser/subscription-answers.ts';
import type {BuyerForm} from '../../../worker/contract/buyer.ts';
import type {ErrorCode} from '../../../worker/contract/codes.ts';
import type {Seller} from '../../../worker/contract/fields.ts';
import type {ScriptedCode} from './answers.ts';

export const OPERATIONS = {
  session: 'POST /v1/sessions',
  banks: 'GET /v1/banks',
  /** With an offer in the body, which opens the session. */
  order: 'POST /v1/order-code',
  /** With a session. */
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
  refundLink: 'POST /v1/refund-links/preview',
  refundContact: 'POST /v1/refund-contacts',
} as const;

export type Operation = keyof typeof OPERATIONS;

/** How an operation fails. */
export type Fault =
  /** Refuses the request with one of the contract's error codes. */
  | {readonly kind: 'problem'; readonly code: ErrorCode; readonly retryAfter?: number; readonly attemptsLeft?: number}
  /** Responds with 200 and invalid JSON. */
  | {readonly kind: 'garbled'}
  /** Responds with 200 and JSON that has the wrong fields. */
  | {readonly kind: 'strange'}
  /** Responds with 502 and an HTML page, like a proxy in front of the Worker. */
  | {readonly kind: 'html'}
  /** Closes the connection without an answer. */
  | {readonly kind: 'reset'}
  /** Holds the answer back until the test releases it. */
  | {readonly kind: 'held'};

/** How the stub Worker behaves. A test changes only the fields that it needs. */
export interface Script {
  readonly session: answer.NewPaymentSession;
  readonly banks: answer.BankList;
  /** What the order asks for until a request brings it; null if it asks for nothing. */
  readonly buyerForm: BuyerForm | null;
  readonly code: ScriptedCode;
  readonly payment: answer.Payment;
  readonly handoff: answer.Handoff;
  readonly preview: answer.HandoffPreview;
  readonly redeemed: answer.RedeemedSession;
  readonly terms: SubscriptionTerms;
  readonly pin: PinSent;
  readonly number: ShownNumber;
  readonly subscription: Subscription;
  /** The seller in the answers and problems about the subscription. */
  readonly seller: Seller | null;
  readonly bankPage: answer.HostedPayment;
  readonly paymentPage: answer.PaymentPage;
  readonly notice: answer.CreatedPaymentNotice;
  readonly prefill: answer.NoticePrefill;
  readonly vendorForm: answer.VendorForm;
  readonly refundLink: answer.ShownRefund;
  readonly refundContact: answer.ShownRefund;
  /** The only token that the stub accepts. With null, it accepts all tokens. */
  readonly token: string | null;
  /** Whether the stub opens sockets, refuses them, or opens them and sends nothing. */
  readonly sockets: 'open' | 'refused' | 'silent';
  /** Whether the stub answers a ping with a pong. */
  readonly pong: boolean;
  /** Whether the API's answers allow the page's origin (CORS). The built files always allow it. */
  readonly isAllowed: boolean;
  /** Requests for files whose path contains this text get no answer. */
  readonly missing: string | null;
  /** Requests for files whose path contains this text get 404. */
  readonly notFound: string | null;
  /** Whether these requests get 503 instead. */
  readonly isDown: boolean;
  /** Whether `/checkout.js` contains the list of banks. */
  readonly hasPageBanks: boolean;
  /** The amount or price in `/checkout.js` and `/subscribe.js`, if it differs from the current amount or price. */
  readonly pageAmount: string | null;
  /** The digest in the page scripts, if the stub pretends that they belong to another version than the built files. */
  readonly digest: string | null;
  readonly faults: {readonly [name in Operation]?: Fault | undefined};
}

/** A request that the stub Worker has received. */
export interface Call {
  readonly operation: Operation | 'live' | 'pageScript' | 'unknown';
  readonly authorization: string | null;
  readonly body: unknown;
}
