/**
 * Hands each transaction that the platform has shown to its order. Only this file decides which order has a transfer:
 * of two records of it, the one that was asked for later counts, whether a list showed it or an order read it. A
 * transaction counts as seen only after its order has stored it. Until then it waits in the store, apart from the lists,
 * and the sweep tries to deliver it again after growing delays. It also waits there before an order loses it, so that a
 * crash between the loss of one order and the gain of another is repaired.
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
import type {SeenTransaction, SweepStore, TransactionReference} from './sweep-store.ts';
import type {Deliverable, DeliverableRecord, Undelivered} from './undelivered-store.ts';

/** How many orders are given their transactions in parallel. */
const DELIVERY_CONCURRENCY = 50;
/** How many waiting transactions one sweep tries to deliver again. */
const MAX_RETRIED = 100;

/** A transaction that is not settled yet. */
interface Found {
  readonly item: DeliverableRecord;
  readonly arrival: Arrival;
  /** Whether the books may already have the money, because somebody else had it, or perhaps had it. */
  readonly isMoved: boolean;
}

interface OwnedMoney extends Found {
  readonly owner: Owner;
}

/** Money, and the rows that the books lack. */
interface Rebooked extends OwnedMoney {
  readonly rows: readonly DatedBooking[];
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

  /**
   * Hands new and newly matched transactions to their orders.
   * @returns how many of them no list has shown before.
   */
  deliver(items: readonly Deliverable[]): Promise<number> {
    return this.store.turns.run(() => this.#deliver(items));
  }

  async #deliver(items: readonly Deliverable[]): Promise<number> {
    let fresh = 0;
    const newArrivals = new Map<string, Found[]>();
    const owned: OwnedMoney[] = [];
    const forgotten = new Set(this.store.forgotten());
    for (const shown of new Map(items.map((one) => [one.id, one])).values()) {
      const known = this.store.seen(shown.id);
      const waiting = this.store.undelivered.find(shown.id);
      // What is newer has counted already.
      if (shown.askedAt < Math.max(known?.askedAt ?? 0, waiting?.item.askedAt ?? 0)) continue;
      const isFresh = shown.isListed && !known?.isListed && !waiting?.item.isListed;
      if (isFresh) fresh += 1;
      const reference = referenceOf(shown);
      const {reader} = shown;
      const isSettled = !waiting && isSame(known, reference) && reader?.isOwner !== false;
      if (isSettled && !isFresh && !reader) continue;
      const item = this.#withHistory(shown, known, waiting, forgotten);
      if (isSettled) {
        this.#markSeen(item);
        continue;
      }
      if (waiting && !reader && isHeld(waiting.hold, this.now) && isSame(referenceOf(waiting.item), reference)) {
        if (isFresh) this.store.undelivered.put(item, waiting.hold);
        continue;
      }
      const tracked = this.store.orderFor(reference);
      // An order that has read the record itself is open, even if the sweep does not know it yet.
      const order = tracked ?? (reader?.isOwner ? reader.order : null);
      const holders = [known ? this.store.orderFor(known) : null, reader?.order ?? null, ...item.holders];
      const losers = new Set(holders.flatMap((holder) => (holder === null || holder === order ? [] : [holder])));
      if (losers.size > 0) {
        this.#keep(item);
        if (!(await this.#takeFrom([...losers], item))) continue;
      }
      const owner = this.#ownerWithoutOrder(reference);
      const isNew = !known && !waiting && !reader;
      const isForeign = order === null && owner.is === 'somebody else' && isNew;
      const status = readStatus(item.status, this.context.config);
      const arrival = isForeign ? null : toArrival(item, item.firstReadAt, status);
      if (arrival === null) {
        this.#markSeen(item);
        continue;
      }
      const isMoved = tracked === null || known !== undefined || waiting !== undefined;
      if (order === null) owned.push({item, arrival, isMoved, owner});
      else newArrivals.set(order, [...(newArrivals.get(order) ?? []), {item, arrival, isMoved}]);
    }
    await this.#settle([...owned, ...(await this.#give(newArrivals))]);
    return fresh;
  }

  /** Gives orders their money. What they cannot take now is kept. @returns who has the money now. */
  async #give(money: ReadonlyMap<string, readonly Found[]>): Promise<OwnedMoney[]> {
    const given = await mapConcurrent(DELIVERY_CONCURRENCY, [...money], async ([order, found]) => {
      const result = await this.#receiveArrivals(order, found);
      if (!result || result.isUndecided) {
        for (const {item} of found) this.#keep(item);
        return [];
      }
      const {createdAt, isForeign} = result;
      if (createdAt === null) this.store.moveToClosed(order, Math.min(...found.map(({arrival}) => arrival.at)));
      return found.map((each): OwnedMoney => {
        const {item, arrival, isMoved} = each;
        if (createdAt === null || isForeign)
          return {...each, isMoved: true, owner: {is: isForeign ? 'somebody else' : 'nobody', order, code: item.code}};
        // Money that is older than its order may have been unmatched, or may have been another order's.
        return {...each, isMoved: isMoved || arrival.at < createdAt, owner: {is: 'open order', order, createdAt}};
      });
    });
    return given.flat();
  }

  /** The record, with what earlier records of the transaction say. */
  #withHistory(
    shown: Deliverable,
    known: SeenTransaction | undefined,
    waiting: Undelivered | undefined,
    forgotten: ReadonlySet<string>,
  ): DeliverableRecord {
    return {
      ...shown,
      ...(forgotten.has(shown.id) && {user_name: null, remote_description: null}),
      firstReadAt: waiting?.item.firstReadAt ?? known?.askedAt ?? shown.askedAt,
      isListed: shown.isListed || known?.isListed || waiting?.item.isListed || false,
      holders: this.#holders(waiting),
    };
  }

  /** See `DeliverableRecord.holders`. */
  #holders(waiting: Undelivered | undefined): string[] {
    if (!waiting) return [];
    const {item} = waiting;
    const last = this.store.orderFor(referenceOf(item)) ?? (item.reader?.isOwner ? item.reader.order : null);
    return [...new Set([...item.holders, ...(last === null ? [] : [last])])];
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
        rows.map((row) =>
          row.type === 'money.unmatched'
            ? entryOf(row, unmatchedEvent({service, order, code}, arrival, this.now))
            : entryOf(row),
        ),
      );
      if (entries.length > 0) await this.context.objects.outbox().receive(service, entries);
      for (const {item} of rebooked) this.#markSeen(item);
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
      const open = await this.#takeFrom(losersOf(rows, owner), item);
      if (!open) throw new Error('an order could not be reached');
      if (owner.is === 'open order') open.set(owner.order, owner.createdAt);
      const details = {...arrival, description: item.remote_description};
      return {...money, rows: rebookings(rows, owner, open, details, this.now)};
    });
  }

  #markSeen(item: DeliverableRecord): void {
    this.store.markSeen({...referenceOf(item), askedAt: item.askedAt, isListed: item.isListed});
    this.store.undelivered.delete(item.id);
  }

  /** Keeps a transaction that could not be delivered. */
  #keep(item: DeliverableRecord): void {
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
   * @returns when each of the orders that are open was placed; null if one of them could not be reached.
   */
  async #takeFrom(orders: readonly string[], {id}: DeliverableRecord): Promise<Map<string, number> | null> {
    const open = new Map<string, number>();
    for (const order of orders) {
      const result = await this.#notifyOrder(order, (stub) => stub.removeArrival(id, this.now));
      if (!result) return null;
      if (result.createdAt !== null) open.set(order, result.createdAt);
    }
    return open;
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
