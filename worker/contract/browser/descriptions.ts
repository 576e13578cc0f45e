/** What the description of the browser API says of each endpoint beyond its row. The Worker imports the types only. */

import * as z from 'zod';
import * as answers from './answers.ts';
import type {BrowserEndpointName} from './endpoints.ts';
import * as subscriptionAnswers from './subscription-answers.ts';

export interface BrowserDescription {
  readonly summary: string;
  /** The segments that the path names. */
  readonly segments?: z.ZodObject;
  /** Null where the answer is not JSON. */
  readonly answer: z.ZodType | null;
  /** What it answers with where that is not JSON. */
  readonly media?: string;
}

export const browserDescriptions = {
  openSession: {summary: 'A session from an offer.', answer: subscriptionAnswers.NewSession},
  showSession: {summary: 'What a subscription session is about.', answer: subscriptionAnswers.SubscriptionTerms},
  showBanks: {summary: 'The accounts a shopper may pay into.', answer: answers.BankList},
  showBankLogo: {
    summary: 'A bank’s logo, from the Worker’s own address; `logo` of the list says where.',
    segments: z.strictObject({id: z.string().meta({description: '`id` of the bank.', examples: ['6']})}),
    answer: null,
    media: 'image/*',
  },
  openOrderCode: {
    summary: 'The code of the session’s order; the same one however often it is asked.',
    answer: answers.OrderCode,
  },
  showPayment: {summary: 'Where the payment stands.', answer: answers.Payment},
  watchPayment: {
    summary: 'A WebSocket that sends the payment on open and on every change; offer `["vezne.v1", <session>]`.',
    answer: null,
  },
  createHandoff: {
    summary: 'A code that opens this order on another device, once, within ten minutes.',
    answer: answers.Handoff,
  },
  previewHandoff: {
    summary: 'What a hand-off brings, so that a page can ask before it opens it. It stays good.',
    answer: answers.HandoffPreview,
  },
  redeemHandoff: {summary: 'A session of the same order that only reads.', answer: answers.RedeemedSession},
  openVendorForm: {
    summary: 'The form on which the session’s vendor registers, for a closed frame.',
    answer: answers.VendorForm,
  },
  returnVendor: {
    summary: 'Where that form ends: a page that posts `{type: "vezne-vendor", outcome}` to the page around it.',
    answer: null,
    media: 'text/html',
  },
  recordActivity: {
    summary: 'What the tracker tells of a visit; `text/plain` is taken too. The platform is told afterwards.',
    answer: answers.AcceptedActivity,
  },
  createHostedPayment: {
    summary: 'The order’s code on the platform’s own bank page.',
    answer: answers.HostedPayment,
  },
  openPaymentNotice: {
    summary: 'A transfer whose description had no code; the shopper submits it on the platform’s page.',
    answer: answers.CreatedPaymentNotice,
  },
  showNoticePrefill: {summary: 'What a payment notice begins with.', answer: answers.NoticePrefill},
  openPaymentPage: {
    summary: 'The platform’s common payment page, for what is still to be paid. An order has one open at a time.',
    answer: answers.PaymentPage,
  },
  sendPin: {
    summary: 'Sends a PIN by SMS; the answer is alike for every number.',
    answer: subscriptionAnswers.PinSent,
  },
  createSubscription: {
    summary: 'Subscribes a number with its PIN, or one-click with a number token.',
    answer: subscriptionAnswers.Subscribed,
  },
  showNumber: {summary: 'The masked number a token stands for.', answer: subscriptionAnswers.ShownNumber},
  showSubscription: {
    summary: 'The subscription of a management session.',
    answer: subscriptionAnswers.ShownSubscription,
  },
  endSubscription: {
    summary: 'Ends the subscription of a management session.',
    answer: subscriptionAnswers.ShownSubscription,
  },
} satisfies Readonly<Record<BrowserEndpointName, BrowserDescription>>;

type BrowserDescriptions = typeof browserDescriptions;
/** What an endpoint answers in JSON; never where it answers something else. */
export type BrowserAnswer<N extends BrowserEndpointName> = BrowserDescriptions[N]['answer'] extends infer A extends
  z.ZodType
  ? z.output<A>
  : never;
