/**
 * Hands each transaction of the platform's lists to its order. A transaction counts as seen only after its order has
 * stored it. If an order cannot be reached, its transactions wait in the store, apart from the lists. The sweep tries
 * to deliver a waiting transaction again after growing delays. The lists count waiting transactions as known.
 */

import type {Context} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {nextFailures} from '../../lib/retry.ts';
import {formatMonth} from '../../lib/time.ts';
import {type Arrival, readStatus, toArrival} from '../../platform/to-payment.ts';
import {askBooks, type DatedBooking} from '../archive/booking.ts';
import {entryOf} from '../events/entry.ts';
import {unmatchedEvent} from '../order/order-events.ts';
import type {ReceiveResult} from '../order/order-watchers.ts';
import type {Order} from '../order/order.ts';
import type {Settle} from '../service/poller.ts';
import {losersOf, type Owner, rebookings} from './rebooking.ts';
import {DELIVERY_HOLD, isHeld} from './sweep-progress.ts';
import {NO_REFERENCE, type SweepStore, type TransactionReference} from './sweep-store.ts';
import type {Deliverable} from './undelivered-store.ts';

/** How many orders are given their transactions in parallel. */
const DELIVERY_CONCURRENCY = 50;
/** How many waiting transactions one sweep tries to deliver again. */
const MAX_RETRIED = 100;

/** A transaction that is not settled yet. */
interface Found {
  readonly item: Deliverable;
  readonly arrival: Arrival;
  /** Whether the books may already have the money, because somebody else had it, or perhaps had it. */
  readonly isMoved: boolean;
}

interface OwnedMoney extends Found {
  readonly owner: Owner;
}

/** Money, and the rows that the books lack; null if an order knows better whose it is. */
interface Rebooked extends OwnedMoney {
  readonly rows: readonly DatedBooking[] | null;
}

export class Delivery {
  constructor(
    private readonly context: Context,
    private readonly store: SweepStore,
    private readonly settle: Settle,
    private readonly service: string,
    private readonly now: number,
  ) {}

  /** Tries again to deliver the transactions whose hold is over. */
  async retry(): Promise<void> {
    await this.store.turns.run(() => this.#deliver(this.store.undelivered.due(this.now, MAX_RETRIED)));
  }

  /** Hands new and newly matched transactions to their orders. @returns how many of them were not known before. */
  deliver(items: readonly Deliverable[]): Promise<number> {
    return this.store.turns.run(() => this.#deliver(items));
  }

  async #deliver(items: readonly Deliverable[]): Promise<number> {
    let fresh = 0;
    const newArrivals = new Map<string, Found[]>();
    const owned: OwnedMoney[] = [];
    const forgotten = new Set(this.store.forgotten());
    const nameless = {user_name: null, remote_description: null};
    for (const listed of new Map(items.map((one) => [one.id, one])).values()) {
      const reference = referenceOf(listed);
      const known = this.store.seen(listed.id);
      if (isSame(known, reference)) continue;
      const waiting = this.store.undelivered.find(listed.id);
      const firstReadAt = waiting?.item.firstReadAt ?? known?.readAt ?? this.now;
      // What waits was listed then, and not now.
      const listedAt = listed.listedAt ?? this.now;
      const item = {...listed, ...(forgotten.has(listed.id) && nameless), firstReadAt, listedAt};
      if (waiting && isHeld(waiting.hold, this.now) && isSame(referenceOf(waiting.item), reference)) continue;
      if (!known && !waiting) fresh += 1;
      const tracked = this.store.orderFor(reference);
      const order = tracked?.order ?? null;
      // An order that did not answer may have stored the money.
      const last = known ?? (waiting && referenceOf(waiting.item));
      const former = last ? (this.store.orderFor(last)?.order ?? null) : null;
      // An earlier try may have given the money to the new order.
      const losers = former === null || former === order ? [] : [former];
      const taken = await this.#takeFrom(losers, item, waiting ? order : null);
      if (taken === 'kept') this.#forget(item);
      if (taken === 'unreachable') this.#keep(item);
      if (typeof taken === 'string') continue;
      const owner = this.#ownerWithoutOrder(reference);
      const isForeign = order === null && owner.is === 'somebody else' && !last;
      const arrival = isForeign ? null : toArrival(item, firstReadAt, readStatus(null, this.context.config));
      if (arrival === null) {
        this.#markSeen(item);
        continue;
      }
      // Money that is older than its order may have been unmatched, or may have been another order's.
      const found = {item, arrival, isMoved: !tracked || last !== undefined || arrival.at < tracked.registeredAt};
      if (order === null) owned.push({...found, owner});
      else newArrivals.set(order, [...(newArrivals.get(order) ?? []), found]);
    }
    await mapConcurrent(DELIVERY_CONCURRENCY, [...newArrivals], async ([order, found]) => {
      const result = await this.#receiveArrivals(order, found);
      if (!result || result.isUndecided) for (const {item} of found) this.#keep(item);
      else if (result.createdAt === null) {
        this.store.moveToClosed(order, Math.min(...found.map(({arrival}) => arrival.at)));
        owned.push(
          ...found.map((each) => ({
            ...each,
            isMoved: true,
            owner: {is: 'nobody', order, code: each.item.code} as const,
          })),
        );
      } else if (result.isForeign) {
        const owner = {is: 'somebody else', order} as const;
        owned.push(...found.map((each) => ({...each, isMoved: true, owner: {...owner, code: each.item.code}})));
      } else {
        const {createdAt} = result;
        const owner = {is: 'open order', order, createdAt} as const;
        // An adopted order gets money that may have been unmatched before.
        const isOlder = ({arrival}: Found) => arrival.at < createdAt;
        owned.push(...found.map((each) => ({...each, isMoved: each.isMoved || isOlder(each), owner})));
      }
    });
    await this.#settle(owned);
    return fresh;
  }

  /** Who has money that no open order has. */
  #ownerWithoutOrder({order, code}: TransactionReference): Owner {
    const closed = this.store.closedFor({order, code});
    const isNamed = order !== null || code !== null;
    return isNamed && closed === null ? {is: 'somebody else', order, code} : {is: 'nobody', order: closed, code};
  }

  /**
   * Marks money as seen, after the outbox has the rows that say where it now belongs. Money that is nobody's is
   * reported, too. Other money that names an order or a code is not reported, because the order may belong to another
   * system.
   */
  async #settle(owned: readonly OwnedMoney[]): Promise<void> {
    for (const {item} of owned.filter(({isMoved}) => !isMoved)) this.#markSeen(item);
    const moved = owned.filter(({isMoved}) => isMoved);
    if (moved.length === 0) return;
    const {service} = this;
    try {
      const rebooked = await this.#rebook(moved);
      const entries = rebooked.flatMap(({item: {order_refno: order, code}, arrival, rows}) =>
        (rows ?? []).map((row) =>
          row.type === 'money.unmatched'
            ? entryOf(row, unmatchedEvent({service, order, code}, arrival, this.now))
            : entryOf(row),
        ),
      );
      if (entries.length > 0) await this.context.objects.outbox().receive(service, entries);
      for (const {item, rows} of rebooked) {
        if (rows) this.#markSeen(item);
        else this.#forget(item);
      }
    } catch (error) {
      log('warn', 'history_waiting', {service, rows: moved.length, error: describeError(error)});
      for (const {item} of moved) this.#keep(item);
    }
  }

  /** Finds the rows that the books lack. Orders that have the money of somebody else lose it first. */
  async #rebook(moved: readonly OwnedMoney[]): Promise<Rebooked[]> {
    const {objects} = this.context;
    const oldest = Math.min(...moved.map(({arrival}) => arrival.at), this.now) - DAY_MS;
    const ids = moved.map(({item}) => item.id);
    const booked = await askBooks(
      objects,
      this.service,
      (books, month): Promise<readonly DatedBooking[]> => books.bookingsOfMoney(month, ids),
      formatMonth(oldest),
    );
    const bookedOf = Map.groupBy(booked.flat(), ({transaction}) => transaction);
    return mapConcurrent(DELIVERY_CONCURRENCY, moved, async (money) => {
      const {item, arrival, owner} = money;
      const rows = bookedOf.get(item.id) ?? [];
      const newOrder = owner.is === 'open order' ? owner.order : null;
      const open = await this.#takeFrom(losersOf(rows, owner), item, newOrder);
      if (open === 'unreachable') throw new Error('an order could not be reached');
      if (open === 'kept') return {...money, rows: null};
      if (owner.is === 'open order') open.set(owner.order, owner.createdAt);
      const details = {...arrival, description: item.remote_description};
      return {...money, rows: rebookings(rows, owner, open, details, this.now)};
    });
  }

  #markSeen(item: Deliverable): void {
    this.store.markSeen(referenceOf(item), this.now);
    this.store.undelivered.delete(item.id);
  }

  /**
   * Leaves it to the next list whose the transaction is. No list agrees with what is stored of it, so that its rows in the
   * books are looked up.
   */
  #forget({id, firstReadAt = this.now}: Deliverable): void {
    this.store.markSeen({id, ...NO_REFERENCE}, firstReadAt);
    this.store.undelivered.delete(id);
  }

  /** Keeps a transaction that could not be delivered. */
  #keep(item: Deliverable): void {
    const last = this.store.undelivered.find(item.id)?.hold ?? null;
    this.store.undelivered.put(item, nextFailures(DELIVERY_HOLD, last, this.now));
  }

  #receiveArrivals(order: string, found: readonly Found[]): Promise<ReceiveResult | null> {
    return this.#notifyOrder(order, (stub) =>
      stub.receiveArrivals(
        found.map(({arrival}) => arrival),
        this.now,
      ),
    );
  }

  /**
   * Takes the money from orders to which the platform no longer assigns it.
   * @param newOrder - The order that may have got it instead. It loses the money if one of the others has read later that
   * it has it.
   * @returns when each of the orders that are open was placed; `kept` if one of them keeps the money.
   */
  async #takeFrom(
    orders: readonly string[],
    item: Deliverable,
    newOrder: string | null,
  ): Promise<Map<string, number> | 'kept' | 'unreachable'> {
    const open = new Map<string, number>();
    for (const order of orders) {
      const result = await this.#removeArrival(order, item);
      if (!result) return 'unreachable';
      if (result.isKept)
        return newOrder === null || (await this.#removeArrival(newOrder, item)) ? 'kept' : 'unreachable';
      if (result.createdAt !== null) open.set(order, result.createdAt);
    }
    return open;
  }

  /** Removes a transaction from its former order, because the platform's staff matched it to a different order. */
  #removeArrival(order: string, {id, listedAt = this.now}: Deliverable): Promise<ReceiveResult | null> {
    return this.#notifyOrder(order, (stub) => stub.removeArrival(id, listedAt));
  }

  /** @returns the order's answer; null if it could not be reached. */
  async #notifyOrder(
    order: string,
    deliver: (stub: DurableObjectStub<Order>) => Promise<ReceiveResult>,
  ): Promise<ReceiveResult | null> {
    const {service} = this;
    try {
      const result = await deliver(this.context.objects.order(service, order));
      this.settle(order, result.settled);
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

function isSame(one: TransactionReference | undefined, other: TransactionReference): boolean {
  return one !== undefined && one.order === other.order && one.code === other.code;
}
