/** Reads what may be sent back of an order's money now, from all objects that know of its refunds. */

import {parseAmount} from '../lib/money.ts';
import type {Objects} from '../objects.ts';
import {findPastOrder} from '../objects/archive/find-in-archive.ts';
import type {OrderDetails} from '../objects/order/order-details.ts';
import {type PaidOrder, type Refundable, refundableOf} from '../objects/order/refundable.ts';
import {SENDS_NOTHING} from '../objects/refunds/refund-checks.ts';
import type {ShownOrder} from '../objects/refunds/refund-link-store.ts';
import type {RefundRow} from '../objects/refunds/refund-store.ts';

/** What follows `/r/` in the address of a refund link: 128 bits. */
export const REFUND_TOKEN = /^[\w-]{22}$/;

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

/** The same for an order of which only the reference is known, with what pages say of it; null for an unknown order. */
export async function findRefundable(
  objects: Objects,
  service: string,
  order: string,
): Promise<{readonly refundable: Refundable; readonly shown: ShownOrder} | null> {
  const [details, refunds] = await Promise.all([
    objects.order(service, order).details(),
    objects.refunds().ofOrder(service, order),
  ]);
  const past = details ? null : await findPastOrder(objects, service, (month) => month.findOrder(order));
  const found = details ?? past;
  if (!found) return null;
  const payment = details?.payment ?? past;
  const refundable = payment && (await readRefundable(objects, {service, order}, payment, found.money, refunds));
  const shown = {...(details?.seller && {seller: details.seller}), ...(found.title && {title: found.title})};
  return refundable && {refundable, shown};
}
