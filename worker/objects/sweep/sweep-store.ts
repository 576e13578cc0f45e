/** Stores the open orders of a sweep, the transactions it has processed, and how far the platform's list was read. */

import {MINUTE_MS} from '../../lib/durations.ts';
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

/** The pages that look at this moment. */
export interface Viewers {
  /** When the newest page that awaits money was opened; null where none does. */
  readonly newestOpenedAt: number | null;
  /** Whether any page looks, if only at what has arrived. */
  readonly isViewed: boolean;
}

/** What a transaction says it is for. */
export interface TransactionReference {
  readonly id: string;
  readonly order: string | null;
  readonly code: string | null;
}

/** A list that is read as a whole, page by page. */
export interface ListReading {
  /** First day of the list, `YYYY-MM-DD`. */
  readonly startDate: string;
  /** The day it ends before; without it, the list goes on. */
  readonly endDate?: string | undefined;
  /** How many rows have been read. */
  readonly position: number;
  /** How many there were when it began; null before the first page. */
  readonly total: number | null;
  /** How many could not be handed to their order. */
  readonly undelivered: number;
}

/** How far the platform's list is known. Times are epoch milliseconds, 0 for never. */
export interface SweepProgress {
  /** First day of what every sweep looks at. */
  readonly startDate: string;
  /** How many transactions since then are known; null when they must be read as a whole. */
  readonly known: number | null;
  /** When all of them were known last. */
  readonly completeAt: number;
  /** When they were last read as a whole, and the reading under way. */
  readonly readAt: number;
  readonly reading: ListReading | null;
  /** The same of the days before, back to the oldest open order. */
  readonly earlierReadAt: number;
  readonly earlier: ListReading | null;
  /** When the last attempt at a page failed. */
  readonly pageFailedAt: number;
  /** Whether the last sweep that had a second search to spare read a page with it. */
  readonly pagedLast: boolean;
}

/** A `Backoff` as it is stored. */
type StoredBackoff = Omit<Backoff, 'readAt'> & {readonly sweptAt: number};

const TABLES = [
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
];

/** A page that was silent for so long and reads again has come back to its shopper. */
const AWAY_MS = 3 * MINUTE_MS;

export class SweepStore implements PollStore {
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    for (const table of TABLES) this.#sql.exec(table);
  }

  /** Watches an order. Money that was read before the order was known is read again. */
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
    // Beside `progress`, which a sweep that is under way will write over.
    if (deleted.rowsWritten > 0) this.storage.kv.put('readAgain', true);
  }

  /** Whether transactions were forgotten since this was last asked: the list is to be read as a whole. */
  takeReadAgain(): boolean {
    return this.storage.kv.delete('readAgain');
  }

  /** Notes that a page of the order looks until then. It was opened now if it says so, or if it was away. */
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

  /** Notes whether an order still awaits money. */
  setSettled(order: string, settled: boolean): void {
    this.#sql.exec('UPDATE watched SET settled = ? WHERE "order" = ?', settled ? 1 : 0, order);
  }

  /** Who looks now. */
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

  /** The watched order a transaction is for; null when it is for none of ours. */
  orderFor({order, code}: TransactionReference): string | null {
    const found = this.#sql.exec<{order: string}>(
      'SELECT "order" FROM watched WHERE "order" = ? OR code = ? LIMIT 1',
      order,
      code,
    );
    return found.toArray()[0]?.order ?? null;
  }

  /** What a transaction said when it was dealt with; undefined when it was not yet. */
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

  /** Forgets what was read before the list begins: it cannot stand on the list any more. */
  deleteBefore(at: number): void {
    this.#sql.exec('DELETE FROM seen WHERE read_at < ?', at);
  }

  progress(): SweepProgress | undefined {
    return this.storage.kv.get<SweepProgress>('progress');
  }

  setProgress(progress: SweepProgress): void {
    this.storage.kv.put('progress', progress);
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
