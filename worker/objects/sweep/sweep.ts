import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {describeError, log, type LogFields} from '../../lib/log.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {TransactionItem} from '../../platform/operations/transactions.ts';
import {type Arrival, toArrival} from '../../platform/to-payment.ts';
import type {ReceiveResult, WatchReport} from '../order/order-watchers.ts';
import type {Order} from '../order/order.ts';
import {failingInterval, circuitOpenInterval, sweepInterval, UnreadableRowsReporter} from './poller.ts';
import {type ProcessedRows, SweepReader} from './sweep-reader.ts';
import {type TransactionReference, SweepStore, type TrackedOrder} from './sweep-store.ts';

/** How many orders are told of their money at once. */
const DELIVERY_CONCURRENCY = 50;

/**
 * One a service: asks the platform for new transactions on behalf of every waiting page and hands each to its
 * order. A transaction counts as seen once its order has it, so one that is cut off is delivered again.
 */
export class Sweep extends DurableObject<Env> {
  readonly #store = new SweepStore(this.ctx.storage);
  readonly #unreadable = new UnreadableRowsReporter('transactionSearch');

  /** Watches an open order of the service from now on. */
  async trackOrder(service: string, order: TrackedOrder): Promise<void> {
    this.#store.setService(service);
    this.#store.trackOrder(order);
    await this.#schedule();
  }

  /** A page looks at an order; tells when the platform was last asked. */
  async reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    this.#store.recordWatch(report, Date.now());
    await this.#schedule();
    return {asOf: this.#store.asOf()};
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    const service = this.#store.service();
    const oldest = this.#store.oldestRegisteredAt(now);
    if (service === undefined || oldest === null) return;
    const {failures} = this.#store.backoff();
    this.#store.setBackoff({...this.#store.backoff(), sweptAt: now});
    try {
      await this.#sweep(service, oldest, now);
      this.#store.setBackoff({sweptAt: now, failures: 0, retryAfterMs: null});
    } catch (error) {
      const retryAfterMs =
        error instanceof PlatformError && error.failure.outcome === 'unsent' ? error.failure.retryAfterMs : null;
      this.#store.setBackoff({sweptAt: now, failures: retryAfterMs === null ? failures + 1 : failures, retryAfterMs});
      log('warn', 'sweep_failed', {service, ...describePlatformError(error), retry_in_ms: this.#interval(now)});
    }
    await this.#schedule();
  }

  async #sweep(service: string, oldest: number, now: number): Promise<void> {
    let rows = 0;
    const reader = new SweepReader(contextOf(this.env).platform, this.#store, service, async (items) => {
      const processed = await this.#processRows(service, items, now);
      rows += processed.fresh;
      return processed;
    });
    const {searches, unreadable} = await reader.read(oldest, now);
    this.#store.setAsOf(now);
    this.#unreadable.report(service, unreadable, now);
    log('info', 'sweep', {service, searches, rows, duration_ms: Date.now() - now});
  }

  /** Hands news to the orders concerned. */
  async #processRows(service: string, items: readonly TransactionItem[], now: number): Promise<ProcessedRows> {
    let fresh = 0;
    let undelivered = 0;
    const markSeen = (reference: TransactionReference, known: TransactionReference | undefined) => {
      this.#store.markSeen(reference, now);
      if (!known) fresh += 1;
    };
    const newArrivals = new Map<string, NewArrival[]>();
    for (const item of items) {
      const reference = {id: item.id, order: item.order_refno, code: item.code};
      const known = this.#store.seen(item.id);
      if (known && known.order === reference.order && known.code === reference.code) continue;
      const order = this.#store.orderFor(reference);
      const former = known ? this.#store.orderFor(known) : null;
      if (former !== null && former !== order && !(await this.#removeArrival(service, former, item.id, now))) {
        undelivered += 1;
        continue;
      }
      const arrival = order === null ? null : toArrival(item, now);
      if (order === null || arrival === null) markSeen(reference, known);
      else newArrivals.set(order, [...(newArrivals.get(order) ?? []), {reference, known, arrival}]);
    }
    await mapConcurrent(DELIVERY_CONCURRENCY, [...newArrivals], async ([order, found]) => {
      if (await this.#deliver(service, order, found, now))
        for (const {reference, known} of found) markSeen(reference, known);
      else undelivered += found.length;
    });
    return {fresh, undelivered};
  }

  #deliver(service: string, order: string, found: readonly NewArrival[], now: number): Promise<boolean> {
    return this.#notifyOrder(service, order, (stub) =>
      stub.receiveArrivals(
        found.map(({arrival}) => arrival),
        now,
      ),
    );
  }

  /** Money that an operator matched to another order is not this one's any more. */
  #removeArrival(service: string, order: string, transaction: string, now: number): Promise<boolean> {
    return this.#notifyOrder(service, order, (stub) => stub.removeArrival(transaction, now));
  }

  /** Whether the order was told. One that could not be reached is told again by the next sweep. */
  async #notifyOrder(
    service: string,
    order: string,
    deliver: (stub: DurableObjectStub<Order>) => Promise<ReceiveResult>,
  ): Promise<boolean> {
    try {
      const {settled} = await deliver(contextOf(this.env).objects.order(service, order));
      this.#store.setSettled(order, settled);
      return true;
    } catch (error) {
      log('error', 'delivery_failed', {service, order, error: describeError(error)});
      return false;
    }
  }

  /** Plans the next sweep, unless one is planned that is soon enough. */
  async #schedule(): Promise<void> {
    const now = Date.now();
    const due = Math.max(now, this.#store.backoff().sweptAt + this.#interval(now));
    const planned = await this.ctx.storage.getAlarm();
    if (planned === null || planned > due) await this.ctx.storage.setAlarm(due);
  }

  #interval(now: number): number {
    const intervalMs = sweepInterval(this.#store.viewers(now), now);
    const {failures, retryAfterMs} = this.#store.backoff();
    return retryAfterMs === null
      ? failingInterval(intervalMs, failures)
      : circuitOpenInterval(intervalMs, retryAfterMs);
  }
}

/** A transaction its order has not heard of. */
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
