/** Changes of the money of an order. The functions are pure. */

import {DAY_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import type {Arrival, PaidCharge} from '../../platform/to-payment.ts';
import {journalWithoutPerson} from './journal.ts';
import {takesTransfers} from './order-code-changes.ts';
import {type OrderArrival, type OrderState, retained, type StoredRefund, withRecord} from './order-state.ts';
import {isSame} from './payment.ts';

/** The order whose money is checked now: all, or what is new. */
export function withStatusAsked(order: OrderState, asked: 'all' | 'new', now: number): OrderState {
  return withRecord(order, {checks: {since: Math.min(order.record?.checks?.since ?? now, now), asked}});
}

/** The order with those of the transfers that are new. Their status is checked now. */
export function withArrivals(order: OrderState, found: readonly OrderArrival[], now: number): OrderState {
  const {record, money} = order;
  const known = new Set(money.arrivals.map(({id}) => id));
  const added = found.filter(({id}) => !known.has(id) && known.add(id));
  if (!record || added.length === 0 || !takesTransfers(record)) return order;
  const arrivals = [...money.arrivals, ...(record.forgotten ? added.map(withoutSender) : added)];
  return withStatusAsked(retained({...order, money: {...money, arrivals}}), record.checks?.asked ?? 'new', now);
}

/** The order without a transfer that the platform assigns to a different order. */
export function withoutArrival(order: OrderState, id: string): OrderState {
  const {money} = order;
  const arrivals = money.arrivals.filter((arrival) => arrival.id !== id);
  return arrivals.length < money.arrivals.length ? {...order, money: {...money, arrivals}} : order;
}

/** What the platform says about one transfer. */
export type ReadArrival = Pick<OrderArrival, 'id' | 'state' | 'amount' | 'pending'>;

/** The order with the state that the platform reports for a transfer, and its amount if the amount was unknown. */
export function withReadArrival(order: OrderState, {id, state, amount, pending}: ReadArrival): OrderState {
  const {money} = order;
  const index = money.arrivals.findIndex((arrival) => arrival.id === id);
  const known = money.arrivals[index];
  if (!known) return order;
  const read = {...known, state, amount: known.amount ?? amount, pending};
  if (read.state === known.state && read.amount === known.amount && pending === known.pending) return order;
  return {...order, money: {...money, arrivals: money.arrivals.with(index, read)}};
}

/** States of a charge whose money has arrived. */
const ARRIVED: ReadonlySet<string> = new Set(['successful', 'refund_in_progress', 'refunded']);

/** Whether a charge is of a deleted order with the same reference; clocks may differ. */
export function isOfDeleted({at}: PaidCharge, {createdAt}: {readonly createdAt: number | null}): boolean {
  return createdAt === null || at < createdAt - DAY_MS;
}

/** The order with the charge as it is now, or without the charge if it failed. */
export function withCharge(order: OrderState, found: PaidCharge): OrderState {
  const {record, money} = order;
  const {id, state} = found;
  if (!record || isOfDeleted(found, record)) return order;
  const known = money.charges.find((charge) => charge.id === id);
  const others = money.charges.filter((charge) => charge !== known);
  // A later reply may lack the amount.
  const amount = found.amount ?? known?.amount ?? null;
  if (!ARRIVED.has(state)) return known ? {...order, money: {...money, charges: others}} : order;
  // An unknown time stays when the charge was first read.
  const {at, timeUnknown} = known && found.timeUnknown ? known : found;
  const overdue = known?.at === at ? known.overdue : undefined;
  const charge: OrderArrival = {...known, id, amount, currency: 'TRY', bank: null, at, timeUnknown, state, overdue};
  if (isSame(known, charge)) return order;
  return retained({...order, money: {...money, charges: [...others, charge]}});
}

/** The order with a refund as it is now. A failed refund stays as one that sent nothing back. A result stays. */
export function withRefund(order: OrderState, refund: StoredRefund): OrderState {
  const {money} = order;
  const known = money.refunds.find(({id}) => id === refund.id);
  const isOlder = known !== undefined && known.onItsWay === undefined && refund.onItsWay !== undefined;
  if (!order.record || isOlder || isSame(known, refund)) return order;
  const others = money.refunds.filter((each) => each !== known);
  return {...order, money: {...money, refunds: [...others, refund]}};
}

/** States of a refund of which the platform has no result yet. */
const UNDER_WAY: ReadonlySet<string> = new Set(['waiting', 'processing', 'not_notified']);

/** A refund of this amount in a state of the platform. */
export function refundIn(state: string, amount: Kurus, id: string, transactionId: string | null): StoredRefund {
  const sent = state === 'successful' ? amount : 0;
  return {id, amount: sent, transactionId, ...(UNDER_WAY.has(state) && {onItsWay: amount})};
}

const withoutSender = <T extends Arrival>(arrival: T): T => ({...arrival, sender: undefined});

/** The order without anything that names a person. */
export function withoutPerson(order: OrderState): OrderState {
  const {record, money} = order;
  const arrivals = money.arrivals.map(withoutSender);
  return {
    ...withRecord(order, {
      forgotten: true,
      userId: undefined,
      ...(record?.page && {page: {campaign: record.page.campaign}}),
      ...(record?.expected?.before && {
        expected: {...record.expected, before: {...record.expected.before, userId: undefined}},
      }),
    }),
    ...(money.arrivals.some(({sender}) => sender !== undefined) && {money: {...money, arrivals}}),
    journal: journalWithoutPerson(order.journal),
    ...(order.prefill && {prefill: null}),
    ...(order.buyer && {buyer: null}),
  };
}
