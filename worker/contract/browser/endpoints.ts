/**
 * The browser API, one row per endpoint. The Worker routes and validates requests with these rows, and the API's
 * description is generated from them. Every isolate loads this file when it starts. Therefore everything that only the
 * description needs, such as the answers, is in `descriptions.ts`.
 */

import * as z from 'zod';
import {lazily} from '../../lib/lazily.ts';
import type {BrowserEndpoint} from './endpoint.ts';
import * as requests from './requests.ts';

export type {BrowserEndpoint, LimitedRequests, RequiredSession} from './endpoint.ts';

const noFields = lazily(() => z.strictObject({}));
/** Error codes of endpoints that may create an order code for an offer. */
const orderCodeErrors = [
  'rate_limited',
  'human_check_required',
  'human_check_failed',
  'amount_invalid',
  'order_cancelled',
] as const;
const platformErrors = ['platform_refused', 'temporarily_unavailable'] as const;

export const browserEndpoints = {
  openSession: {
    method: 'POST',
    path: '/v1/sessions',
    access: 'page',
    session: null,
    limit: 'sessions',
    input: requests.SessionRequest,
    asText: true,
    status: 201,
    codes: ['unknown_offer'],
  },
  showSession: {
    method: 'GET',
    path: '/v1/session',
    access: 'page',
    session: 'subscription',
    status: 200,
    codes: ['unknown_offer'],
  },
  showBanks: {
    method: 'GET',
    path: '/v1/banks',
    access: 'anyone',
    session: null,
    status: 200,
    raw: true,
    codes: ['temporarily_unavailable'],
  },
  showBankLogo: {
    method: 'GET',
    path: '/v1/banks/{id}/logo',
    access: 'anyone',
    session: null,
    status: 200,
    raw: true,
    codes: ['not_found', 'temporarily_unavailable'],
  },
  openOrderCode: {
    method: 'POST',
    path: '/v1/order-code',
    access: 'page',
    session: 'payment',
    mayOpenSession: true,
    input: requests.OrderCodeRequest,
    asText: true,
    status: 200,
    codes: ['unknown_offer', 'price_changed', ...orderCodeErrors, ...platformErrors],
  },
  showPayment: {
    method: 'GET',
    path: '/v1/payment',
    access: 'page',
    session: 'payment',
    status: 200,
    codes: [],
  },
  /** The session is sent as a WebSocket subprotocol, which the handler reads. */
  watchPayment: {
    method: 'GET',
    path: '/v1/payment/live',
    access: 'page',
    session: null,
    status: 101,
    raw: true,
    codes: ['unauthorized', 'session_expired', 'session_kind', 'not_found', 'rate_limited'],
  },
  createHandoff: {
    method: 'POST',
    path: '/v1/handoffs',
    access: 'page',
    session: 'creating',
    input: noFields,
    status: 201,
    codes: ['not_found'],
  },
  previewHandoff: {
    method: 'POST',
    path: '/v1/handoffs/preview',
    access: 'page',
    session: null,
    limit: 'sessions',
    input: requests.HandoffRequest,
    status: 200,
    codes: ['handoff_invalid'],
  },
  redeemHandoff: {
    method: 'POST',
    path: '/v1/handoffs/redeem',
    access: 'page',
    session: null,
    limit: 'sessions',
    input: requests.RedeemRequest,
    status: 201,
    codes: ['handoff_invalid'],
  },
  openVendorForm: {
    method: 'POST',
    path: '/v1/vendor-forms',
    access: 'page',
    session: 'vendor',
    input: noFields,
    status: 200,
    codes: ['rate_limited', ...platformErrors],
  },
  returnVendor: {
    method: 'GET',
    path: '/return/vendor',
    access: 'anyone',
    session: null,
    limit: 'returns',
    status: 200,
    raw: true,
    codes: ['not_found'],
  },
  recordActivity: {
    method: 'POST',
    path: '/v1/activities',
    access: 'page',
    session: null,
    limit: 'activities',
    input: requests.Activity,
    asText: true,
    status: 202,
    codes: ['unknown_offer', 'temporarily_unavailable'],
  },
  createHostedPayment: {
    method: 'POST',
    path: '/v1/hosted-payment',
    access: 'page',
    session: 'creating',
    input: requests.HostedPaymentRequest,
    status: 200,
    codes: ['return_url_not_allowed', 'order_paid', 'bank_page_unavailable', ...orderCodeErrors, ...platformErrors],
  },
  openPaymentNotice: {
    method: 'POST',
    path: '/v1/payment-notices',
    access: 'page',
    session: 'creating',
    input: requests.PaymentNoticeRequest,
    status: 200,
    codes: ['return_url_not_allowed', 'bank_invalid', 'unknown_order', ...orderCodeErrors, ...platformErrors],
  },
  showNoticePrefill: {
    method: 'GET',
    path: '/v1/payment-notices/prefill',
    access: 'page',
    session: 'creating',
    status: 200,
    codes: [],
  },
  openPaymentPage: {
    method: 'POST',
    path: '/v1/payment-pages',
    access: 'page',
    session: 'creating',
    input: requests.PaymentPageRequest,
    status: 200,
    codes: ['return_url_not_allowed', 'order_paid', ...orderCodeErrors, ...platformErrors],
  },
  sendPin: {
    method: 'POST',
    path: '/v1/pins',
    access: 'page',
    session: 'subscription',
    limit: 'pins',
    input: requests.PinRequest,
    status: 202,
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
    method: 'POST',
    path: '/v1/subscriptions',
    access: 'page',
    session: 'subscription',
    limit: 'subscriptions',
    countsValidOnly: true,
    input: requests.SubscribeRequest,
    status: 201,
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
      'daily_cap_reached',
      'subscription_failed',
      'landing_not_found',
      'test_mode',
      'outcome_unknown',
      ...platformErrors,
    ],
  },
  showNumber: {
    method: 'POST',
    path: '/v1/numbers',
    access: 'page',
    session: 'subscription',
    limit: 'numbers',
    countsValidOnly: true,
    input: requests.NumberRequest,
    status: 200,
    codes: ['one_click_off', 'number_token_invalid', ...platformErrors],
  },
  showSubscription: {
    method: 'GET',
    path: '/v1/subscription',
    access: 'page',
    session: 'management',
    status: 200,
    codes: ['subscription_not_found', 'rate_limited', ...platformErrors],
  },
  endSubscription: {
    method: 'POST',
    path: '/v1/subscription/cancel',
    access: 'page',
    session: 'management',
    input: noFields,
    status: 200,
    codes: [
      'subscription_not_found',
      'already_cancelled',
      'cannot_cancel',
      'outcome_unknown',
      'rate_limited',
      ...platformErrors,
    ],
  },
} satisfies Readonly<Record<string, BrowserEndpoint>>;

export type BrowserEndpoints = typeof browserEndpoints;
export type BrowserEndpointName = keyof BrowserEndpoints;
/** A handler's input: the parsed body, or null for requests without a body. */
export type BrowserInput<N extends BrowserEndpointName> = BrowserEndpoints[N] extends {
  readonly input: () => infer I extends z.ZodType;
}
  ? z.output<I>
  : null;
