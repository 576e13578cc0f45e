/**
 * Stores the orders whose shoppers opened the platform's payment page, and how far mobile billing's list of charges was
 * read.
 */

import {MINUTE_MS} from '../../lib/durations.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {type Backoff, isSameBackoff, type PollStore} from '../sweep/poller.ts';
import {BY_CHANGE, type ChargeList, type ChargeReading} from './charge-list.ts';
import {TimeSpellings} from './modified-since.ts';

export interface AwaitedOrder {
  /** The merchant's reference. */
  readonly order: string;
  /** The time from which no charge of the payment page can follow. All times here are epoch milliseconds. */
  readonly until: number;
}

/** How many searches were left at a moment. */
interface StoredAllowance {
  readonly left: number;
  readonly at: number;
}

/**
 * Searches are limited by a token bucket. Each refill interval adds one search to it. Over a day this is about half of the
 * 1,000 searches that the platform allows.
 */
const ALLOWANCE_SIZE = 100;
const ALLOWANCE_REFILL_MS = 3 * MINUTE_MS;

export const CHARGES: StoreSchema = {
  name: 'charges',
  createdOn: 'wake',
  steps: [
    statements(
      'CREATE TABLE awaited ("order" TEXT PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL, viewed_until INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID',
      'CREATE INDEX awaited_until ON awaited (until)',
      'CREATE INDEX awaited_viewed_until ON awaited (viewed_until)',
    ),
  ],
};

export class ChargeStore implements PollStore {
  readonly spellings: TimeSpellings;
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.spellings = new TimeSpellings(storage.kv, 'timeSpellings');
    this.#sql = storage.sql;
  }

  service(): string | undefined {
    return this.storage.kv.get<string>('service');
  }

  setService(service: string): void {
    if (this.service() !== service) this.storage.kv.put('service', service);
  }

  trackOrder({order, until}: AwaitedOrder, now: number): void {
    this.#sql.exec(
      'INSERT INTO awaited ("order", since, until) VALUES (?, ?, ?) ON CONFLICT ("order") DO UPDATE SET until = max(until, excluded.until)',
      order,
      now,
      until,
    );
  }

  /** When the oldest tracked order began to be tracked; null if no order is tracked. */
  oldestSince(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(since) AS at FROM awaited').one().at;
  }

  recordWatch({order, until, settled}: Pick<WatchReport, 'order' | 'until' | 'settled'>): void {
    this.#sql.exec('UPDATE awaited SET viewed_until = ? WHERE "order" = ?', settled ? 0 : until, order);
  }

  /** Records that the order awaits no more money. The order's viewers then no longer shorten the interval. */
  setSettled(order: string): void {
    this.recordWatch({order, until: 0, settled: true});
  }

  isTracked(order: string): boolean {
    return this.#sql.exec('SELECT 1 FROM awaited WHERE "order" = ?', order).toArray().length > 0;
  }

  deleteClosed(until: number): void {
    this.#sql.exec('DELETE FROM awaited WHERE until <= ?', until);
  }

  isAnyTracked(): boolean {
    return this.#sql.exec('SELECT 1 FROM awaited LIMIT 1').toArray().length > 0;
  }

  isAnyWatched(now: number): boolean {
    return this.#sql.exec('SELECT 1 FROM awaited WHERE viewed_until > ? LIMIT 1', now).toArray().length > 0;
  }

  reading(): ChargeReading | undefined {
    return this.storage.kv.get<ChargeReading>('reading');
  }

  setReading(reading: ChargeReading): void {
    this.storage.kv.put('reading', reading);
  }

  /** How the platform's list is read. */
  list(): ChargeList {
    return this.storage.kv.get<ChargeList>('list') ?? BY_CHANGE;
  }

  setList(list: ChargeList): void {
    this.storage.kv.put('list', list);
  }

  asOf(): number | null {
    return this.storage.kv.get<number>('asOf') ?? null;
  }

  /** See `PollStore.readUntil`: every search continues where the last one ended. */
  readUntil(): number {
    return this.asOf() ?? 0;
  }

  setAsOf(now: number): void {
    this.storage.kv.put('asOf', now);
  }

  backoff(): Backoff {
    return this.storage.kv.get<Backoff>('backoff') ?? {readAt: 0, failures: 0, retryAfterMs: null};
  }

  setBackoff({readAt, failures, retryAfterMs}: Backoff): void {
    if (isSameBackoff(this.backoff(), {readAt, failures, retryAfterMs})) return;
    this.storage.kv.put<Backoff>('backoff', {readAt, failures, retryAfterMs});
  }

  markReading(now: number): void {
    this.setBackoff({...this.backoff(), readAt: now, retryAfterMs: null});
  }

  /** How many searches may be made now. */
  allowance(now: number): number {
    const {left, at} = this.storage.kv.get<StoredAllowance>('allowance') ?? {left: ALLOWANCE_SIZE, at: now};
    return Math.min(ALLOWANCE_SIZE, left + (now - at) / ALLOWANCE_REFILL_MS);
  }

  /** Counts one search. */
  countSearch(now: number): void {
    this.storage.kv.put<StoredAllowance>('allowance', {left: this.allowance(now) - 1, at: now});
  }

  /** Deletes the progress, which will be outdated when the next order is tracked. Keeps the allowance. */
  reset(): void {
    this.storage.kv.delete('reading');
    this.storage.kv.delete('backoff');
  }
}
