/**
 * The platform's 30 operations, a row each. The sandbox does not share this table: it is written from the
 * spec alone, so that a misreading shows.
 */

import type * as z from 'zod';
import {landing} from './landing.ts';
import {micropayment} from './micropayment.ts';
import {orders} from './orders.ts';
import {paymentNotifications} from './payment-notices.ts';
import {paymentPage} from './payment-page.ts';
import {refunds} from './refunds.ts';
import {transactions} from './transactions.ts';

export const operations = {
  ...orders,
  ...transactions,
  ...paymentNotifications,
  ...refunds,
  ...micropayment,
  ...paymentPage,
  ...landing,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type Input<N extends OperationName> = z.input<Operations[N]['input']>;
export type Output<N extends OperationName> = z.output<Operations[N]['output']>;
