/** Where the platform tells what happened. It proves itself by what it says, or not at all: no page and no key is asked for. */

import type {Route} from '../route.ts';
import {takeBilling, takeSubscription} from './billing.ts';
import {takePayments} from './payment.ts';
import {takeRefundResults} from './refund-result.ts';

const hooks = {
  '/hooks/refund-result': takeRefundResults,
  '/hooks/payment': takePayments,
  '/hooks/billing': takeBilling,
  '/hooks/subscription': takeSubscription,
} satisfies Record<string, Route['handle']>;

export const hookRoutes: readonly Route[] = Object.entries(hooks).flatMap(([path, handle]) =>
  (['GET', 'POST'] as const).map((method) => ({method, path, access: 'platform', handle})),
);
