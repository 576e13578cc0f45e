/**
 * What the description of the browser API says about each endpoint in addition to the endpoint's row in `endpoints.ts`.
 * The Worker imports only the types.
 */

import * as z from 'zod/mini';
import type {ErrorCode} from '../codes.ts';
import * as answers from './answers.ts';
import type {BrowserEndpointName} from './endpoints.ts';
import * as subscriptionAnswers from './subscription-answers.ts';

/** Error codes of endpoints that may create an order code for an offer. */
const orderCodeErrors = [
  'buyer_required',
  'human_check_required',
  'human_check_failed',
  'amount_invalid',
  'order_exists',
] as const;
const platformErrors = ['platform_refused', 'rate_limited', 'temporarily_unavailable'] as const;

export interface BrowserDescription {
  readonly summary: string;
  /** The path's parameters. */
  readonly segments?: z.ZodMiniObject;
  /** Null when the answer is not JSON. */
  readonly answer: z.ZodMiniType | null;
  /** Media type of an answer that is not JSON. */
  readonly media?: string;
  /** Possible error codes, except those that follow from the row's `access`, `session`, `limit` and `input`. */
  readonly codes: readonly ErrorCode[];
}

export const browserDescriptions = {
  openSession: {
    summary: 'Creates a session from an offer. JSON may also be sent as `text/plain`, which needs no preflight.',
    answer: subscriptionAnswers.NewSession,
    codes: ['unknown_offer'],
  },
  showSession: {
    summary: 'Gets the terms of a subscription session.',
    answer: subscriptionAnswers.SubscriptionTerms,
    codes: ['unknown_offer'],
  },
  showBanks: {
    summary: 'Lists the bank accounts that a shopper may pay into.',
    answer: answers.BankList,
    codes: ['rate_limited', 'temporarily_unavailable'],
  },
  showBankLogo: {
    summary: 'Gets a bank’s logo. The field `logo` in the bank list is the URL of this request.',
    segments: z.strictObject({id: z.string().check(z.meta({description: '`id` of the bank.', examples: ['6']}))}),
    answer: null,
    media: 'image/*',
    codes: ['not_found', 'rate_limited', 'temporarily_unavailable'],
  },
  openOrderCode: {
    summary:
      'Creates the order code of an order. A request with a session gets the code of the session’s order. A request ' +
      'with an offer also opens the session; repeated with the same `attempt`, it gets the same order, code and ' +
      'session. Without the header `Authorization`, the body may be sent as `text/plain`, which needs no preflight.',
    answer: z.union([answers.PlacedOrder, answers.OrderCode]),
    codes: ['unknown_offer', 'price_changed', ...orderCodeErrors, ...platformErrors],
  },
  showPayment: {summary: 'Gets the state of the payment.', answer: answers.ReadPayment, codes: []},
  watchPayment: {
    summary:
      'Opens a WebSocket that sends the payment immediately and after every change. Connect with the protocols ' +
      '`["vezne.v1", <session>]`.',
    answer: null,
    codes: ['unauthorized', 'session_expired', 'session_kind', 'not_found', 'rate_limited'],
  },
  createHandoff: {
    summary: 'Creates a hand-off code, with which another device can open this order once within ten minutes.',
    answer: answers.Handoff,
    codes: ['not_found'],
  },
  previewHandoff: {
    summary:
      'Gets the order that a hand-off opens, so that a page can ask the shopper before it redeems the hand-off. The ' +
      'preview does not use up the hand-off.',
    answer: answers.HandoffPreview,
    codes: ['handoff_invalid'],
  },
  redeemHandoff: {
    summary: 'Redeems a hand-off: creates a session that reads the same order, and may send a payment notice.',
    answer: answers.RedeemedSession,
    codes: ['handoff_invalid'],
  },
  openVendorForm: {
    summary: 'Creates the form on which the session’s vendor registers. Show the form in a sandboxed frame.',
    answer: answers.VendorForm,
    codes: platformErrors,
  },
  returnVendor: {
    summary:
      'Shows the return page of the vendor form. It posts `{type: "vezne-vendor", outcome, nonce}` to the page that ' +
      'frames it or opened it.',
    answer: null,
    media: 'text/html',
    codes: ['not_found'],
  },
  recordActivity: {
    summary:
      'Records a visit or a click, which the Worker reports to the platform after it has answered. JSON may also be ' +
      'sent as `text/plain`.',
    answer: answers.AcceptedActivity,
    codes: ['unknown_offer', 'temporarily_unavailable'],
  },
  createHostedPayment: {
    summary: 'Creates the order code, and returns the URL of the platform’s bank page that shows it.',
    answer: answers.HostedPayment,
    codes: ['return_url_not_allowed', 'order_paid', 'bank_page_unavailable', ...orderCodeErrors, ...platformErrors],
  },
  openPaymentNotice: {
    summary:
      'Creates a payment notice about a transfer whose description had no order code. The shopper submits the notice ' +
      'on the platform’s page.',
    answer: answers.CreatedPaymentNotice,
    codes: ['return_url_not_allowed', 'bank_invalid', 'unknown_order', ...orderCodeErrors, ...platformErrors],
  },
  showNoticePrefill: {
    summary: 'Gets the values with which a page prefills a payment notice.',
    answer: answers.NoticePrefill,
    codes: [],
  },
  openPaymentPage: {
    summary:
      'Creates a payment page of the platform for the amount still to be paid. An order has at most one open payment ' +
      'page, unless a request has `anew: true`.',
    answer: answers.PaymentPage,
    codes: ['return_url_not_allowed', 'order_paid', ...orderCodeErrors, ...platformErrors],
  },
  previewRefund: {
    summary: 'Gets what a refund link gives back.',
    answer: answers.ShownRefund,
    codes: ['not_found'],
  },
  sendRefundContact: {
    summary:
      'Sends the refund of a refund link to the shopper’s account, once. A repetition with the same name and IBAN gets ' +
      'the outcome.',
    answer: answers.ShownRefund,
    codes: ['not_found', 'temporarily_unavailable'],
  },
  sendPin: {
    summary: 'Sends a PIN by SMS. The answer does not depend on the number.',
    answer: subscriptionAnswers.PinSent,
    codes: [
      'number_invalid',
      'operator_invalid',
      'human_check_required',
      'human_check_failed',
      'landing_not_found',
      'test_mode',
      ...platformErrors,
    ],
  },
  createSubscription: {
    summary: 'Subscribes a number, with the PIN that was sent to it or (one-click) with a number token.',
    answer: subscriptionAnswers.Subscribed,
    codes: [
      'number_invalid',
      'operator_invalid',
      'pin_wrong',
      'pin_expired',
      'pin_blocked',
      'one_click_off',
      'number_token_invalid',
      'not_eligible',
      'already_subscribed',
      'billing_cap_reached',
      'subscription_failed',
      'landing_not_found',
      'test_mode',
      'outcome_unknown',
      ...platformErrors,
    ],
  },
  showNumber: {
    summary: 'Gets the number that a number token stands for, masked.',
    answer: subscriptionAnswers.ShownNumber,
    codes: ['one_click_off', 'number_token_invalid', ...platformErrors],
  },
  showSubscription: {
    summary: 'Gets the subscription of a management session.',
    answer: subscriptionAnswers.ShownSubscription,
    codes: ['subscription_not_found', ...platformErrors],
  },
  endSubscription: {
    summary: 'Cancels the subscription of a management session.',
    answer: subscriptionAnswers.ShownSubscription,
    codes: ['subscription_not_found', 'already_cancelled', 'cannot_cancel', 'outcome_unknown', ...platformErrors],
  },
} satisfies Readonly<Record<BrowserEndpointName, BrowserDescription>>;

type BrowserDescriptions = typeof browserDescriptions;
/** An endpoint's answer; `never` when the answer is not JSON. */
export type BrowserAnswer<N extends BrowserEndpointName> = BrowserDescriptions[N]['answer'] extends infer A extends
  z.ZodMiniType
  ? z.output<A>
  : never;
