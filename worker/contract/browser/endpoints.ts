/**
 * The browser API, one row per endpoint. Every isolate loads this file when it starts, so inputs are built later, and
 * `DESCRIBED` keeps what only the description needs out of the Worker's bundle.
 */

import * as z from 'zod/mini';
import {lazily} from '../../lib/lazily.ts';
import {endpoint} from '../endpoint.ts';
import * as answers from './answers.ts';
import * as example from './examples.ts';
import * as requests from './requests.ts';
import * as subscriptionAnswers from './subscription-answers.ts';

const noFields = lazily(() => z.strictObject({}));

/** Error codes of endpoints that may create an order code for an offer. */
const orderCodeErrors = [
  'buyer_required',
  'human_check_required',
  'human_check_failed',
  'amount_invalid',
  'order_exists',
] as const;
const platformErrors = ['platform_refused', 'rate_limited', 'temporarily_unavailable'] as const;

export const browserEndpoints = {
  openSession: endpoint({
    method: 'POST',
    path: '/v1/sessions',
    limit: 'sessions',
    input: requests.SessionRequest,
    asText: true,
    status: 201,
    docs: DESCRIBED && {
      summary: 'Creates a session from an offer. JSON may also be sent as `text/plain`, which needs no preflight.',
      answer: subscriptionAnswers.NewSession,
      codes: ['unknown_offer'],
      example: {input: {offer: 'gold'}, answer: example.session},
    },
  }),
  showSession: endpoint({
    method: 'GET',
    path: '/v1/session',
    session: 'subscription',
    docs: DESCRIBED && {
      summary: 'Gets the terms of a subscription session.',
      answer: subscriptionAnswers.SubscriptionTerms,
      codes: ['unknown_offer'],
      example: {answer: example.terms},
    },
  }),
  showBanks: endpoint({
    method: 'GET',
    path: '/v1/banks',
    access: 'anyone',
    docs: DESCRIBED && {
      summary: 'Lists the bank accounts that a shopper may pay into.',
      answer: answers.BankList,
      codes: ['rate_limited', 'temporarily_unavailable'],
      example: {answer: {banks: [example.bank], stale: false, arrival: example.arrival}},
    },
  }),
  showBankLogo: endpoint({
    method: 'GET',
    path: '/v1/banks/{id}/logo',
    access: 'anyone',
    docs: DESCRIBED && {
      summary: 'Gets a bank’s logo. The field `logo` in the bank list is the URL of this request.',
      segments: z.strictObject({id: z.string().check(z.meta({description: '`id` of the bank.', examples: ['6']}))}),
      answer: null,
      media: 'image/*',
      codes: ['not_found', 'rate_limited', 'temporarily_unavailable'],
    },
  }),
  openOrderCode: endpoint({
    method: 'POST',
    path: '/v1/order-code',
    session: 'payment',
    mayOpenSession: true,
    input: requests.OrderCodeRequest,
    asText: true,
    docs: DESCRIBED && {
      summary:
        'Creates the order code of an order. A request with a session gets the code of the session’s order. A request ' +
        'with an offer also opens the session; repeated with the same `attempt`, it gets the same order, code and ' +
        'session. Without the header `Authorization`, the body may be sent as `text/plain`, which needs no preflight.',
      answer: z.union([answers.PlacedOrder, answers.OrderCode]),
      codes: ['unknown_offer', 'price_changed', ...orderCodeErrors, ...platformErrors],
      example: {input: {bank: 'garanti'}, answer: example.orderCode},
    },
  }),
  showPayment: endpoint({
    method: 'GET',
    path: '/v1/payment',
    session: 'payment',
    docs: DESCRIBED && {
      summary: 'Gets the state of the payment.',
      answer: answers.ReadPayment,
      codes: [],
      example: {answer: example.payment},
    },
  }),
  /** The session is sent as a WebSocket subprotocol, which the handler reads. */
  watchPayment: endpoint({
    method: 'GET',
    path: '/v1/payment/live',
    noHead: true,
    status: 101,
    docs: DESCRIBED && {
      summary:
        'Opens a WebSocket that sends the payment immediately and after every change. Connect with the protocols ' +
        '`["vezne.v1", <session>]`.',
      answer: null,
      codes: ['unauthorized', 'session_expired', 'session_kind', 'not_found', 'rate_limited'],
    },
  }),
  createHandoff: endpoint({
    method: 'POST',
    path: '/v1/handoffs',
    session: 'creating',
    input: noFields,
    status: 201,
    docs: DESCRIBED && {
      summary: 'Creates a hand-off code, with which another device can open this order once within ten minutes.',
      answer: answers.Handoff,
      codes: ['not_found'],
      example: {input: {}, answer: {code: example.handoff.code, expires_at: example.inTenMinutes}},
    },
  }),
  previewHandoff: endpoint({
    method: 'POST',
    path: '/v1/handoffs/preview',
    limit: 'sessions',
    input: requests.HandoffRequest,
    docs: DESCRIBED && {
      summary:
        'Gets the order that a hand-off opens, so that a page can ask the shopper before it redeems the hand-off. The ' +
        'preview does not use up the hand-off.',
      answer: answers.HandoffPreview,
      codes: ['handoff_invalid'],
      example: {input: example.handoff, answer: {title: example.title, ...example.price}},
    },
  }),
  redeemHandoff: endpoint({
    method: 'POST',
    path: '/v1/handoffs/redeem',
    limit: 'sessions',
    input: requests.RedeemRequest,
    status: 201,
    docs: DESCRIBED && {
      summary: 'Redeems a hand-off: creates a session that reads the same order, and may send a payment notice.',
      answer: answers.RedeemedSession,
      codes: ['handoff_invalid'],
      example: {
        input: {...example.handoff, attempt: 'b3c1f0de'},
        answer: {
          token: example.token,
          kind: 'payment',
          order: example.order,
          title: example.title,
          ...example.price,
          read_until: example.inAWeek,
        },
      },
    },
  }),
  openVendorForm: endpoint({
    method: 'POST',
    path: '/v1/vendor-forms',
    session: 'vendor',
    input: noFields,
    docs: DESCRIBED && {
      summary: 'Creates the form on which the session’s vendor registers. Show the form in a sandboxed frame.',
      answer: answers.VendorForm,
      codes: platformErrors,
      example: {
        input: {},
        answer: {
          url: `${example.platformPage}/vendor/4c1e`,
          nonce: '7F3K2M9Q4X8V1C5B6N0W2R7T3Y',
          sandbox: 'allow-forms allow-scripts allow-same-origin',
        },
      },
    },
  }),
  returnVendor: endpoint({
    method: 'GET',
    path: '/return/vendor',
    noHead: true,
    access: 'anyone',
    limit: 'returns',
    docs: DESCRIBED && {
      summary:
        'Shows the return page of the vendor form. It posts `{type: "vezne-vendor", outcome, nonce}` to the page that ' +
        'frames it or opened it.',
      answer: null,
      media: 'text/html',
      codes: ['not_found'],
    },
  }),
  recordActivity: endpoint({
    method: 'POST',
    path: '/v1/activities',
    limit: 'activities',
    input: requests.Activity,
    asText: true,
    status: 202,
    docs: DESCRIBED && {
      summary:
        'Records a visit or a click, which the Worker reports to the platform after it has answered. JSON may also be ' +
        'sent as `text/plain`.',
      answer: answers.AcceptedActivity,
      codes: ['unknown_offer', 'temporarily_unavailable'],
      example: {
        input: {offer: 'club', type: 'visit', tracking_id: 't-81c4', url: 'https://shop.example/club', referer: '-'},
        answer: {},
      },
    },
  }),
  createHostedPayment: endpoint({
    method: 'POST',
    path: '/v1/hosted-payment',
    session: 'creating',
    input: requests.HostedPaymentRequest,
    docs: DESCRIBED && {
      summary: 'Creates the order code, and returns the URL of the platform’s bank page that shows it.',
      answer: answers.HostedPayment,
      codes: ['return_url_not_allowed', 'order_paid', 'bank_page_unavailable', ...orderCodeErrors, ...platformErrors],
      example: {
        input: {redirect_url: example.thanksPage, back_url: example.shopPage},
        answer: {
          order_code: example.orderCode.order_code,
          url: `${example.platformPage}/phs/banks/${example.orderCode.order_code}?${example.thanksParameter}`,
        },
      },
    },
  }),
  openPaymentNotice: endpoint({
    method: 'POST',
    path: '/v1/payment-notices',
    session: 'payment',
    input: requests.PaymentNoticeRequest,
    docs: DESCRIBED && {
      summary:
        'Creates a payment notice about a transfer whose description had no order code. The shopper submits the notice ' +
        'on the platform’s page.',
      answer: answers.CreatedPaymentNotice,
      codes: ['return_url_not_allowed', 'bank_invalid', 'unknown_order', ...orderCodeErrors, ...platformErrors],
      example: {
        input: {
          bank: 'garanti',
          amount: example.price.amount,
          notice: {name: example.buyerName, phone: '5321234567', apply_time: example.at, description: 'Lamba'},
          redirect_url: example.thanksPage,
        },
        answer: {
          notice_code: 'N-501',
          url: `${example.platformPage}/phs/yonlendir/N-501?${example.thanksParameter}`,
        },
      },
    },
  }),
  showNoticePrefill: endpoint({
    method: 'GET',
    path: '/v1/payment-notices/prefill',
    session: 'creating',
    docs: DESCRIBED && {
      summary: 'Gets the values with which a page prefills a payment notice.',
      answer: answers.NoticePrefill,
      codes: [],
      example: {
        answer: {
          order: example.order,
          amount: example.price.amount,
          name: example.buyerName,
          email: null,
          phone: null,
          description: null,
        },
      },
    },
  }),
  openPaymentPage: endpoint({
    method: 'POST',
    path: '/v1/payment-pages',
    session: 'creating',
    input: requests.PaymentPageRequest,
    docs: DESCRIBED && {
      summary:
        'Creates a payment page of the platform for the amount still to be paid. An order has at most one open payment ' +
        'page, unless a request has `anew: true`.',
      answer: answers.PaymentPage,
      codes: ['return_url_not_allowed', 'order_paid', ...orderCodeErrors, ...platformErrors],
      example: {
        input: {success_url: example.thanksPage, failure_url: example.shopPage, language: 'tr'},
        answer: {url: `${example.platformPage}/t/4c1e`, expires_at: example.inHalfAnHour},
      },
    },
  }),
  previewRefund: endpoint({
    method: 'POST',
    path: '/v1/refund-links/preview',
    input: requests.RefundLinkRequest,
    docs: DESCRIBED && {
      summary: 'Gets what a refund link gives back.',
      answer: answers.ShownRefund,
      codes: ['not_found'],
      example: {input: {link: example.link}, answer: {state: 'open', ...example.refund}},
    },
  }),
  sendRefundContact: endpoint({
    method: 'POST',
    path: '/v1/refund-contacts',
    input: requests.RefundContactRequest,
    docs: DESCRIBED && {
      summary:
        'Sends the refund of a refund link to the shopper’s account, once. A repetition with the same name and IBAN gets ' +
        'the outcome.',
      answer: answers.ShownRefund,
      codes: ['not_found', 'temporarily_unavailable'],
      example: {
        input: {link: example.link, name: example.buyerName, iban: 'TR33 0006 1005 1978 6457 8413 26'},
        answer: {state: 'sent', ...example.refund},
      },
    },
  }),
  sendPin: endpoint({
    method: 'POST',
    path: '/v1/pins',
    session: 'subscription',
    limit: 'pins',
    input: requests.PinRequest,
    status: 202,
    docs: DESCRIBED && {
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
      example: {
        input: example.phone,
        answer: {expires_at: example.inTenMinutes, resend_at: '2026-11-21T15:43:00+03:00', as_of: example.at},
      },
    },
  }),
  createSubscription: endpoint({
    method: 'POST',
    path: '/v1/subscriptions',
    session: 'subscription',
    limit: 'subscriptions',
    countsValidOnly: true,
    input: requests.SubscribeRequest,
    status: 201,
    docs: DESCRIBED && {
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
      example: {input: {...example.phone, pin: '4821'}, answer: {state: 'subscribed'}},
    },
  }),
  showNumber: endpoint({
    method: 'POST',
    path: '/v1/numbers',
    session: 'subscription',
    limit: 'numbers',
    countsValidOnly: true,
    input: requests.NumberRequest,
    docs: DESCRIBED && {
      summary: 'Gets the number that a number token stands for, masked.',
      answer: subscriptionAnswers.ShownNumber,
      codes: ['one_click_off', 'number_token_invalid', ...platformErrors],
      example: {input: {number_token: '4417'}, answer: example.maskedNumber},
    },
  }),
  showSubscription: endpoint({
    method: 'GET',
    path: '/v1/subscription',
    session: 'management',
    docs: DESCRIBED && {
      summary: 'Gets the subscription of a management session.',
      answer: subscriptionAnswers.ShownSubscription,
      codes: ['subscription_not_found', ...platformErrors],
      example: {answer: {subscription: example.subscription}},
    },
  }),
  endSubscription: endpoint({
    method: 'POST',
    path: '/v1/subscription/cancel',
    session: 'management',
    input: noFields,
    docs: DESCRIBED && {
      summary: 'Cancels the subscription of a management session.',
      answer: subscriptionAnswers.ShownSubscription,
      codes: ['subscription_not_found', 'already_cancelled', 'cannot_cancel', 'outcome_unknown', ...platformErrors],
      example: {
        input: {},
        answer: {
          subscription: {...example.subscription, state: 'cancelled', renews_at: null, cancelled_at: example.at},
        },
      },
    },
  }),
};

export type BrowserEndpoints = typeof browserEndpoints;
export type BrowserEndpointName = keyof BrowserEndpoints;
