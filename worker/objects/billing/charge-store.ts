/**
 * Stores the orders whose shoppers opened the platform's payment page, and how far mobile billing's list of charges was
 * read.
 */

import {MINUTE_MS} from '../../lib/durations.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import type {PollStore} from '../service/poller.ts';
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
      `CREATE TABLE awaited (
        "order" TEXT PRIMARY KEY, since INTEGER NOT NULL, until INTEGER NOT NULL,
        settled INTEGER NOT NULL DEFAULT 0, viewed_until INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
      'CREATE INDEX awaited_until ON awaited (until)',
      'CREATE INDEX awaited_viewed_until ON awaited (viewed_until)',
    ),
  ],
};

export class ChargeStore implements PollStore {
  readonly spellings: TimeSpellings;

  /** When the oldest tracked order began to be tracked; undefined if it must be read. Each write of the object asks. */
  #oldest: number | null | undefined;

  constructor(private readonly storage: ObjectStorage) {
    this.spellings = new TimeSpellings(storage.kv, 'chargeTimeSpellings');
  }

  trackOrder({order, until}: AwaitedOrder, now: number): void {
    this.storage.sql`
      INSERT INTO awaited ("order", since, until) VALUES (${order}, ${now}, ${until})
      ON CONFLICT ("order") DO UPDATE SET until = max(until, excluded.until)`;
    this.#oldest = undefined;
  }

  /** When the oldest tracked order began to be tracked; null if no order is tracked. */
  oldestSince(): number | null {
    if (this.#oldest === undefined)
      this.#oldest = this.storage.sql<{at: number | null}>`SELECT min(since) AS at FROM awaited`[0]?.at ?? null;
    return this.#oldest;
  }

  /** Records that a page views the order. @returns whether the order is tracked. */
  recordWatch({order, until, settled}: WatchReport): boolean {
    const known = this.storage.sql`
      UPDATE awaited SET viewed_until = ${until}, settled = ${settled ? 1 : 0} WHERE "order" = ${order} RETURNING 1`;
    return known.length > 0;
  }

  /** Records whether all of the order's money has arrived. Then its viewers do not shorten the interval. */
  setSettled(order: string, settled: boolean): void {
    const value = settled ? 1 : 0;
    this.storage.sql`UPDATE awaited SET settled = ${value} WHERE "order" = ${order} AND settled <> ${value}`;
  }

  isTracked(order: string): boolean {
    return this.storage.sql`SELECT 1 FROM awaited WHERE "order" = ${order}`.length > 0;
  }

  deleteClosed(until: number): void {
    this.storage.sql`DELETE FROM awaited WHERE until <= ${until}`;
    this.#oldest = undefined;
  }

  isAnyTracked(): boolean {
    return this.hintedAt() > 0 || this.oldestSince() !== null;
  }

  isAnyWatched(now: number): boolean {
    return this.storage.sql`SELECT 1 FROM awaited WHERE viewed_until > ${now} AND settled = 0 LIMIT 1`.length > 0;
  }

  reading(): ChargeReading | undefined {
    return this.storage.kv.get<ChargeReading>('chargeReading');
  }

  setReading(reading: ChargeReading): void {
    this.storage.kv.put('chargeReading', reading);
  }

  /** How the platform's list is read. */
  list(): ChargeList {
    return this.storage.kv.get<ChargeList>('chargeList') ?? BY_CHANGE;
  }

  setList(list: ChargeList): void {
    this.storage.kv.put('chargeList', list);
  }

  asOf(): number | null {
    return this.storage.kv.get<number>('chargesAsOf') ?? null;
  }

  /** See `PollStore.readUntil`: every search continues where the last one ended. */
  readUntil(): number {
    return this.asOf() ?? 0;
  }

  setAsOf(now: number): void {
    this.storage.kv.put('chargesAsOf', now);
  }

  /** When the last notification came whose changes no complete pass has read yet; 0 if there is none. */
  hintedAt(): number {
    return this.storage.kv.get<number>('chargesHintedAt') ?? 0;
  }

  setHintedAt(at: number): void {
    if (at > 0) this.storage.kv.put('chargesHintedAt', at);
    else this.storage.kv.delete('chargesHintedAt');
  }

  /**
   * When the last search was sent; 0 before the first search for the orders that are tracked now. It is stored before the
   * platform answers, so that the search is not repeated at once if the process dies meanwhile.
   */
  readAt(): number {
    const at = this.storage.kv.get<StoredAllowance>('chargeSearches')?.at ?? 0;
    const isUnderway = this.reading() !== undefined || this.hintedAt() > 0;
    return isUnderway || at >= (this.oldestSince() ?? Infinity) ? at : 0;
  }

  /** How many searches may be made now. */
  allowance(now: number): number {
    const {left, at} = this.storage.kv.get<StoredAllowance>('chargeSearches') ?? {left: ALLOWANCE_SIZE, at: now};
    return Math.min(ALLOWANCE_SIZE, left + (now - at) / ALLOWANCE_REFILL_MS);
  }

  /** Counts one search. */
  countSearch(now: number): void {
    this.storage.kv.put<StoredAllowance>('chargeSearches', {left: this.allowance(now) - 1, at: now});
  }

  /** Deletes the progress, which will be outdated when the next order is tracked. */
  deleteReading(): void {
    this.storage.kv.delete('chargeReading');
  }
}
