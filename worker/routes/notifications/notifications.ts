/**
 * The routes of the platform's notifications. They need no session and no API key. In some notifications, a key in each
 * record proves the sender. All other notifications are only hints.
 */

import type {Route} from '../route.ts';
import {receiveCharges, receiveSubscriptions} from './billing.ts';
import {receivePayments} from './payments.ts';
import {receiveRefundResults} from './refund-results.ts';

const handlers: Readonly<Record<string, Route['handle']>> = {
  '/hooks/refund-result': receiveRefundResults,
  '/hooks/payment': receivePayments,
  '/hooks/billing': receiveCharges,
  '/hooks/subscription': receiveSubscriptions,
};

export const notificationRoutes: readonly Route[] = Object.entries(handlers).flatMap(([path, handle]) =>
  (['GET', 'POST'] as const).map((method) => ({method, path, access: 'platform', noHead: true, handle})),
);
