/**
 * Hands each transaction that the platform has shown to its order. Only this file decides which order has a transfer:
 * of two records of it, the one that was asked for later counts, whether a list showed it or an order read it. A
 * transaction counts as seen only after its order has stored it. Until then it waits in the store, apart from the lists,
 * and the sweep tries to deliver it again after growing delays. The store also keeps it before an order loses it, so that
 * a crash between the loss of one order and the gain of another is repaired.
 */

import type {Context} from '../../context.ts';
import {inTime, mapConcurrent} from '../../lib/async.ts';
import {DAY_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {nextFailures} from '../../lib/retry.ts';
import {formatMonth} from '../../lib/time.ts';
import {type Arrival, readStatus, toArrival} from '../../platform/to-payment.ts';
import type {DatedBooking} from '../archive/booking.ts';
import {findRowsOfMoney} from '../archive/find-in-archive.ts';
import {entryOf} from '../events/entry.ts';
import {unmatchedEvent} from '../order/order-events.ts';
import type {ReceiveResult} from '../order/order-watchers.ts';
import type {Order} from '../order/order.ts';
import type {Settle} from '../service/poller.ts';
import {losersOf, type Owner, rebookings} from './rebooking.ts';
import {DELIVERY_HOLD, isHeld} from './sweep-progress.ts';
import type {SweepStore, TransactionReference} from './sweep-store.ts';
import type {RecordWithHistory, TransactionRecord} from './undelivered-store.ts';

/** How many orders are given their transactions in parallel. */
const DELIVERY_CONCURRENCY = 50;
/** How long an order may take to answer. Other orders wait until then. */
const ANSWER_MS = 15 * SECOND_MS;
/** How many waiting transactions one sweep tries to deliver again. */
const MAX_RETRIED = 100;

/** A transaction that is not settled yet. */
interface Found {
  readonly item: RecordWithHistory;
  readonly arrival: Arrival;
  /** Whether the sweep knew the order when the owner was decided. */
  readonly isTracked: boolean;
  /** Whether the books may already have the money, because a different order may have had it. */
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
  deliver(items: readonly TransactionRecord[]): Promise<number> {
    return this.store.turns.run(() => this.#deliver(items));
  }

  async #deliver(items: readonly TransactionRecord[]): Promise<number> {
    let fresh = 0;
    const newArrivals = new Map<string, Found[]>();
    const owned: OwnedMoney[] = [];
    const forgotten = new Set(this.store.forgotten());
    for (const shown of new Map(items.map((one) => [one.id, one])).values()) {
      const {id, reader, askedAt} = shown;
      const reference = referenceOf(shown);
      const known = this.store.seen(id);
      const waiting = this.store.undelivered.find(id);
      const before = waiting?.item;
      const isAgain = before !== undefined && isSame(referenceOf(before), reference);
      // A newer record was processed already, or the last list named the same order, or it is too early for another try.
      if (askedAt < Math.max(known?.askedAt ?? 0, before?.askedAt ?? 0)) continue;
      if (!reader && !waiting && known?.isListed && isSame(known, reference)) continue;
      if (!reader && isAgain && isHeld(waiting?.hold ?? null, this.now)) continue;
      const tracked = this.store.orderFor(reference);
      // Only a list says that money belongs to an order which the sweep does not know.
      if (reader?.isNamed === false && tracked === null) continue;
      const isFresh = !reader && !known?.isListed && !before?.isListed;
      if (isFresh) fresh += 1;
      // A list that agrees with the waiting record does not say who read it.
      const readBy = reader ?? (isAgain ? before.reader : undefined);
      const named = readBy?.isNamed ? readBy.order : null;
      // An order that a record names which it has read itself is open, even if the sweep does not know it yet.
      const order = tracked ?? named;
      const holder = known?.holder ?? null;
      const mayHave = new Set(
        [...(before?.mayHave ?? []), holder, readBy?.order ?? null, order].filter((one) => one !== null),
      );
      const item: RecordWithHistory = {
        ...shown,
        ...(forgotten.has(id) && {user_name: null, remote_description: null}),
        reader: readBy,
        firstReadAt: before?.firstReadAt ?? known?.askedAt ?? askedAt,
        isListed: !reader || known?.isListed || before?.isListed || false,
        mayHave: [...mayHave],
      };
      // A list that shows the transaction for the first time may be older than what the holder has read itself.
      const isLate = isFresh && reference.order === null && reference.code === null;
      if (!waiting && holder !== null && (isLate || (holder === order && reader?.isNamed !== false))) {
        this.#markSeen(item, holder);
        continue;
      }
      const losers = item.mayHave.filter((one) => one !== order);
      if (losers.length > 0) {
        this.#keep(item);
        if (!(await this.#takeFrom(losers, item))) continue;
      }
      const owner = this.#ownerWithoutOrder(reference);
      const isForeign = order === null && owner.is === 'somebody else' && !known && !waiting;
      // An order that has not read the record itself reads status and refunds together.
      const status = readStatus(named === order ? item.status : null, this.context.config);
      const arrival = isForeign ? null : toArrival(item, item.firstReadAt, status);
      if (arrival === null) {
        this.#markSeen(item, null);
        continue;
      }
      const isTracked = tracked !== null;
      const found = {item, arrival, isTracked, isMoved: !isTracked || known !== undefined || waiting !== undefined};
      if (order === null) owned.push({...found, owner});
      else newArrivals.set(order, [...(newArrivals.get(order) ?? []), found]);
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
    for (const {item, owner} of owned.filter(({isMoved}) => !isMoved)) this.#markSeen(item, holderOf(owner));
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
      for (const {item, owner, isTracked} of rebooked) {
        const holder = holderOf(owner);
        // An order that is tracked since the decision gets the money with the next try.
        if (holder === null && !isTracked && this.store.orderFor(referenceOf(item))) this.#keep(item);
        else this.#markSeen(item, holder);
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
    const booked = await findRowsOfMoney(objects, this.service, ids, formatMonth(oldest));
    const bookedOf = Map.groupBy(booked, ({transaction}) => transaction);
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

  #markSeen(item: RecordWithHistory, holder: string | null): void {
    const {id, reader, askedAt, isListed} = item;
    // What an order has read itself says nothing about the next list.
    const {order, code} = reader ? (this.store.seen(id) ?? {order: null, code: null}) : referenceOf(item);
    this.store.markSeen({id, order, code, holder, askedAt, isListed});
    this.store.undelivered.delete(id);
  }

  /** Keeps a transaction that could not be delivered. */
  #keep(item: RecordWithHistory): void {
    const last = this.store.undelivered.find(item.id)?.hold ?? null;
    this.store.undelivered.put(item, nextFailures(DELIVERY_HOLD, last, this.now));
  }

  #receiveArrivals(order: string, found: readonly Found[]): Promise<ReceiveResult | null> {
    return this.#notifyOrder(order, (stub) =>
      stub.receiveArrivals(
        found.map(({arrival}) => arrival),
        Math.max(...found.map(({item}) => listedAt(item))),
      ),
    );
  }

  /**
   * Takes the money from orders to which the platform no longer assigns it.
   * @returns when each of the orders that are open was placed; null if one of them could not be reached.
   */
  async #takeFrom(orders: readonly string[], item: RecordWithHistory): Promise<Map<string, number> | null> {
    const open = new Map<string, number>();
    for (const order of orders) {
      const result = await this.#notifyOrder(order, (stub) => stub.removeArrival(item.id, listedAt(item)));
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
      const unanswered = () => new Error(`no answer within ${ANSWER_MS} ms`);
      const result = await inTime(deliver(this.context.objects.order(service, order)), ANSWER_MS, unanswered);
      this.settle(order, result.settled);
      return result;
    } catch (error) {
      log('error', 'delivery_failed', {service, order, error: describeError(error)});
      return null;
    }
  }
}

function referenceOf({id, order_refno: order, code}: TransactionRecord): TransactionReference {
  return {id, order, code};
}

/** The open order that has the money; null if none has it. */
const holderOf = (owner: Owner): string | null => (owner.is === 'open order' ? owner.order : null);

/** When a list showed the record; 0 if an order has read it, which is no search for the order's money. */
const listedAt = ({reader, askedAt}: RecordWithHistory): number => (reader ? 0 : askedAt);

function isSame(one: TransactionReference | undefined, other: TransactionReference): boolean {
  return one !== undefined && one.order === other.order && one.code === other.code;
}
