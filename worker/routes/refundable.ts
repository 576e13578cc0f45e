/** Reads what may be sent back of an order's money now, from all objects that know of its refunds. */

import {type Kurus, parseAmount} from '../lib/money.ts';
import type {Objects} from '../objects.ts';
import {findPastOrder} from '../objects/archive/find-in-archive.ts';
import type {OrderDetails} from '../objects/order/order-details.ts';
import {type PaidOrder, type Refundable, refundableOf} from '../objects/order/refundable.ts';
import {SENDS_NOTHING} from '../objects/refunds/refund-checks.ts';
import type {ShownOrder} from '../objects/refunds/refund-link-store.ts';

const kurusOf = (amount: string): Kurus => parseAmount(amount) ?? 0;

/** @param except - Id of a refund's command that does not count. */
export async function readRefundable(
  objects: Objects,
  {service, order}: {readonly service: string; readonly order: string},
  payment: PaidOrder,
  money: readonly Pick<OrderDetails['money'][number], 'amount' | 'currency' | 'bank'>[],
  except: string | null = null,
): Promise<Refundable> {
  if (kurusOf(payment.paid) === 0) return refundableOf(payment, money);
  // A refund that `Commands` reports to `Refunds` between the two reads counts twice. In the other order of the reads, it
  // would not count.
  const unsettled = await objects.commands(service).unreportedRefunds(order, except);
  const refunds = await objects.refunds().ofOrder(service, order);
  const sent = refunds.reduce((sum, {state, amount}) => (SENDS_NOTHING.has(state) ? sum : sum + (amount ?? 0)), 0);
  return refundableOf(payment, money, {sent, unsettled});
}

/**
 * An order as it is now, or was when it was deleted, of which only the reference is known; null for an unknown order.
 * `onBill` is what an order keeps that was paid on a phone bill, at least in part; otherwise 0.
 */
export async function findRefundable(objects: Objects, service: string, order: string, except: string | null = null) {
  const details = await objects.order(service, order).details();
  const found = details ?? (await findPastOrder(objects, service, (month) => month.findOrder(order)));
  if (!found) return null;
  const payment = 'payment' in found ? found.payment : found;
  const refundable = await readRefundable(objects, {service, order}, payment, found.money, except);
  // What pages say of it.
  const shown: ShownOrder = {
    ...(details?.seller && {seller: details.seller}),
    ...(found.title && {title: found.title}),
  };
  // What a phone bill paid is given back by its own command, and is not refundable.
  const kept = kurusOf(payment.paid) - kurusOf(payment.refunding ?? '0.00');
  const onBill = found.money.some(({bank}) => bank === null) ? kept : 0;
  return {refundable, shown, payment, expiresAt: found.expiresAt, onBill};
}
