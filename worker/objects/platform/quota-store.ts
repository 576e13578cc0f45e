/**
 * Stores the calls of the last day, the queue of commands that wait for the next day, and the backoff after a refusal.
 */

import type {EventType} from '../../contract/merchant/events.ts';
import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {Failures} from '../../lib/retry.ts';
import type {QuotaName} from '../../platform/quota-limits.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

/** How far a machine's clock may be fast or slow. An object may move from one machine to another. */
const CLOCK_ERROR_MS = 5 * MINUTE_MS;
/** Longer than any call lasts. The platform may count a call at any moment from its start to its end. */
export const MAX_CALL_MS = 20_000;
/**
 * How long a call counts: the sum of 24 hours, the errors of two clocks and the duration of a call. So a limit per
 * calendar day holds as well, and there is no second counter for calendar days.
 */
export const QUOTA_WINDOW_MS = DAY_MS + 2 * CLOCK_ERROR_MS + MAX_CALL_MS;
/** If a call seems to be at most this old, it may have run just now, because its time may be from a wrong clock. */
const RECENT_MS = 2 * CLOCK_ERROR_MS + MAX_CALL_MS;

export const QUOTA: StoreSchema = {
  name: 'quota',
  createdOn: 'wake',
  steps: [
    statements(
      'CREATE TABLE calls (id INTEGER PRIMARY KEY AUTOINCREMENT, quota TEXT NOT NULL, queue_id TEXT, at INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0)',
      'CREATE INDEX calls_at ON calls (quota, at)',
      'CREATE TABLE queue (seq INTEGER PRIMARY KEY AUTOINCREMENT, quota TEXT NOT NULL, id TEXT NOT NULL UNIQUE)',
    ),
  ],
};

/** What is counted: the calls, and the requests of keys that are limited to services, which may cause calls. */
type CountedName = QuotaName | `limited ${QuotaName}`;

export class QuotaStore {
  constructor(private readonly storage: ObjectStorage) {}

  /** How many calls count now. If the time of a call is in the future, the clock was fast; the time is set to now. */
  used(quota: CountedName, now: number): number {
    const {sql} = this.storage;
    sql`DELETE FROM calls WHERE quota = ${quota} AND at <= ${now - QUOTA_WINDOW_MS}`;
    sql`UPDATE calls SET at = ${now} WHERE quota = ${quota} AND at > ${now}`;
    return sql<{used: number}>`SELECT count(*) AS used FROM calls WHERE quota = ${quota}`[0]?.used ?? 0;
  }

  /** When the call at this index stops counting; null when there are fewer calls. The oldest call has index 0. */
  endOf(quota: CountedName, index: number): number | null {
    const [row] = this.storage.sql<{at: number}>`
      SELECT at FROM calls WHERE quota = ${quota} ORDER BY at LIMIT 1 OFFSET ${index}`;
    return row ? row.at + QUOTA_WINDOW_MS : null;
  }

  /** Stores a call. @param queueId - The caller's id in the queue; null for a caller that is not queued. */
  add(quota: CountedName, queueId: string | null, now: number): number {
    const [row] = this.storage.sql<{id: number}>`
      INSERT INTO calls (quota, queue_id, at) VALUES (${quota}, ${queueId}, ${now}) RETURNING id`;
    return row?.id ?? 0;
  }

  /** Whether this caller has called. */
  has(quota: CountedName, queueId: string): boolean {
    return this.storage.sql`SELECT 1 FROM calls WHERE quota = ${quota} AND queue_id = ${queueId}`.length > 0;
  }

  /** The quota and queue id of a call that has not ended; null when it has ended or never existed. */
  findOpen(id: number): {readonly quota: QuotaName; readonly queueId: string | null} | null {
    const [row] = this.storage.sql<{quota: QuotaName; queueId: string | null}>`
      SELECT quota, queue_id AS queueId FROM calls WHERE id = ${id} AND ended = 0`;
    return row ?? null;
  }

  end(id: number): void {
    this.storage.sql`UPDATE calls SET ended = 1 WHERE id = ${id}`;
  }

  remove(id: number): void {
    this.storage.sql`DELETE FROM calls WHERE id = ${id}`;
  }

  /** Counts the calls that may have run just now, by quota and by whether they ended. */
  recent(now: number): {readonly quota: QuotaName; readonly ended: boolean; readonly count: number}[] {
    const rows = this.storage.sql<{quota: QuotaName; ended: number; count: number}>`
      SELECT quota, ended, count(*) AS count FROM calls WHERE at > ${now - RECENT_MS} GROUP BY quota, ended`;
    return rows.map(({quota, ended, count}) => ({quota, ended: ended === 1, count}));
  }

  /** Adds an id to the end of the queue; an id that is already queued keeps its position. */
  enqueue(quota: QuotaName, id: string): void {
    this.storage.sql`INSERT OR IGNORE INTO queue (quota, id) VALUES (${quota}, ${id})`;
  }

  leaveQueue(id: string): void {
    this.storage.sql`DELETE FROM queue WHERE id = ${id}`;
  }

  /** How many callers are queued before `id`. If `id` is null or not queued, all queued callers count. */
  countBefore(quota: QuotaName, id: string | null): number {
    const [row] = this.storage.sql<{before: number}>`
      SELECT count(*) AS before FROM queue
      WHERE quota = ${quota} AND seq < coalesce((SELECT seq FROM queue WHERE id = ${id}), 9e18)`;
    return row?.before ?? 0;
  }

  /** Records that an event of this type was reported today. @returns false if one was reported today before. */
  noteEvent(type: EventType, quota: QuotaName, day: string): boolean {
    const key = `${type} ${quota}`;
    if (this.storage.kv.get<string>(key) === day) return false;
    this.storage.kv.put(key, day);
    return true;
  }

  /** The refusals in a row because we call too often, and until when no call is sent. */
  backoff(quota: QuotaName): Failures | undefined {
    return this.storage.kv.get<Failures>(`backoff ${quota}`);
  }

  setBackoff(quota: QuotaName, backoff: Failures | null): void {
    if (backoff) this.storage.kv.put(`backoff ${quota}`, backoff);
    else this.storage.kv.delete(`backoff ${quota}`);
  }
}
