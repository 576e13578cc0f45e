/** What `Quota` keeps: the calls of the last day, who waits for the next, and what the platform itself refused. */

import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {QuotaName} from '../../platform/quotas.ts';

/** How far a machine's clock may be from the truth, to either side. An object may move from one to another. */
const CLOCK_ERROR_MS = 5 * MINUTE_MS;
/** Longer than any call of the platform's lasts: when it counts one is not known more closely. */
export const MAX_CALL_MS = 20_000;
/**
 * For so long a call counts: a day by any two clocks, whenever in its course the platform counted it. A day in
 * Turkey is one of these days, so nothing is counted apart for it.
 */
export const QUOTA_WINDOW_MS = DAY_MS + 2 * CLOCK_ERROR_MS + MAX_CALL_MS;
/** Calls of so long ago may have been a moment ago, by another clock. */
const RECENT_MS = 2 * CLOCK_ERROR_MS + MAX_CALL_MS;

const TABLES = [
  'CREATE TABLE IF NOT EXISTS takings (id INTEGER PRIMARY KEY AUTOINCREMENT, quota TEXT NOT NULL, place TEXT, at INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0)',
  'CREATE INDEX IF NOT EXISTS takings_at ON takings (quota, at)',
  'CREATE TABLE IF NOT EXISTS line (seq INTEGER PRIMARY KEY AUTOINCREMENT, quota TEXT NOT NULL, id TEXT NOT NULL UNIQUE)',
];

/** While the platform says that we ask too often. */
export interface QuotaBackoff {
  /** Epoch milliseconds. */
  readonly until: number;
  /** How often in a row. */
  readonly times: number;
}

export class QuotaStore {
  readonly #sql: SqlStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    for (const table of TABLES) this.#sql.exec(table);
  }

  /** How many calls count now. What a clock that ran ahead wrote counts from now on: it happened before. */
  used(quota: QuotaName, now: number): number {
    this.#sql.exec('DELETE FROM takings WHERE quota = ? AND at <= ?', quota, now - QUOTA_WINDOW_MS);
    this.#sql.exec('UPDATE takings SET at = ? WHERE quota = ? AND at > ?', now, quota, now);
    return this.#sql.exec<{used: number}>('SELECT count(*) AS used FROM takings WHERE quota = ?', quota).one().used;
  }

  /** When the call counts no more that is the oldest but so many; null where there are not so many. */
  endOf(quota: QuotaName, index: number): number | null {
    const [row] = this.#sql
      .exec<{at: number}>('SELECT at FROM takings WHERE quota = ? ORDER BY at LIMIT 1 OFFSET ?', quota, index)
      .toArray();
    return row ? row.at + QUOTA_WINDOW_MS : null;
  }

  /** @param queueId of the caller in line. */
  add(quota: QuotaName, queueId: string | null, now: number): number {
    return this.#sql
      .exec<{id: number}>('INSERT INTO takings (quota, place, at) VALUES (?, ?, ?) RETURNING id', quota, queueId, now)
      .one().id;
  }

  /** What an open call counts towards, and whose it is; null where it has ended or never was. */
  findOpen(id: number): {readonly quota: QuotaName; readonly queueId: string | null} | null {
    const [row] = this.#sql
      .exec<{quota: QuotaName; queueId: string | null}>(
        'SELECT quota, place AS queueId FROM takings WHERE id = ? AND ended = 0',
        id,
      )
      .toArray();
    return row ?? null;
  }

  end(id: number): void {
    this.#sql.exec('UPDATE takings SET ended = 1 WHERE id = ?', id);
  }

  remove(id: number): void {
    this.#sql.exec('DELETE FROM takings WHERE id = ?', id);
  }

  /** Calls that may have been made a moment ago, by quota and by whether they ended. */
  recent(now: number): {readonly quota: QuotaName; readonly ended: boolean; readonly count: number}[] {
    const query = 'SELECT quota, ended, count(*) AS count FROM takings WHERE at > ? GROUP BY quota, ended';
    const rows = this.#sql.exec<{quota: QuotaName; ended: number; count: number}>(query, now - RECENT_MS).toArray();
    return rows.map(({quota, ended, count}) => ({quota, ended: ended === 1, count}));
  }

  /** Puts somebody at the end of the line; one who stands there already keeps the place. */
  enqueue(quota: QuotaName, id: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO line (quota, id) VALUES (?, ?)', quota, id);
  }

  leaveQueue(id: string): void {
    this.#sql.exec('DELETE FROM line WHERE id = ?', id);
  }

  /** How many stand before `id`; all who wait where it is null or does not stand in line. */
  countBefore(quota: QuotaName, id: string | null): number {
    const query =
      'SELECT count(*) AS before FROM line WHERE quota = ?1 AND seq < coalesce((SELECT seq FROM line WHERE id = ?2), 9e18)';
    return this.#sql.exec<{before: number}>(query, quota, id).one().before;
  }

  backoff(quota: QuotaName): QuotaBackoff | undefined {
    return this.storage.kv.get<QuotaBackoff>(`pause ${quota}`);
  }

  setBackoff(quota: QuotaName, backoff: QuotaBackoff | null): void {
    if (backoff) this.storage.kv.put(`pause ${quota}`, backoff);
    else this.storage.kv.delete(`pause ${quota}`);
  }
}
