/** Reads the transactions of a service, and hands each transaction to its order. */

import type {Context} from '../../context.ts';
import {HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log, type LogFields} from '../../lib/log.ts';
import {type PollReader, type Settle, UnreadableRowsReporter} from '../service/poller.ts';
import {Delivery} from './delivery.ts';
import {pacedInterval, type SearchesPerMinute, searchesPerMinute} from './pace.ts';
import type {SweepStore, Viewers} from './sweep-store.ts';
import {TransactionList} from './transaction-list.ts';
import {describeSearchError} from './transaction-search.ts';

/**
 * The longest interval between failing polls while a page awaits money. When the platform recovers, the page shows its
 * money within this time.
 */
const MAX_FAILING_INTERVAL_MS = 15 * SECOND_MS;
/** Poll interval while an order is open but no page views an order. */
const IDLE_MS = 5 * MINUTE_MS;

export class TransferReader implements PollReader {
  readonly retry = {firstMs: 6 * SECOND_MS, maxMs: MAX_FAILING_INTERVAL_MS};
  readonly maxPauseMs = MAX_FAILING_INTERVAL_MS;
  readonly #unreadable = new UnreadableRowsReporter('transactionSearch');

  constructor(
    private readonly store: SweepStore,
    private readonly settle: Settle,
    private readonly context: () => Context,
  ) {}

  async read(service: string, now: number): Promise<void> {
    this.store.markReading(now);
    const context = this.context();
    const delivery = new Delivery(context, this.store, this.settle, service, now);
    let rows = 0;
    const list = new TransactionList(context.platform, this.store, service, now, async (items, askedAt) => {
      const fresh = await delivery.deliver(items.map((item) => ({...item, status: null, askedAt})));
      rows += fresh;
      return fresh;
    });
    try {
      const {searches, unreadable} = await list.read(this.store.oldestRegisteredAt() ?? now);
      this.#unreadable.report(service, unreadable, now);
      log('info', 'sweep', {service, searches, rows, duration_ms: Date.now() - now});
    } finally {
      // Transactions that were read before an error stay known.
      this.store.saveIfNeeded(this.interval(Date.now()));
    }
  }

  interval(now: number): number {
    const pace = this.store.pace();
    const wantedMs = this.store.mustReadAgain() ? 0 : sweepInterval(this.store.viewers(now), now);
    const intervalMs = pacedInterval(wantedMs, pace, this.#allowed(now), now);
    return Math.max(intervalMs, (pace.slowdown?.until ?? 0) - this.store.readAt());
  }

  /** With a wrong configuration there is no budget, but the next sweep must be planned all the same. */
  #allowed(now: number): number {
    try {
      return allowedSearches(this.context(), this.store, now).sweeps;
    } catch {
      return Infinity;
    }
  }

  logFailure(error: unknown, fields: LogFields): void {
    log('warn', 'sweep_failed', {...describeSearchError(error), ...fields});
  }
}

/** How many searches of the service a minute may have, by sweeps and by the merchant's server. */
export function allowedSearches({config}: Context, store: SweepStore, now: number): SearchesPerMinute {
  const {phsCallsPerMinute: budget} = config;
  return searchesPerMinute(budget === null ? null : budget / config.services.size, store.newOrders(now));
}

/**
 * Milliseconds from one sweep to the next. The age of the newest page that awaits money decides. If pages are open but
 * no page awaits money, a second transfer may still arrive, but finding it is not urgent.
 */
export function sweepInterval({newestOpenedAt, isViewed}: Viewers, now: number): number {
  if (newestOpenedAt === null) return isViewed ? MINUTE_MS : IDLE_MS;
  const age = now - newestOpenedAt;
  if (age < 10 * MINUTE_MS) return 3 * SECOND_MS;
  return age < HOUR_MS ? 15 * SECOND_MS : MINUTE_MS;
}
