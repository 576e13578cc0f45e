/**
 * Hands each transaction of the platform's lists to its order. A transaction counts as seen only after its order has
 * stored it. If an order cannot be reached, its transactions wait in the store, apart from the lists. The sweep tries
 * to deliver a waiting transaction again after growing delays. The lists count waiting transactions as known.
 */

import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Arrival, readStatus, toArrival} from '../../platform/to-payment.ts';
import {type Booking, book, NO_DETAILS} from '../archive/booking.ts';
import {unmatchedEvent} from '../order/order-events.ts';
import type {ReceiveResult} from '../order/order-watchers.ts';
import type {Order} from '../order/order.ts';
import {DELIVERY_HOLD, isHeld, nextHold} from './sweep-progress.ts';
import type {SweepStore, TransactionReference} from './sweep-store.ts';
import type {Deliverable} from './undelivered-store.ts';

/** How many orders are given their transactions in parallel. */
const DELIVERY_CONCURRENCY = 50;
/** How many waiting transactions one sweep tries to deliver again. */
const MAX_RETRIED = 100;

/** A transaction that its order does not have yet. */
interface NewArrival {
  readonly item: Deliverable;
  readonly arrival: Arrival;
  /** Whether the money named no order before. */
  readonly wasUnmatched: boolean;
}

export class Delivery {
  constructor(
    private readonly context: Context,
    private readonly store: SweepStore,
    private readonly service: string,
    private readonly now: number,
  ) {}

  /** Tries again to deliver the transactions whose hold is over. */
  async retry(): Promise<void> {
    await this.deliver(this.store.undelivered.due(this.now, MAX_RETRIED));
  }

  /** Hands new and newly matched transactions to their orders. @returns how many of them were not known before. */
  async deliver(items: readonly Deliverable[]): Promise<number> {
    let fresh = 0;
    const newArrivals = new Map<string, NewArrival[]>();
    const unmatched: NewArrival[] = [];
    for (const item of new Map(items.map((one) => [one.id, one])).values()) {
      const reference = referenceOf(item);
      const known = this.store.seen(item.id);
      if (isSame(known, reference)) continue;
      const waiting = this.store.undelivered.find(item.id);
      if (waiting && isHeld(waiting.hold, this.now) && isSame(referenceOf(waiting.item), reference)) continue;
      if (!known && !waiting) fresh += 1;
      const order = this.store.orderFor(reference);
      // An order that did not answer may have stored the money.
      const last = known ?? (waiting && referenceOf(waiting.item));
      const former = last ? this.store.orderFor(last) : null;
      if (former !== null && former !== order && !(await this.#removeArrival(former, item.id))) {
        this.#keep(item);
        continue;
      }
      const isNamed = isNamedIn(reference);
      const wasUnmatched = isNamed && last !== undefined && !isNamedIn(last);
      const isUnmatched = !known && (!isNamed || (order === null && this.store.closedAt(reference) !== null));
      const arrival =
        order === null && !isUnmatched && !wasUnmatched
          ? null
          : toArrival(item, this.now, readStatus(null, this.context.config));
      if (isUnmatched && arrival) unmatched.push({item, arrival, wasUnmatched});
      else if (arrival === null) this.#markSeen(item);
      else if (order === null) await this.#settle([{item, arrival, wasUnmatched}]);
      else newArrivals.set(order, [...(newArrivals.get(order) ?? []), {item, arrival, wasUnmatched}]);
    }
    await mapConcurrent(DELIVERY_CONCURRENCY, [...newArrivals], async ([order, found]) => {
      const result = await this.#receiveArrivals(order, found);
      if (result?.isDeleted) {
        unmatched.push(...found);
        this.store.moveToClosed(order, Math.min(...found.map(({arrival}) => arrival.at)));
      } else if (result) await this.#settle(found);
      else for (const {item} of found) this.#keep(item);
    });
    await this.#reportUnmatched(unmatched);
    return fresh;
  }

  /**
   * Reports money that the platform matched to no order, or to an order that is closed here. Other money that names an
   * order or a code is not reported, because the order may belong to another system. The money counts as seen after the
   * outbox has stored its event and the books have it, so that the money is reported once.
   */
  async #reportUnmatched(found: readonly NewArrival[]): Promise<void> {
    if (found.length === 0) return;
    const {service} = this;
    const events = found.map(({item: {order_refno: order, code}, arrival}) =>
      unmatchedEvent({service, order, code}, arrival, this.now),
    );
    try {
      await this.context.objects.outbox().append(events);
      await book(this.context.objects, service, found.map(toUnmatched));
      for (const {item} of found) this.#markSeen(item);
    } catch (error) {
      log('warn', 'events_waiting', {service, rows: events.length, error: describeError(error)});
      for (const {item} of found) this.#keep(item);
    }
  }

  /** Marks money as seen. If it named no order before, the books learn first that it now does. */
  async #settle(found: readonly NewArrival[]): Promise<void> {
    const {service} = this;
    const matched = found.filter(({wasUnmatched}) => wasUnmatched);
    try {
      // The books may not have the money yet, if an earlier delivery was interrupted.
      const bookings = matched.flatMap((each) => [toUnmatched(each), toMatched(each)]);
      if (matched.length > 0) await book(this.context.objects, service, bookings);
      for (const {item} of found) this.#markSeen(item);
    } catch (error) {
      log('warn', 'history_waiting', {service, rows: matched.length, error: describeError(error)});
      for (const {item} of found) this.#keep(item);
    }
  }

  #markSeen(item: Deliverable): void {
    this.store.markSeen(referenceOf(item), this.now);
    this.store.undelivered.delete(item.id);
  }

  /** Keeps a transaction that could not be delivered. */
  #keep(item: Deliverable): void {
    const last = this.store.undelivered.find(item.id)?.hold ?? null;
    this.store.undelivered.put(item, nextHold(last, DELIVERY_HOLD, this.now));
  }

  #receiveArrivals(order: string, found: readonly NewArrival[]): Promise<ReceiveResult | null> {
    return this.#notifyOrder(order, (stub) =>
      stub.receiveArrivals(
        found.map(({arrival}) => arrival),
        this.now,
      ),
    );
  }

  /** Removes a transaction from its former order, because the platform's staff matched it to a different order. */
  #removeArrival(order: string, transaction: string): Promise<ReceiveResult | null> {
    return this.#notifyOrder(order, (stub) => stub.removeArrival(transaction, this.now));
  }

  /** @returns the order's answer; null if it could not be reached. */
  async #notifyOrder(
    order: string,
    deliver: (stub: DurableObjectStub<Order>) => Promise<ReceiveResult>,
  ): Promise<ReceiveResult | null> {
    const {service} = this;
    try {
      const result = await deliver(this.context.objects.order(service, order));
      this.store.setSettled(order, result.settled);
      return result;
    } catch (error) {
      log('error', 'delivery_failed', {service, order, error: describeError(error)});
      return null;
    }
  }
}

function referenceOf({id, order_refno: order, code}: Deliverable): TransactionReference {
  return {id, order, code};
}

function isNamedIn({order, code}: Pick<TransactionReference, 'order' | 'code'>): boolean {
  return order !== null || code !== null;
}

function toUnmatched({item, arrival, wasUnmatched}: NewArrival): Booking {
  const {id, amount, currency, bank, at, sender} = arrival;
  const description = item.remote_description;
  const names = wasUnmatched ? NO_DETAILS : {order: item.order_refno, code: item.code};
  const money = {
    amount,
    currency,
    bank,
    method: 'transfer',
    sender: sender ?? null,
    description,
    transaction: id,
  } as const;
  return {
    ...NO_DETAILS,
    ...money,
    order: names.order,
    code: names.code,
    id: `unmatched ${id}`,
    type: 'money.unmatched',
    at,
  };
}

function toMatched(found: NewArrival): Booking {
  return {...toUnmatched(found), id: `matched ${found.arrival.id}`, type: 'money.matched', code: found.item.code};
}

function isSame(one: TransactionReference | undefined, other: TransactionReference): boolean {
  return one !== undefined && one.order === other.order && one.code === other.code;
}
