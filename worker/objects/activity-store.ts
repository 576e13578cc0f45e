/** The activities of some visitors that the platform does not have yet, and the ids of those it was told of. */

import type {Input} from '../platform/operations/index.ts';

export interface WaitingActivity {
  readonly seq: number;
  readonly activity: NotedActivity;
  /** Epoch milliseconds. */
  readonly notedAt: number;
}

export class ActivityStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql
      .exec(`CREATE TABLE IF NOT EXISTS waiting (seq INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, noted_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS known (id TEXT PRIMARY KEY, noted_at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS known_since ON known (noted_at)`);
  }

  /** Adds an activity unless its id is known; false where there is no room for more. */
  add(id: string | undefined, activity: NotedActivity, now: number, most: number): boolean {
    if (id !== undefined && this.#sql.exec('SELECT 1 FROM known WHERE id = ?', id).toArray().length > 0) return true;
    if (this.count() >= most) return false;
    if (id !== undefined) this.#sql.exec('INSERT INTO known (id, noted_at) VALUES (?, ?)', id, now);
    this.#sql.exec('INSERT INTO waiting (body, noted_at) VALUES (?, ?)', JSON.stringify(activity), now);
    return true;
  }

  first(): WaitingActivity | null {
    const [row] = this.#sql
      .exec<{seq: number; body: string; noted_at: number}>(
        'SELECT seq, body, noted_at FROM waiting ORDER BY seq LIMIT 1',
      )
      .toArray();
    return row ? {seq: row.seq, activity: JSON.parse(row.body) as NotedActivity, notedAt: row.noted_at} : null;
  }

  remove(seq: number): void {
    this.#sql.exec('DELETE FROM waiting WHERE seq = ?', seq);
  }

  count(): number {
    return this.#sql.exec<{rows: number}>('SELECT count(*) AS rows FROM waiting').one().rows;
  }

  /** Ids of earlier activities: told again after that, they count again. @returns when the oldest that is left came; null where none is. */
  forgetBefore(moment: number): number | null {
    this.#sql.exec('DELETE FROM known WHERE noted_at < ?', moment);
    return this.#sql.exec<{oldest: number | null}>('SELECT min(noted_at) AS oldest FROM known').one().oldest;
  }
}

/** An activity as the platform is told of it (subscriptions 4.C). */
export type NotedActivity = Input<'userActivity'>;
