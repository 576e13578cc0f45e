/** Where the platform tells what happened. It proves itself by what it says, or not at all: no page and no key is asked for. */

import {takeBilling, takeSubscription} from './notifications/billing.ts';
import {takePayments} from './notifications/payments.ts';
import {takeRefundResults} from './notifications/refund-results.ts';
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
