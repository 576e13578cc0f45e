/** Stores the open orders of a sweep, the transactions it has processed, and how far the platform's list was read. */

import {MINUTE_MS} from '../../lib/durations.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import type {Backoff, PollStore} from './poller.ts';

export interface TrackedOrder {
  /** The merchant's reference. */
  readonly order: string;
  readonly code: string | null;
  /** Epoch milliseconds, as all times here. */
  readonly registeredAt: number;
  readonly closesAt: number;
}

/** The pages that view orders at this moment. */
export interface Viewers {
  /** When the newest page that awaits money was opened; null when no page awaits money. */
  readonly newestOpenedAt: number | null;
  /** Whether any page views an order, including an order whose money has arrived. */
  readonly isViewed: boolean;
}

/** The order and order code that a transaction names. */
export interface TransactionReference {
  readonly id: string;
  readonly order: string | null;
  readonly code: string | null;
}

/** A pass over a whole list, page by page. */
export interface ListReading {
  /** First day of the list, `YYYY-MM-DD`. */
  readonly startDate: string;
  /** The first day that is not on the list any more. A reading stored by an earlier version may lack it. */
  readonly endDate?: string | undefined;
  /** How many rows have been read. */
  readonly position: number;
  /** How many rows the list had when the pass began; null before the first page. */
  readonly total: number | null;
  /** How many rows could not be handed to their order. */
  readonly undelivered: number;
}

/** How far the platform's list was read. Times are epoch milliseconds, 0 for never. */
export interface SweepProgress {
  /** First day of the list that every sweep reads. */
  readonly startDate: string;
  /** How many transactions since `startDate` are known; null when the whole list must be read. */
  readonly known: number | null;
  /** When all transactions since `startDate` were last known. */
  readonly completeAt: number;
  /** When a pass over the list was last completed. */
  readonly readAt: number;
  /** The pass over the list that is running; null if none is. */
  readonly reading: ListReading | null;
  /** When a pass over the days before `startDate`, back to the oldest open order, was last completed. */
  readonly earlierReadAt: number;
  /** The pass over these earlier days that is running; null if none is. */
  readonly earlier: ListReading | null;
  /** When a page of a pass last could not be read. */
  readonly pageFailedAt: number;
  /** Whether the most recent second search of a sweep read a page of a pass, and not recent bookings. */
  readonly pagedLast: boolean;
}

/** The progress while each search may span only one day. */
export interface SingleDays {
  /** When the platform refused a search over several days. */
  readonly since: number;
  /** How many of the other last days were read since then; the next ones are read in turn. */
  readonly turn: number;
  /** How many transactions of each of these days are known. */
  readonly totals: Readonly<Record<string, number>>;
}

/** A `Backoff` as it is stored. */
type StoredBackoff = Omit<Backoff, 'readAt'> & {readonly sweptAt: number};

export const SWEEP: StoreSchema = {
  name: 'sweep',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE IF NOT EXISTS watched (
        "order" TEXT PRIMARY KEY, code TEXT, registered_at INTEGER NOT NULL, closes_at INTEGER NOT NULL,
        settled INTEGER NOT NULL DEFAULT 0, opened_at INTEGER NOT NULL DEFAULT 0, looked_at INTEGER NOT NULL DEFAULT 0, looked_until INTEGER NOT NULL DEFAULT 0)`,
      'CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, "order" TEXT, code TEXT, read_at INTEGER NOT NULL)',
      'CREATE INDEX IF NOT EXISTS seen_order ON seen ("order")',
      'CREATE INDEX IF NOT EXISTS seen_code ON seen (code)',
      'CREATE INDEX IF NOT EXISTS watched_code ON watched (code)',
      'CREATE INDEX IF NOT EXISTS watched_looked_until ON watched (looked_until)',
      'CREATE INDEX IF NOT EXISTS watched_closes_at ON watched (closes_at)',
      'CREATE INDEX IF NOT EXISTS watched_registered_at ON watched (registered_at)',
    ),
  ],
};

/** If a page reads the payment again after such a long silence, its shopper has returned to the page. */
const AWAY_MS = 3 * MINUTE_MS;

export class SweepStore implements PollStore {
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Tracks an order. Transactions of this order that were seen before it was tracked are read again. */
  trackOrder({order, code, registeredAt, closesAt}: TrackedOrder): void {
    this.#sql.exec(
      `INSERT INTO watched ("order", code, registered_at, closes_at) VALUES (?, ?, ?, ?)
       ON CONFLICT ("order") DO UPDATE SET code = excluded.code, closes_at = excluded.closes_at`,
      order,
      code,
      registeredAt,
      closesAt,
    );
    const deleted = this.#sql.exec('DELETE FROM seen WHERE "order" = ? OR code = ?', order, code);
    // This is stored under its own key, because a running sweep will overwrite `progress`.
    if (deleted.rowsWritten > 0) this.storage.kv.put('readAgain', true);
  }

  /** Whether seen transactions were deleted since the last call. If so, the whole list must be read. */
  isReadAgain(): boolean {
    return this.storage.kv.get<boolean>('readAgain') ?? false;
  }

  /** Returns what `isReadAgain` returns, then forgets the deletions. */
  takeReadAgain(): boolean {
    return this.storage.kv.delete('readAgain');
  }

  /**
   * Records that a page views the order until `until`. The page counts as opened now if the report says so, or if no
   * page reported a view for a long time.
   */
  recordWatch({order, until, opened, settled}: WatchReport, now: number): void {
    this.#sql.exec(
      `UPDATE watched SET opened_at = CASE WHEN ? OR looked_at <= ? THEN ? ELSE opened_at END, looked_at = ?, looked_until = ?, settled = ?
       WHERE "order" = ?`,
      opened ? 1 : 0,
      now - AWAY_MS,
      now,
      now,
      until,
      settled ? 1 : 0,
      order,
    );
  }

  /** Records whether all of the order's money has arrived. */
  setSettled(order: string, settled: boolean): void {
    this.#sql.exec('UPDATE watched SET settled = ? WHERE "order" = ?', settled ? 1 : 0, order);
  }

  /** The pages that view orders now. */
  viewers(now: number): Viewers {
    const {newest, looking} = this.#sql
      .exec<{newest: number | null; looking: number}>(
        'SELECT max(CASE WHEN settled THEN NULL ELSE opened_at END) AS newest, count(*) AS looking FROM watched WHERE looked_until > ?',
        now,
      )
      .one();
    return {newestOpenedAt: newest, isViewed: looking > 0};
  }

  deleteClosed(now: number): void {
    this.#sql.exec('DELETE FROM watched WHERE closes_at <= ?', now);
  }

  isAnyTracked(): boolean {
    return this.oldestRegisteredAt() !== null;
  }

  /** When the oldest open order was registered; null when none is open. */
  oldestRegisteredAt(): number | null {
    return this.#sql.exec<{at: number | null}>('SELECT min(registered_at) AS at FROM watched').one().at;
  }

  /** The tracked order that a transaction is for, or null. */
  orderFor({order, code}: TransactionReference): string | null {
    const found = this.#sql.exec<{order: string}>(
      'SELECT "order" FROM watched WHERE "order" = ? OR code = ? LIMIT 1',
      order,
      code,
    );
    return found.toArray()[0]?.order ?? null;
  }

  /** The transaction's reference when it was last processed; undefined if it was never processed. */
  seen(id: string): TransactionReference | undefined {
    return this.#sql
      .exec<{id: string; order: string | null; code: string | null}>(
        'SELECT id, "order", code FROM seen WHERE id = ?',
        id,
      )
      .toArray()[0];
  }

  markSeen({id, order, code}: TransactionReference, now: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO seen (id, "order", code, read_at) VALUES (?, ?, ?, ?)',
      id,
      order,
      code,
      now,
    );
  }

  /** Deletes the transactions that were seen before `at`. The list begins later, so it cannot contain them any more. */
  deleteBefore(at: number): void {
    this.#sql.exec('DELETE FROM seen WHERE read_at < ?', at);
  }

  progress(): SweepProgress | undefined {
    return this.storage.kv.get<SweepProgress>('progress');
  }

  setProgress(progress: SweepProgress): void {
    this.storage.kv.put('progress', progress);
  }

  /** Undefined while the platform accepts searches over several days. */
  singleDays(): SingleDays | undefined {
    return this.storage.kv.get<SingleDays>('singleDays');
  }

  setSingleDays(singleDays: SingleDays): void {
    this.storage.kv.put('singleDays', singleDays);
  }

  /** When the platform last refused a long page; null if it never did. */
  lengthRefusedAt(): number | null {
    return this.storage.kv.get<number>('lengthRefusedAt') ?? null;
  }

  setLengthRefusedAt(at: number): void {
    this.storage.kv.put('lengthRefusedAt', at);
  }

  /** The service this sweep is for. */
  service(): string | undefined {
    return this.storage.kv.get<string>('service');
  }

  setService(service: string): void {
    this.storage.kv.put('service', service);
  }

  backoff(): Backoff {
    const stored = this.storage.kv.get<StoredBackoff>('pace');
    if (!stored) return {readAt: 0, failures: 0, retryAfterMs: null};
    const {sweptAt, failures, retryAfterMs} = stored;
    return {readAt: sweptAt, failures, retryAfterMs};
  }

  setBackoff({readAt, failures, retryAfterMs}: Backoff): void {
    this.storage.kv.put<StoredBackoff>('pace', {sweptAt: readAt, failures, retryAfterMs});
  }

  markReading(now: number): void {
    this.setBackoff({...this.backoff(), readAt: now});
  }

  asOf(): number | null {
    return this.storage.kv.get<number>('asOf') ?? null;
  }

  setAsOf(at: number): void {
    this.storage.kv.put('asOf', at);
  }
}
