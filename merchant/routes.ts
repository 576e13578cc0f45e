/** Method and path of each endpoint of the contract. If an endpoint is missing here, the code does not compile. */

import type {EndpointName} from './contract.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/merchant/v1/`. `{name}` is a field of the input. */
  readonly path: string;
  /** Whether the request carries an `Idempotency-Key`. */
  readonly write: boolean;
}

const get = (path: string): Route => ({method: 'GET', path, write: false});
/** A read whose input is too long, or too private, for a URL. */
const search = (path: string): Route => ({method: 'POST', path, write: false});
const write = (path: string): Route => ({method: 'POST', path, write: true});

export const routes: Readonly<Record<EndpointName, Route>> = {
  createSession: write('sessions'),
  findOrderCode: get('order-codes'),
  createOrderCode: write('order-codes'),
  createHostedOrderCode: write('order-codes/hosted'),
  updateOrderCode: {method: 'PATCH', path: 'order-codes', write: true},
  completeOrder: write('orders/complete'),
  getOrder: get('orders'),
  listOrders: get('orders/days/{day}'),
  listUnmatchedTransactions: get('transactions/unmatched'),
  getTransaction: get('transactions/{id}'),
  searchTransactions: search('transactions/search'),
  getPaymentNotice: get('payment-notices/{id}'),
  createPaymentNotice: write('payment-notices'),
  getRefund: get('refunds/{id}'),
  listRefunds: get('refunds'),
  listDayRefunds: get('refunds/days/{day}'),
  createRefund: write('refunds'),
  createVendorForm: write('vendor-forms'),
  listBanks: get('banks'),
  getSubscription: get('subscriptions/{service}/{id}'),
  getConsent: get('subscriptions/{service}/{id}/consent'),
  listConsents: get('consents'),
  cancelSubscription: write('subscriptions/{service}/{id}/cancel'),
  searchSubscriptions: search('subscriptions/search'),
  resetTestNumber: write('test-numbers/{service}/{msisdn}/reset'),
  getCharge: get('charges/{service}/{id}'),
  refundCharge: write('charges/{service}/{id}/refund'),
  searchCharges: search('charges/search'),
  searchMessages: search('messages/search'),
  createPaymentPage: write('payment-pages'),
  generatePin: write('landing/generate-pin'),
  requestSubscription: write('landing/subscription-request'),
  cancelLandingSubscription: write('landing/cancel-subscription'),
  getNumber: search('landing/get-msisdn'),
  addActivity: write('landing/user-activity'),
  listEvents: get('events'),
  listDeadEvents: get('events/dead'),
  getEvent: get('events/{id}'),
  resendEvent: write('events/{id}/resend'),
  listWebhooks: get('webhooks'),
  createWebhook: write('webhooks'),
  getWebhook: get('webhooks/{id}'),
  updateWebhook: {method: 'PATCH', path: 'webhooks/{id}', write: true},
  deleteWebhook: {method: 'DELETE', path: 'webhooks/{id}', write: true},
  rotateWebhookSecret: write('webhooks/{id}/rotate-secret'),
  testWebhook: write('webhooks/{id}/test'),
  listDeliveries: get('deliveries'),
  showQuotas: get('quotas'),
  listCommands: get('commands'),
  createKey: write('keys'),
  listKeys: get('keys'),
  revokeKey: write('keys/{id}/revoke'),
  examine: get('doctor'),
};
