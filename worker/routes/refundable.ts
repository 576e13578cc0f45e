/** Reads what may be sent back of an order's money now, from all objects that know of its refunds. */

import {parseAmount} from '../lib/money.ts';
import type {Objects} from '../objects.ts';
import type {OrderDetails} from '../objects/order/order-details.ts';
import {type PaidOrder, type Refundable, refundableOf} from '../objects/order/refundable.ts';
import {SENDS_NOTHING} from '../objects/refunds/refund-checks.ts';
import type {RefundRow} from '../objects/refunds/refund-store.ts';

/** @param refunds - The order's refunds, as `Refunds` has them. */
export async function readRefundable(
  objects: Objects,
  {service, order}: {readonly service: string; readonly order: string},
  payment: PaidOrder,
  money: readonly Pick<OrderDetails['money'][number], 'amount' | 'currency' | 'bank'>[],
  refunds: readonly RefundRow[],
): Promise<Refundable> {
  const hasMoney = (parseAmount(payment.paid) ?? 0) > 0;
  const unsettled = hasMoney ? await objects.commands(service).unreportedRefunds(order) : 0;
  const sent = refunds.reduce((sum, {state, amount}) => (SENDS_NOTHING.has(state) ? sum : sum + (amount ?? 0)), 0);
  return refundableOf(payment, money, {sent, unsettled});
}
