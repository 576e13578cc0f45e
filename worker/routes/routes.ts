/** The routes, a row each, and who may call them. `/health` is not among them: it works without a configuration. */

import {recordActivity} from './browser/activities.ts';
import {showBankLogo} from './browser/banks.ts';
import {createHandoff} from './browser/create-handoff.ts';
import {createHostedPayment} from './browser/create-hosted-payment.ts';
import {createOrderCode} from './browser/create-order-code.ts';
import {createPaymentPage} from './browser/create-payment-page.ts';
import {createVendorForm} from './browser/create-vendor-form.ts';
import {createPaymentNotice} from './browser/hosted-pages.ts';
import {listBanks} from './browser/list-banks.ts';
import {cancelSubscription} from './browser/managed-subscription.ts';
import {watchPayment} from './browser/payment.ts';
import {createPin} from './browser/pins.ts';
import {previewHandoff} from './browser/preview-handoff.ts';
import {redeemHandoff} from './browser/redeem-handoff.ts';
import {createSession} from './browser/sessions.ts';
import {showNoticePrefill} from './browser/show-notice-prefill.ts';
import {showNumber} from './browser/show-number.ts';
import {showPayment} from './browser/show-payment.ts';
import {showSession} from './browser/show-session.ts';
import {showSubscription} from './browser/show-subscription.ts';
import {createSubscription} from './browser/subscriptions.ts';
import {returnVendor} from './browser/vendor-forms.ts';
import {hookRoutes} from './hook-routes.ts';
import {showDescription} from './openapi.ts';
import type {Route} from './route.ts';

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
