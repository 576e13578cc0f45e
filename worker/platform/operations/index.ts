/**
 * The platform's 30 operations, one row each. The sandbox does not use this table, but is written from the spec alone.
 * A row that contradicts the spec therefore fails in tests with the sandbox.
 */

import type * as z from 'zod/mini';
import {landingOperations} from './landing.ts';
import {micropaymentOperations} from './micropayment.ts';
import {orderOperations} from './orders.ts';
import {paymentNoticeOperations} from './payment-notices.ts';
import {paymentPageOperations} from './payment-page.ts';
import {refundOperations} from './refunds.ts';
import {transactionOperations} from './transactions.ts';

export const operations = {
  ...orderOperations,
  ...transactionOperations,
  ...paymentNoticeOperations,
  ...refundOperations,
  ...micropaymentOperations,
  ...paymentPageOperations,
  ...landingOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<N extends OperationName> = z.input<Operations[N]['input']>;
export type OperationOutput<N extends OperationName> = z.output<Operations[N]['output']>;
