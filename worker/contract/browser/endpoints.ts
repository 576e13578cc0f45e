/**
 * The browser API, one row per endpoint. The Worker routes and validates requests with these rows, and the API's
 * description is generated from them. Every isolate loads this file when it starts. Therefore everything that only the
 * description needs, such as the answers, is in `descriptions.ts`.
 */

import * as z from 'zod/mini';
import {lazily} from '../../lib/lazily.ts';
import type {BrowserEndpoint} from './endpoint.ts';
import * as requests from './requests.ts';

export type {BrowserEndpoint, LimitedRequests, RequiredSession} from './endpoint.ts';

const noFields = lazily(() => z.strictObject({}));

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
  },
  showSession: {
    method: 'GET',
    path: '/v1/session',
    access: 'page',
    session: 'subscription',
    status: 200,
  },
  showBanks: {
    method: 'GET',
    path: '/v1/banks',
    access: 'anyone',
    session: null,
    status: 200,
    raw: true,
  },
  showBankLogo: {
    method: 'GET',
    path: '/v1/banks/{id}/logo',
    access: 'anyone',
    session: null,
    status: 200,
    raw: true,
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
  },
  showPayment: {
    method: 'GET',
    path: '/v1/payment',
    access: 'page',
    session: 'payment',
    status: 200,
    raw: true,
  },
  /** The session is sent as a WebSocket subprotocol, which the handler reads. */
  watchPayment: {
    method: 'GET',
    path: '/v1/payment/live',
    noHead: true,
    access: 'page',
    session: null,
    status: 101,
    raw: true,
  },
  createHandoff: {
    method: 'POST',
    path: '/v1/handoffs',
    access: 'page',
    session: 'creating',
    input: noFields,
    status: 201,
  },
  previewHandoff: {
    method: 'POST',
    path: '/v1/handoffs/preview',
    access: 'page',
    session: null,
    limit: 'sessions',
    input: requests.HandoffRequest,
    status: 200,
  },
  redeemHandoff: {
    method: 'POST',
    path: '/v1/handoffs/redeem',
    access: 'page',
    session: null,
    limit: 'sessions',
    input: requests.RedeemRequest,
    status: 201,
  },
  openVendorForm: {
    method: 'POST',
    path: '/v1/vendor-forms',
    access: 'page',
    session: 'vendor',
    input: noFields,
    status: 200,
  },
  returnVendor: {
    method: 'GET',
    path: '/return/vendor',
    noHead: true,
    access: 'anyone',
    session: null,
    limit: 'returns',
    status: 200,
    raw: true,
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
  },
  createHostedPayment: {
    method: 'POST',
    path: '/v1/hosted-payment',
    access: 'page',
    session: 'creating',
    input: requests.HostedPaymentRequest,
    status: 200,
  },
  openPaymentNotice: {
    method: 'POST',
    path: '/v1/payment-notices',
    access: 'page',
    session: 'payment',
    input: requests.PaymentNoticeRequest,
    status: 200,
  },
  showNoticePrefill: {
    method: 'GET',
    path: '/v1/payment-notices/prefill',
    access: 'page',
    session: 'creating',
    status: 200,
  },
  openPaymentPage: {
    method: 'POST',
    path: '/v1/payment-pages',
    access: 'page',
    session: 'creating',
    input: requests.PaymentPageRequest,
    status: 200,
  },
  previewRefund: {
    method: 'POST',
    path: '/v1/refund-links/preview',
    access: 'page',
    session: null,
    input: requests.RefundLinkRequest,
    status: 200,
  },
  sendRefundContact: {
    method: 'POST',
    path: '/v1/refund-contacts',
    access: 'page',
    session: null,
    input: requests.RefundContactRequest,
    status: 200,
  },
  sendPin: {
    method: 'POST',
    path: '/v1/pins',
    access: 'page',
    session: 'subscription',
    limit: 'pins',
    input: requests.PinRequest,
    status: 202,
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
  },
  showSubscription: {
    method: 'GET',
    path: '/v1/subscription',
    access: 'page',
    session: 'management',
    status: 200,
  },
  endSubscription: {
    method: 'POST',
    path: '/v1/subscription/cancel',
    access: 'page',
    session: 'management',
    input: noFields,
    status: 200,
  },
} satisfies Readonly<Record<string, BrowserEndpoint>>;

export type BrowserEndpoints = typeof browserEndpoints;
export type BrowserEndpointName = keyof BrowserEndpoints;
/** A handler's input: the parsed body, or null for requests without a body. */
export type BrowserInput<N extends BrowserEndpointName> = BrowserEndpoints[N] extends {
  readonly input: () => infer I extends z.ZodMiniType;
}
  ? z.output<I>
  : null;
