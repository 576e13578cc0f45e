/** All routes but the merchant API's and `/health`, which works without a configuration. */

import {recordActivity} from './browser/activities.ts';
import {showBankLogo, showBanks} from './browser/banks.ts';
import {createHandoff, previewHandoff, redeemHandoff} from './browser/handoffs.ts';
import {createHostedPayment, openPaymentPage, openPaymentNotice, showNoticePrefill} from './browser/hosted-pages.ts';
import {endSubscription, showSubscription} from './browser/managed-subscription.ts';
import {openOrderCode, watchPayment, showPayment} from './browser/payment.ts';
import {sendPin} from './browser/pins.ts';
import {openSession, showSession} from './browser/sessions.ts';
import {showNumber, createSubscription} from './browser/subscriptions.ts';
import {openVendorForm, returnVendor} from './browser/vendor-forms.ts';
import {receiveCharges, receiveSubscriptions} from './notifications/billing.ts';
import {receivePayments} from './notifications/payments.ts';
import {receiveRefundResults} from './notifications/refund-results.ts';
import type {Route} from './route.ts';

/** The platform calls these. It proves itself by the content, or not at all: neither a session nor a key is required. */
const notificationHandlers = {
  '/hooks/refund-result': receiveRefundResults,
  '/hooks/payment': receivePayments,
  '/hooks/billing': receiveCharges,
  '/hooks/subscription': receiveSubscriptions,
} satisfies Record<string, Route['handle']>;

export const notificationRoutes: readonly Route[] = Object.entries(notificationHandlers).flatMap(([path, handle]) =>
  (['GET', 'POST'] as const).map((method) => ({method, path, access: 'platform', handle})),
);

export const routes: readonly Route[] = [
  {method: 'POST', path: '/v1/sessions', access: 'page', handle: openSession},
  {method: 'GET', path: '/v1/session', access: 'page', handle: showSession},
  {method: 'GET', path: '/v1/banks', access: 'anyone', handle: showBanks},
  {method: 'GET', path: '/v1/banks/:id/logo', access: 'anyone', handle: showBankLogo},
  {method: 'POST', path: '/v1/order-code', access: 'page', handle: openOrderCode},
  {method: 'GET', path: '/v1/payment', access: 'page', handle: showPayment},
  {method: 'GET', path: '/v1/payment/live', access: 'page', handle: watchPayment},
  {method: 'POST', path: '/v1/handoffs', access: 'page', handle: createHandoff},
  {method: 'POST', path: '/v1/handoffs/preview', access: 'page', handle: previewHandoff},
  {method: 'POST', path: '/v1/handoffs/redeem', access: 'page', handle: redeemHandoff},
  {method: 'POST', path: '/v1/hosted-payment', access: 'page', handle: createHostedPayment},
  {method: 'POST', path: '/v1/payment-notices', access: 'page', handle: openPaymentNotice},
  {method: 'GET', path: '/v1/payment-notices/prefill', access: 'page', handle: showNoticePrefill},
  {method: 'POST', path: '/v1/payment-pages', access: 'page', handle: openPaymentPage},
  {method: 'POST', path: '/v1/vendor-forms', access: 'page', handle: openVendorForm},
  {method: 'GET', path: '/return/vendor', access: 'anyone', handle: returnVendor},
  {method: 'POST', path: '/v1/pins', access: 'page', handle: sendPin},
  {method: 'POST', path: '/v1/subscriptions', access: 'page', handle: createSubscription},
  {method: 'POST', path: '/v1/numbers', access: 'page', handle: showNumber},
  {method: 'GET', path: '/v1/subscription', access: 'page', handle: showSubscription},
  {method: 'POST', path: '/v1/subscription/cancel', access: 'page', handle: endSubscription},
  {method: 'POST', path: '/v1/activities', access: 'page', handle: recordActivity},
  ...notificationRoutes,
];
