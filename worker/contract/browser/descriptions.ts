/**
 * What the description of the browser API says about each endpoint beyond its row. The Worker imports only the types.
 */

import * as z from 'zod';
import * as answers from './answers.ts';
import type {BrowserEndpointName} from './endpoints.ts';
import * as subscriptionAnswers from './subscription-answers.ts';

export interface BrowserDescription {
  readonly summary: string;
  /** The path's parameters. */
  readonly segments?: z.ZodObject;
  /** Null when the answer is not JSON. */
  readonly answer: z.ZodType | null;
  /** Media type of an answer that is not JSON. */
  readonly media?: string;
}

export const browserDescriptions = {
  openSession: {summary: 'Creates a session from an offer.', answer: subscriptionAnswers.NewSession},
  showSession: {summary: 'Gets the terms of a subscription session.', answer: subscriptionAnswers.SubscriptionTerms},
  showBanks: {summary: 'Lists the bank accounts that a shopper may pay into.', answer: answers.BankList},
  showBankLogo: {
    summary: 'Gets a bank’s logo; `logo` in the bank list is its path.',
    segments: z.strictObject({id: z.string().meta({description: '`id` of the bank.', examples: ['6']})}),
    answer: null,
    media: 'image/*',
  },
  openOrderCode: {
    summary: 'Creates the code of the session’s order. Repeated requests return the same code.',
    answer: answers.OrderCode,
  },
  showPayment: {summary: 'Gets the state of the payment.', answer: answers.Payment},
  watchPayment: {
    summary:
      'A WebSocket that sends the payment when it opens and at every change. Connect with the protocols ' +
      '`["vezne.v1", <session>]`.',
    answer: null,
  },
  createHandoff: {
    summary: 'Creates a code that opens this order on another device, once, within ten minutes.',
    answer: answers.Handoff,
  },
  previewHandoff: {
    summary:
      'Gets the order behind a hand-off, so that a page can ask the shopper first. Does not use up the hand-off.',
    answer: answers.HandoffPreview,
  },
  redeemHandoff: {summary: 'Creates a read-only session for the same order.', answer: answers.RedeemedSession},
  openVendorForm: {
    summary: 'Creates the form on which the session’s vendor registers, for a sandboxed frame.',
    answer: answers.VendorForm,
  },
  returnVendor: {
    summary:
      'The return page of the vendor form. It posts `{type: "vezne-vendor", outcome, nonce}` to the page that ' +
      'frames or opened it.',
    answer: null,
    media: 'text/html',
  },
  recordActivity: {
    summary:
      'Records a visit or a click. Accepts JSON as `text/plain` too. The Worker reports it to the platform afterwards.',
    answer: answers.AcceptedActivity,
  },
  createHostedPayment: {
    summary: 'Creates the order’s code, for the platform’s own bank page.',
    answer: answers.HostedPayment,
  },
  openPaymentNotice: {
    summary:
      'Creates a payment notice about a transfer whose description had no code. The shopper submits it on the ' +
      'platform’s page.',
    answer: answers.CreatedPaymentNotice,
  },
  showNoticePrefill: {summary: 'Gets values to prefill a payment notice with.', answer: answers.NoticePrefill},
  openPaymentPage: {
    summary:
      'Opens the platform’s payment page for the amount still to be paid. An order has one open payment page at a ' +
      'time.',
    answer: answers.PaymentPage,
  },
  sendPin: {
    summary: 'Sends a PIN by SMS. The answer is the same for every number.',
    answer: subscriptionAnswers.PinSent,
  },
  createSubscription: {
    summary: 'Subscribes a number with its PIN, or with one click and a number token.',
    answer: subscriptionAnswers.Subscribed,
  },
  showNumber: {summary: 'Gets the masked number behind a number token.', answer: subscriptionAnswers.ShownNumber},
  showSubscription: {
    summary: 'Gets the subscription of a management session.',
    answer: subscriptionAnswers.ShownSubscription,
  },
  endSubscription: {
    summary: 'Cancels the subscription of a management session.',
    answer: subscriptionAnswers.ShownSubscription,
  },
} satisfies Readonly<Record<BrowserEndpointName, BrowserDescription>>;

type BrowserDescriptions = typeof browserDescriptions;
/** An endpoint's answer; `never` when the answer is not JSON. */
export type BrowserAnswer<N extends BrowserEndpointName> = BrowserDescriptions[N]['answer'] extends infer A extends
  z.ZodType
  ? z.output<A>
  : never;
