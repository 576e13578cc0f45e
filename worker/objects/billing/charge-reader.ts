/**
 * Finds the charges that shoppers paid on the platform's payment page, and those of which notifications say that they
 * changed. The return of the shopper to our page proves nothing.
 */

import type {Context} from '../../context.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log, type LogFields} from '../../lib/log.ts';
import {isSearchRefused} from '../../platform/habits.ts';
import {countRows} from '../../platform/reply-json.ts';
import {type PollReader, UnreadableRowsReporter} from '../service/poller.ts';
import type {BillingChanges} from './billing-changes.ts';
import type {WakeableList} from './billing-hints.ts';
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

/**
 * Poll intervals while a page views an order. The first applies while many searches are allowed, the second while few
 * searches are allowed.
 */
const WATCHED_INTERVAL_MS = 3 * SECOND_MS;
const SPARING_INTERVAL_MS = 10 * SECOND_MS;
/** Up to this many searches are left for pages that view an order: notifications use only the others. */
const PLENTIFUL_ALLOWANCE = 50;
/** Poll interval while a payment page is open, but no page views an order or no search is allowed now. */
const IDLE_INTERVAL_MS = 5 * MINUTE_MS;
/** The shortest interval because of a notification. */
const WOKEN_INTERVAL_MS = MINUTE_MS;
/** How long ago a charge may have changed that a notification names, if the list was not read meanwhile. */
const MAX_HINT_AGE_MS = DAY_MS;
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
export class ChargeReader implements PollReader, WakeableList {
  readonly retry = {firstMs: 6 * SECOND_MS, maxMs: 15 * MINUTE_MS};
  readonly maxPauseMs = Infinity;
  readonly #unreadable = new UnreadableRowsReporter('chargeSearch');

  constructor(
    private readonly store: ChargeStore,
    private readonly changes: BillingChanges,
    private readonly context: () => Context,
  ) {}

  /** See `WakeableList`. */
  wake(now: number): boolean {
    const list = this.store.list();
    if ('because' in list) return false;
    // A search that begins later reads the changes of this notification, too.
    if (this.store.hintedAt() <= this.store.readAt()) this.store.setHintedAt(now);
    return list.is === 'changed' && list.checkedAt > 0;
  }

  /** Reads one page of the changed charges. */
  async read(service: string, now: number): Promise<void> {
    const {store} = this;
    const stored = store.list();
    const list = this.#listToRead(stored, now);
    // Another way of reading has other pages.
    const last = list === stored ? store.reading() : undefined;
    const reading = beginReading(list, last, this.#firstSince(now));
    const begunAt = reading.begunAt ?? now;
    const page = await this.#search(service, list, reading, now);
    if (page === null) return;
    const isAnyWanted = this.#reportsAll && list.is === 'changed';
    for (const record of page.rows) {
      const order = record.referenceCode;
      const isTracked = order !== null && store.isTracked(order);
      if (!isTracked && !isAnyWanted) continue;
      await this.changes.receiveSearched(record, service);
    }
    const next = afterPage(list, reading, page, now);
    if (next.list !== stored) store.setList(next.list);
    if (next.isLast) store.setAsOf(begunAt);
    const isHintRead = next.isLast && store.hintedAt() > 0 && store.hintedAt() <= begunAt;
    if (isHintRead || 'because' in next.list) store.setHintedAt(0);
    if (next.isLast) store.setReading({since: begunAt - OVERLAP_MS, page: 1, begunAt: null});
    else if (next.list.is !== list.is) store.setReading({...reading, page: 1, begunAt: null});
    else store.setReading({...reading, page: reading.page + 1, begunAt});
  }

  /** Whether notifications say which charges change, so that all changes are reported. */
  get #reportsAll(): boolean {
    return this.context().config.notifications.has('billing');
  }

  /** How the list is read now. A platform that ignores the time of change would show charges that did not change. */
  #listToRead(stored: ChargeList, now: number): ChargeList {
    const list = currentList(stored, now);
    const isUnchecked = list.is === 'changed' && list.checkedAt === 0;
    return isUnchecked && this.store.hintedAt() > 0 ? {is: 'suspected'} : list;
  }

  /** From when on a new pass looks for charges. */
  #firstSince(now: number): number {
    const {store} = this;
    const unread = store.hintedAt() > 0 ? Math.max(store.asOf() ?? 0, now - MAX_HINT_AGE_MS) : now;
    return Math.min(store.oldestSince() ?? now, unread) - OVERLAP_MS;
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
      if ('because' in list || !isSearchRefused(error)) throw error;
      if (spellings.refuse(now)) {
        this.store.setReading(reading);
        return null;
      }
      log('warn', 'charges_unread', {service, error: describeError(error), retry_in_ms: this.interval(now)});
      this.store.setList(newestFirst('refused', now));
      this.store.setReading({...reading, page: 1, begunAt: null});
      return null;
    }
  }

  interval(now: number): number {
    const allowance = this.store.allowance(now);
    if (allowance < 1) return IDLE_INTERVAL_MS;
    const isPlentiful = allowance > PLENTIFUL_ALLOWANCE;
    if (this.store.isAnyWatched(now)) return isPlentiful ? WATCHED_INTERVAL_MS : SPARING_INTERVAL_MS;
    if (!isPlentiful) return IDLE_INTERVAL_MS;
    const isUnderway = (this.store.reading()?.begunAt ?? null) !== null || this.store.spellings.isTrial;
    if (isUnderway) return WATCHED_INTERVAL_MS;
    return this.store.hintedAt() > 0 ? WOKEN_INTERVAL_MS : IDLE_INTERVAL_MS;
  }

  logFailure(error: unknown, fields: LogFields): void {
    log('warn', 'charges_unread', {error: describeError(error), ...fields});
  }

  stop(): void {
    this.store.deleteReading();
  }
}
