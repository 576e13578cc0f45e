/** All routes but the merchant API's and `/health`, which works without a configuration. */

import {browserRoutes} from './browser/api.ts';
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

export const routes: readonly Route[] = [...browserRoutes, ...notificationRoutes];
