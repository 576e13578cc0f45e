/**
 * Finds the charges that shoppers paid on the platform's payment page. The Worker has to search, because the platform
 * sends no notification of such charges, and because the return of the shopper to our page proves nothing.
 */

import type {Context} from '../../context.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log, type LogFields} from '../../lib/log.ts';
import {countRows} from '../../platform/reply-json.ts';
import {type Backoff, failingInterval, type PollReader, UnreadableRowsReporter} from '../sweep/poller.ts';
import type {BillingChanges} from './billing-changes.ts';
import {
  afterPage,
  beginReading,
  type ChargeList,
  type ChargePage,
  type ChargeReading,
  chargeSearch,
  currentList,
  newestFirst,
} from './charge-list.ts';
import type {ChargeStore} from './charge-store.ts';
import {isChangeSearchRefused} from './modified-since.ts';

/**
 * Poll intervals while a page views an order. The first applies while many searches are allowed, the second while few
 * searches are allowed.
 */
const WATCHED_INTERVAL_MS = 3 * SECOND_MS;
const SPARING_INTERVAL_MS = 10 * SECOND_MS;
const PLENTIFUL_ALLOWANCE = 50;
/** Poll interval while a payment page is open, but no page views an order or no search is allowed now. */
const IDLE_INTERVAL_MS = 5 * MINUTE_MS;
const MAX_FAILING_INTERVAL_MS = 15 * MINUTE_MS;
/**
 * Each pass also covers this much time before the start of the previous pass, because clocks differ, and charges may be
 * listed late.
 */
const OVERLAP_MS = 2 * MINUTE_MS;

/**
 * Reads the charges that changed since the last pass, with mobile billing's search (`docs/spec/subscriptions.md`, 2.5).
 * One search serves all tracked orders. The reader compares references itself, because the spec does not show a search
 * by reference. A poll sends one search, because the platform allows only one a second.
 */
export class ChargeReader implements PollReader {
  readonly #unreadable = new UnreadableRowsReporter('chargeSearch');

  constructor(
    private readonly store: ChargeStore,
    private readonly changes: BillingChanges,
    private readonly context: () => Context,
  ) {}

  /** Reads one page of the changed charges. */
  async read(service: string, now: number): Promise<void> {
    const {store} = this;
    const stored = store.list();
    const list = currentList(stored, now);
    // Another way of reading has other pages.
    const last = list === stored ? store.reading() : undefined;
    const reading = beginReading(list, last, (store.oldestSince() ?? now) - OVERLAP_MS);
    const begunAt = reading.begunAt ?? now;
    const page = await this.#search(service, list, reading, now);
    if (page === null) return;
    for (const record of page.rows) {
      const order = record.referenceCode;
      if (order === null || !store.isTracked(order)) continue;
      // If the order cannot be reached, the next poll repeats the page.
      const received = await this.changes.receiveCharge(record, service, 'searched');
      if (received?.settled) store.setSettled(order);
    }
    const next = afterPage(list, reading, page, now);
    if (next.list !== stored) store.setList(next.list);
    if (next.isLast) store.setAsOf(begunAt);
    if (next.isLast) store.setReading({since: begunAt - OVERLAP_MS, page: 1, begunAt: null});
    else if (next.list.is !== list.is) store.setReading({...reading, page: 1, begunAt: null});
    else store.setReading({...reading, page: reading.page + 1, begunAt});
  }

  /** Returns a page; null if the platform refused it, and the next poll searches differently. */
  async #search(service: string, list: ChargeList, reading: ChargeReading, now: number): Promise<ChargePage | null> {
    const {platform, config} = this.context();
    const serviceId = config.services.get(service)?.micropaymentId ?? '';
    const {spellings} = this.store;
    this.store.countSearch(now);
    try {
      const search = {serviceId, ...chargeSearch(list, reading, spellings, now)};
      const {transactions, meta} = await platform.call('chargeSearch', search, {isOwn: true});
      const {rows, unreadable} = transactions;
      if (search.search.length > 0) spellings.accept();
      this.#unreadable.report(service, unreadable, now);
      return {rows, count: countRows(transactions), pageCount: meta.pageCount};
    } catch (error) {
      if ('because' in list || !isChangeSearchRefused(error)) throw error;
      if (spellings.refuse(now)) return null;
      log('warn', 'charges_unread', {
        service,
        error: describeError(error),
        retry_in_ms: this.interval(NO_FAILURE, now),
      });
      this.store.setList(newestFirst('refused', now));
      this.store.setReading({...reading, page: 1, begunAt: null});
      return null;
    }
  }

  interval({failures, retryAfterMs}: Backoff, now: number): number {
    const allowance = this.store.allowance(now);
    const isUnderway = (this.store.reading()?.begunAt ?? null) !== null || this.store.spellings.isTrial;
    const isWanted = this.store.isAnyWatched(now) || isUnderway;
    const intervalMs =
      isWanted && allowance >= 1
        ? allowance > PLENTIFUL_ALLOWANCE
          ? WATCHED_INTERVAL_MS
          : SPARING_INTERVAL_MS
        : IDLE_INTERVAL_MS;
    return Math.max(retryAfterMs ?? 0, failingInterval(intervalMs, failures, MAX_FAILING_INTERVAL_MS));
  }

  logFailure(error: unknown, fields: LogFields): void {
    log('warn', 'charges_unread', {error: describeError(error), ...fields});
  }

  stop(): void {
    this.store.reset();
  }
}

const NO_FAILURE: Backoff = {readAt: 0, failures: 0, retryAfterMs: null};
