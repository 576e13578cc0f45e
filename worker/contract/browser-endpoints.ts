/** The browser API as its description tells it. Who may call what is the router's; see `routes/routes.ts`. */
import * as z from 'zod';
import * as browser from './browser.ts';
import * as hosted from './browser-hosted.ts';
import * as requests from './browser-requests.ts';
import * as subscribing from './browser-subscriptions.ts';
import type {ErrorCode} from './codes.ts';

export interface BrowserEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly summary: string;
  /** Whether it carries `Authorization: Bearer <session>`. */
  readonly session: boolean;
  /** Fields named in the path stand there, the others in a JSON body. */
  readonly input: z.ZodType | null;
  readonly answer: z.ZodType | null;
  /** What it answers with where that is not JSON. */
  readonly media?: string;
  readonly status: 101 | 200 | 201 | 202;
  readonly codes: readonly ErrorCode[];
}

const nothing = z.strictObject({});
const ofPages = ['origin_not_allowed'] as const;
const order = [...ofPages, 'unauthorized', 'session_expired', 'session_kind'] as const;
const ofThePlatform = ['platform_refused', 'temporarily_unavailable'] as const;

export const browserEndpoints = {
  openSession: {
    method: 'POST', path: '/v1/sessions', summary: 'A session from an offer.', session: false,
    input: requests.SessionRequest, answer: subscribing.NewSession, status: 201, codes: [...ofPages, 'unknown_offer', 'rate_limited'],
  },
  showSession: {
    method: 'GET', path: '/v1/session', summary: 'What a subscription session is about.', session: true,
    input: null, answer: subscribing.SubscriptionTerms, status: 200, codes: [...order, 'unknown_offer'],
  },
  showBanks: {
    method: 'GET', path: '/v1/banks', summary: 'The accounts a shopper may pay into.', session: false,
    input: null, answer: browser.BankList, status: 200, codes: ['temporarily_unavailable'],
  },
  showBankLogo: {
    method: 'GET', path: '/v1/banks/{id}/logo', summary: 'A bank’s logo, from the Worker’s own address; `logo` of the list says where.', session: false,
    input: z.strictObject({id: z.string().meta({description: '`id` of the bank.', examples: ['6']})}),
    answer: null, media: 'image/*', status: 200, codes: ['not_found', 'temporarily_unavailable'],
  },
  openOrderCode: {
    method: 'POST', path: '/v1/order-code', summary: 'The code of the session’s order; the same one however often it is asked.', session: true,
    input: nothing, answer: browser.OrderCode, status: 200, codes: [...order, 'rate_limited', 'platform_refused', 'temporarily_unavailable'],
  },
  showPayment: {
    method: 'GET', path: '/v1/payment', summary: 'Where the payment stands.', session: true,
    input: null, answer: browser.Payment, status: 200, codes: order,
  },
  watchPayment: {
    method: 'GET', path: '/v1/payment/live', summary: 'A WebSocket that sends the payment on open and on every change; offer `["vezne.v1", <session>]`.', session: false,
    input: null, answer: null, status: 101, codes: [...order, 'not_found'],
  },
  createHandoff: {
    method: 'POST', path: '/v1/handoffs', summary: 'A code that opens this order on another device, once, within ten minutes.', session: true,
    input: nothing, answer: browser.Handoff, status: 201, codes: [...order, 'not_found'],
  },
  previewHandoff: {
    method: 'POST', path: '/v1/handoffs/preview', summary: 'What a hand-off brings, so that a page can ask before it opens it. It stays good.', session: false,
    input: requests.HandoffRequest, answer: browser.HandoffPreview, status: 200, codes: [...ofPages, 'handoff_invalid', 'rate_limited'],
  },
  redeemHandoff: {
    method: 'POST', path: '/v1/handoffs/redeem', summary: 'A session of the same order that only reads.', session: false,
    input: requests.RedeemRequest, answer: browser.RedeemedSession, status: 201, codes: [...ofPages, 'handoff_invalid', 'rate_limited'],
  },
  openVendorForm: {
    method: 'POST', path: '/v1/vendor-forms', summary: 'The form on which the session’s vendor registers, for a closed frame.', session: true,
    input: nothing, answer: hosted.VendorForm, status: 200, codes: [...order, 'rate_limited', 'platform_refused', 'temporarily_unavailable'],
  },
  returnVendor: {
    method: 'GET', path: '/return/vendor', summary: 'Where that form ends: a page that posts `{type: "vezne-vendor", outcome}` to the page around it.', session: false,
    input: null, answer: null, media: 'text/html', status: 200, codes: ['not_found'],
  },
  recordActivity: {
    method: 'POST', path: '/v1/activities', summary: 'What the tracker tells of a visit; `text/plain` is taken too. The platform is told afterwards.', session: false,
    input: requests.Activity, answer: browser.ActivityTaken, status: 202, codes: [...ofPages, 'unknown_offer', 'rate_limited', 'temporarily_unavailable'],
  },
  createHostedPayment: {
    method: 'POST', path: '/v1/hosted-payment', summary: 'The order’s code on the platform’s own bank page.', session: true,
    input: requests.HostedPaymentRequest, answer: hosted.HostedPayment, status: 200, codes: [...order, 'return_url_not_allowed', 'order_paid', 'rate_limited', ...ofThePlatform],
  },
  givePaymentNotice: {
    method: 'POST', path: '/v1/payment-notices', summary: 'A transfer whose description had no code; the shopper submits it on the platform’s page.', session: true,
    input: requests.PaymentNoticeRequest, answer: hosted.CreatedPaymentNotice, status: 200,
    codes: [...order, 'return_url_not_allowed', 'amount_invalid', 'bank_invalid', 'unknown_order', 'order_completed', 'rate_limited', ...ofThePlatform],
  },
  showNoticePrefill: {
    method: 'GET', path: '/v1/payment-notices/prefill', summary: 'What a payment notice begins with.', session: true,
    input: null, answer: hosted.NoticePrefill, status: 200, codes: order,
  },
  openPaymentPage: {
    method: 'POST', path: '/v1/payment-pages', summary: 'The platform’s common payment page, for what is still to be paid. An order has one open at a time.', session: true,
    input: requests.PaymentPageRequest, answer: hosted.PaymentPage, status: 200, codes: [...order, 'return_url_not_allowed', 'order_paid', 'rate_limited', ...ofThePlatform],
  },
  sendPin: {
    method: 'POST', path: '/v1/pins', summary: 'Sends a PIN by SMS; the answer is alike for every number.', session: true,
    input: requests.PinRequest, answer: subscribing.PinSent, status: 202,
    codes: [...order, 'number_invalid', 'operator_invalid', 'rate_limited', 'human_check_required', 'human_check_failed', 'landing_not_found', 'test_mode', ...ofThePlatform],
  },
  subscribe: {
    method: 'POST', path: '/v1/subscriptions', summary: 'Subscribes a number with its PIN, or one-click with a number token.', session: true,
    input: requests.SubscribeRequest, answer: subscribing.Subscribed, status: 201,
    codes: [
      ...order, 'number_invalid', 'operator_invalid', 'rate_limited', 'pin_wrong', 'pin_expired', 'pin_blocked', 'one_click_off', 'number_token_invalid', 'not_eligible',
      'already_subscribed', 'billing_cap_reached', 'subscription_failed', 'landing_not_found', 'test_mode', 'outcome_unknown', ...ofThePlatform,
    ],
  },
  showNumber: {
    method: 'POST', path: '/v1/numbers', summary: 'The masked number a token stands for.', session: true,
    input: requests.NumberRequest, answer: subscribing.KnownNumber, status: 200,
    codes: [...order, 'one_click_off', 'number_token_invalid', 'rate_limited', ...ofThePlatform],
  },
  showSubscription: {
    method: 'GET', path: '/v1/subscription', summary: 'The subscription of a management session.', session: true,
    input: null, answer: subscribing.ShownSubscription, status: 200, codes: [...order, 'subscription_not_found', 'rate_limited', ...ofThePlatform],
  },
  endSubscription: {
    method: 'POST', path: '/v1/subscription/cancel', summary: 'Ends the subscription of a management session.', session: true,
    input: nothing, answer: subscribing.ShownSubscription, status: 200,
    codes: [...order, 'subscription_not_found', 'already_cancelled', 'cannot_cancel', 'outcome_unknown', 'rate_limited', ...ofThePlatform],
  },
} satisfies Readonly<Record<string, BrowserEndpoint>>;
export type BrowserEndpointName = keyof typeof browserEndpoints;
