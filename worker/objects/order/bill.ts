/** The order of a bill, which everybody with the bill's link opens. The functions are pure. */

import type {OrderTerms} from '../../session.ts';
import {factsOf, type OrderState, withRecord} from './order-state.ts';
import {amountDue} from './payment.ts';

/**
 * The order as that of a bill: no page gets its transfers or a shopper's data. The merchant's server may have made the
 * order before.
 */
export function asShared(order: OrderState): OrderState {
  return order.record && !order.record.shared ? {...withRecord(order, {shared: true}), prefill: null} : order;
}

/** What the next payer of a bill learns: whether something is left to pay, and how much the order costs. */
export type EnteredBill = {readonly closed: 'order_paid' | 'order_cancelled'} | Pick<OrderTerms, 'amount'>;

/** Null if the order does not exist. */
export function enteredBill({record, money}: OrderState): EnteredBill | null {
  if (!record) return null;
  if (record.cancelledAt !== undefined) return {closed: 'order_cancelled'};
  return amountDue(factsOf(record, money)) === 0 ? {closed: 'order_paid'} : {amount: record.amount};
}
