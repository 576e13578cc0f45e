/** The routes, a row each, and who may call them. `/health` is not among them: it works without a configuration. */

import {cancelSubscription} from './browser/cancel-subscription.ts';
import {createHandoff} from './browser/create-handoff.ts';
import {createHostedPayment} from './browser/create-hosted-payment.ts';
import {createOrderCode} from './browser/create-order-code.ts';
import {createPaymentNotice} from './browser/create-payment-notice.ts';
import {createPaymentPage} from './browser/create-payment-page.ts';
import {createPin} from './browser/create-pin.ts';
import {createSession} from './browser/create-session.ts';
import {createSubscription} from './browser/create-subscription.ts';
import {createVendorForm} from './browser/create-vendor-form.ts';
import {listBanks} from './browser/list-banks.ts';
import {previewHandoff} from './browser/preview-handoff.ts';
import {recordActivity} from './browser/record-activity.ts';
import {redeemHandoff} from './browser/redeem-handoff.ts';
import {returnVendor} from './browser/return-vendor.ts';
import {showBankLogo} from './browser/show-bank-logo.ts';
import {showNoticePrefill} from './browser/show-notice-prefill.ts';
import {showNumber} from './browser/show-number.ts';
import {showPayment} from './browser/show-payment.ts';
import {showSession} from './browser/show-session.ts';
import {showSubscription} from './browser/show-subscription.ts';
import {watchPayment} from './browser/watch-payment.ts';
import {hookRoutes} from './hooks/hook-routes.ts';
import type {Route} from './route.ts';
import {showDescription} from './show-description.ts';

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
