import {type Context, contextOf} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log, type LogFields} from '../../lib/log.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {type Arrival, toArrival} from '../../platform/to-payment.ts';
import type {ReceiveResult, WatchReport} from '../order/order-watchers.ts';
import type {Order} from '../order/order.ts';
import {StoredObject} from '../stored-object.ts';
import type {ProcessedRows} from './list-reader.ts';
import {
  type Backoff,
  circuitOpenInterval,
  failingInterval,
  Poller,
  type PollReader,
  type PollTimes,
  UnreadableRowsReporter,
} from './poller.ts';
import {SWEEP, SweepStore, type TrackedOrder, type TransactionReference, type Viewers} from './sweep-store.ts';
import {TransactionList} from './transaction-list.ts';

/**
 * Asks the platform for new transactions on behalf of all open orders, and hands each transaction to its order. There
 * is one object per service. A transaction counts as seen only once its order has stored it, so an interrupted delivery
 * is repeated.
 */
export class Sweep extends StoredObject {
  static override readonly schemas = [SWEEP];

  readonly #store = new SweepStore(this.ctx.storage);
  readonly #poller = new Poller(this.ctx.storage, this.#store, new SweepReader(this.#store, () => contextOf(this.env)));

  /** From now on, looks for the money of this order. */
  async trackOrder(service: string, order: TrackedOrder): Promise<void> {
    this.#store.setService(service);
    this.#store.trackOrder(order);
    await this.#poller.schedule();
  }

  /** Records that a page views an order. @returns when the platform was last polled. */
  reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    return this.#poller.reportWatch(report);
  }

  /** When the platform was last polled, and when it will be polled next. */
  pollTimes(): Promise<PollTimes> {
    return this.#poller.times();
  }

  /**
   * How long ago the platform was last searched for the money of open orders, in ms; null while no order is open.
   * Orders that were opened since then count from their opening.
   */
  age(): number | null {
    const oldest = this.#store.oldestRegisteredAt();
    return oldest === null ? null : Math.max(0, Date.now() - Math.max(oldest, this.#store.asOf() ?? 0));
  }

  override alarm(): Promise<void> {
    return this.#poller.poll();
  }
}

/** How many orders are given their transactions in parallel. */
const DELIVERY_CONCURRENCY = 50;
/** Poll interval while an order is open but no page views an order. */
const IDLE_MS = 5 * MINUTE_MS;

/** Reads the transactions of a service, and hands each transaction to its order. */
class SweepReader implements PollReader {
  readonly #unreadable = new UnreadableRowsReporter('transactionSearch');

  constructor(
    private readonly store: SweepStore,
    private readonly context: () => Context,
  ) {}

  async read(service: string, now: number): Promise<void> {
    let rows = 0;
    const list = new TransactionList(this.context().platform, this.store, service, now, async (items) => {
      const processed = await this.#processRows(service, items, now);
      rows += processed.fresh;
      return processed;
    });
    const {searches, unreadable} = await list.read(this.store.oldestRegisteredAt() ?? now);
    this.store.setAsOf(now);
    this.#unreadable.report(service, unreadable, now);
    log('info', 'sweep', {service, searches, rows, duration_ms: Date.now() - now});
  }

  interval({failures, retryAfterMs}: Backoff, now: number): number {
    const intervalMs = sweepInterval(this.store.viewers(now), now);
    return retryAfterMs === null
      ? failingInterval(intervalMs, failures)
      : circuitOpenInterval(intervalMs, retryAfterMs);
  }

  logFailure(error: unknown, fields: LogFields): void {
    log('warn', 'sweep_failed', {...describePlatformError(error), ...fields});
  }

  /** Hands new and newly matched transactions to their orders. */
  async #processRows(service: string, items: readonly TransactionItem[], now: number): Promise<ProcessedRows> {
    let fresh = 0;
    let undelivered = 0;
    const markSeen = (reference: TransactionReference, known: TransactionReference | undefined) => {
      this.store.markSeen(reference, now);
      if (!known) fresh += 1;
    };
    const newArrivals = new Map<string, NewArrival[]>();
    const unmatched: NewArrival[] = [];
    for (const item of items) {
      const reference = {id: item.id, order: item.order_refno, code: item.code};
      const known = this.store.seen(item.id);
      if (known && known.order === reference.order && known.code === reference.code) continue;
      const order = this.store.orderFor(reference);
      const former = known ? this.store.orderFor(known) : null;
      if (former !== null && former !== order && !(await this.#removeArrival(service, former, item.id, now))) {
        undelivered += 1;
        continue;
      }
      const isUnmatched = !known && reference.order === null && reference.code === null;
      const arrival = order === null && !isUnmatched ? null : toArrival(item, now);
      if (isUnmatched && arrival) {
        unmatched.push({reference, known, arrival});
        continue;
      }
      if (order === null || arrival === null) markSeen(reference, known);
      else newArrivals.set(order, [...(newArrivals.get(order) ?? []), {reference, known, arrival}]);
    }
    // These transactions count as seen only once the outbox has their events, so each is reported once.
    if (await this.#reportUnmatched(service, unmatched, now))
      for (const {reference, known} of unmatched) markSeen(reference, known);
    else undelivered += unmatched.length;
    await mapConcurrent(DELIVERY_CONCURRENCY, [...newArrivals], async ([order, found]) => {
      if (await this.#deliver(service, order, found, now))
        for (const {reference, known} of found) markSeen(reference, known);
      else undelivered += found.length;
    });
    return {fresh, undelivered};
  }

  /**
   * Reports money that the platform matched to no order. Money that names an order or a code is not reported, because
   * the order may be another system's.
   * @returns whether the outbox could be reached. If not, the next sweep repeats the report.
   */
  async #reportUnmatched(service: string, found: readonly NewArrival[], now: number): Promise<boolean> {
    if (found.length === 0) return true;
    const events = found.map(({arrival: {id, amount, currency, bank, at}}) => ({
      type: 'transaction.unmatched' as const,
      key: [service, id].join('\n'),
      at: now,
      data: {
        service,
        transaction_id: id,
        amount: amount === null ? null : formatAmount(amount),
        currency,
        bank,
        at: formatInstant(at),
      },
    }));
    try {
      await this.context().objects.outbox().append(events);
      return true;
    } catch (error) {
      log('warn', 'events_waiting', {service, rows: events.length, error: describeError(error)});
      return false;
    }
  }

  #deliver(service: string, order: string, found: readonly NewArrival[], now: number): Promise<boolean> {
    return this.#notifyOrder(service, order, (stub) =>
      stub.receiveArrivals(
        found.map(({arrival}) => arrival),
        now,
      ),
    );
  }

  /** Takes a transaction from its former order, because the platform's staff matched it to a different order. */
  #removeArrival(service: string, order: string, transaction: string, now: number): Promise<boolean> {
    return this.#notifyOrder(service, order, (stub) => stub.removeArrival(transaction, now));
  }

  /** @returns whether the order could be reached. If not, the next sweep repeats the delivery. */
  async #notifyOrder(
    service: string,
    order: string,
    deliver: (stub: DurableObjectStub<Order>) => Promise<ReceiveResult>,
  ): Promise<boolean> {
    try {
      const {settled} = await deliver(this.context().objects.order(service, order));
      this.store.setSettled(order, settled);
      return true;
    } catch (error) {
      log('error', 'delivery_failed', {service, order, error: describeError(error)});
      return false;
    }
  }
}

/**
 * Milliseconds from one sweep to the next. The age of the newest page that awaits money decides. If pages are open but
 * none awaits money, a second transfer may still arrive, but it is not urgent.
 */
export function sweepInterval({newestOpenedAt, isViewed}: Viewers, now: number): number {
  if (newestOpenedAt === null) return isViewed ? MINUTE_MS : IDLE_MS;
  const age = now - newestOpenedAt;
  if (age < 10 * MINUTE_MS) return 3_000;
  return age < HOUR_MS ? 15_000 : MINUTE_MS;
}

/** A transaction that its order does not have yet. */
interface NewArrival {
  readonly reference: TransactionReference;
  readonly known: TransactionReference | undefined;
  readonly arrival: Arrival;
}

function describePlatformError(error: unknown): LogFields {
  if (!(error instanceof PlatformError)) return {error: describeError(error)};
  const {operation, failure} = error;
  switch (failure.outcome) {
    case 'refused':
      return {operation, platform_status: failure.status};
    case 'unknown':
      return {operation, fault: failure.fault};
    case 'unsent':
      return {operation, retry_in_ms: failure.retryAfterMs};
    case 'unconfigured':
      return {operation, names: [failure.family]};
  }
}
