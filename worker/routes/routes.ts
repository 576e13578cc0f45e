/** Where the platform tells what happened. It proves itself by what it says, or not at all: no page and no key is asked for. */

import {recordActivity} from './browser/activities.ts';
import {showBankLogo, listBanks} from './browser/banks.ts';
import {createHandoff, previewHandoff, redeemHandoff} from './browser/handoffs.ts';
import {
  createHostedPayment,
  createPaymentPage,
  createPaymentNotice,
  showNoticePrefill,
} from './browser/hosted-pages.ts';
import {cancelSubscription, showSubscription} from './browser/managed-subscription.ts';
import {createOrderCode, watchPayment, showPayment} from './browser/payment.ts';
import {createPin} from './browser/pins.ts';
import {createSession, showSession} from './browser/sessions.ts';
import {showNumber, createSubscription} from './browser/subscriptions.ts';
import {createVendorForm, returnVendor} from './browser/vendor-forms.ts';
import {takeBilling, takeSubscription} from './notifications/billing.ts';
import {takePayments} from './notifications/payments.ts';
import {takeRefundResults} from './notifications/refund-results.ts';
import {showDescription} from './openapi.ts';
import type {Route} from './route.ts';

const hooks = {
  '/hooks/refund-result': takeRefundResults,
  '/hooks/payment': takePayments,
  '/hooks/billing': takeBilling,
  '/hooks/subscription': takeSubscription,
} satisfies Record<string, Route['handle']>;

export const hookRoutes: readonly Route[] = Object.entries(hooks).flatMap(([path, handle]) =>
  (['GET', 'POST'] as const).map((method) => ({method, path, access: 'platform', handle})),
);

/** The routes, a row each, and who may call them. `/health` is not among them: it works without a configuration. */

export const routes: readonly Route[] = [
  {method: 'POST', path: '/v1/sessions', access: 'page', handle: createSession},
  {method: 'GET', path: '/v1/session', access: 'page', handle: showSession},
  {method: 'GET', path: '/v1/banks', access: 'anyone', handle: listBanks},
  {method: 'GET', path: '/v1/banks/:id/logo', access: 'anyone', handle: showBankLogo},
  {method: 'POST', path: '/v1/order-code', access: 'page', handle: createOrderCode},
  {method: 'GET', path: '/v1/payment', access: 'page', handle: showPayment},
  {method: 'GET', path: '/v1/payment/live', access: 'page', handle: watchPayment},
  {method: 'POST', path: '/v1/handoffs', access: 'page', handle: createHandoff},
  {method: 'POST', path: '/v1/handoffs/preview', access: 'page', handle: previewHandoff},
  {method: 'POST', path: '/v1/handoffs/redeem', access: 'page', handle: redeemHandoff},
  {method: 'POST', path: '/v1/hosted-payment', access: 'page', handle: createHostedPayment},
  {method: 'POST', path: '/v1/payment-notices', access: 'page', handle: createPaymentNotice},
  {method: 'GET', path: '/v1/payment-notices/prefill', access: 'page', handle: showNoticePrefill},
  {method: 'POST', path: '/v1/payment-pages', access: 'page', handle: createPaymentPage},
  {method: 'POST', path: '/v1/vendor-forms', access: 'page', handle: createVendorForm},
  {method: 'GET', path: '/return/vendor', access: 'anyone', handle: returnVendor},
  {method: 'POST', path: '/v1/pins', access: 'page', handle: createPin},
  {method: 'POST', path: '/v1/subscriptions', access: 'page', handle: createSubscription},
  {method: 'POST', path: '/v1/numbers', access: 'page', handle: showNumber},
  {method: 'GET', path: '/v1/subscription', access: 'page', handle: showSubscription},
  {method: 'POST', path: '/v1/subscription/cancel', access: 'page', handle: cancelSubscription},
  {method: 'POST', path: '/v1/activities', access: 'page', handle: recordActivity},
  {method: 'GET', path: '/openapi.json', access: 'anyone', handle: showDescription},
  ...hookRoutes,
];
