/** Reads what may be sent back of an order's money now, from all objects that know of its refunds. */

import {type Kurus, parseAmount} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import type {Objects} from '../../objects.ts';
import {findPastOrder} from '../archive/find-in-archive.ts';
import type {OrderDetails} from '../order/order-details.ts';
import {type PaidOrder, type Refundable, refundableOf} from '../order/refundable.ts';
import {SENDS_NOTHING} from './refund-checks.ts';
import type {ShownOrder} from './refund-link-store.ts';

const kurusOf = (amount: string): Kurus => parseAmount(amount) ?? 0;

type Order = {readonly service: string; readonly order: string};
type Money = readonly Pick<OrderDetails['money'][number], 'amount' | 'currency' | 'bank'>[];

/** Reads the sum of an order's refunds that `Refunds` does not know and that may have been made. */
type ReadUnsettled = () => Kurus | Promise<Kurus>;

export async function readRefundable(
  objects: Objects,
  {service, order}: Order,
  payment: PaidOrder,
  money: Money,
  readUnsettled: ReadUnsettled = () => objects.commands(service).unreportedRefunds(order, null),
): Promise<Refundable & Due> {
  const isRefunded = kurusOf(payment.refunded) > 0;
  if (kurusOf(payment.paid) === 0) return {...refundableOf(payment, money), isRefunded};
  // A refund that `Commands` reports to `Refunds` between the two reads counts twice. In the other order of the reads, it
  // would not count.
  const unsettled = await readUnsettled();
  const refunds = await objects.refunds().ofOrder(service, order);
  const sent = sumOf(refunds, ({state, amount}) => (SENDS_NOTHING.has(state) ? 0 : (amount ?? 0)));
  return {...refundableOf(payment, money, {sent, unsettled}), isRefunded: isRefunded || sent + unsettled > 0};
}

/**
 * An order as it is now, or was when it was deleted, of which only the reference is known; null for an unknown order.
 * `onBill` is what an order keeps that was paid on a phone bill, at least in part; otherwise 0.
 */
export async function findRefundable(objects: Objects, service: string, order: string, readUnsettled?: ReadUnsettled) {
  const details = await objects.order(service, order).details();
  const found = details ?? (await findPastOrder(objects, service, (month) => month.findOrder(order)));
  if (!found) return null;
  const payment = 'payment' in found ? found.payment : found;
  const refundable = await readRefundable(objects, {service, order}, payment, found.money, readUnsettled);
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

/** What an order's state is a reason to send back, with what is known of its refunds. */
export type Due = Pick<Refundable, 'amount'> & {readonly isRefunded: boolean};

/** Why nothing, or less, is due back. */
export const notDue = ({isRefunded}: Pick<Due, 'isRefunded'>) => (isRefunded ? 'already_refunded' : 'refund_too_large');
