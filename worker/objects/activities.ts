import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../context.ts';
import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {describeError, log} from '../lib/log.ts';
import {PlatformError, isBroken} from '../platform/failure.ts';
import type {OperationInput} from '../platform/operations/index.ts';
import {bringAlarmForward, scheduleAlarm} from './alarm.ts';

/** Enough for a busy page's visitors of one day while the platform is down. Beyond it pages are told to retry later. */
const MAX_PENDING = 20_000;
const ID_RETENTION_MS = DAY_MS;
/** An activity that could not be reported for this long is of no more use. */
const GIVE_UP_AFTER_MS = 3 * ID_RETENTION_MS;
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS;
const MAX_PER_ALARM = 200;

/**
 * Reports to the platform what some visitors of landing pages did, in the order it happened. An activity is stored
 * before the page gets its answer, and deleted once the platform has answered. The ids of one day are stored, so that a
 * page may repeat a report. If the process dies
 * - before the row is written: the page got no answer and reports again;
 * - during the platform's call: the alarm runs again and repeats the call. Only then, and when a call's outcome is
 *   unknown, the platform gets the same activity twice.
 */
export class Activities extends DurableObject<Env> {
  readonly #store = new ActivityStore(this.ctx.storage);
  #isSending = false;

  /** Stores an activity; false when there is no room. @param id the page's own id of it. */
  async record(id: string | undefined, activity: VisitorActivity): Promise<boolean> {
    const isAccepted = this.#store.add(id, activity, Date.now(), MAX_PENDING);
    // A new activity does not shorten the delay after a failure.
    if (!this.#isSending) await bringAlarmForward(this.ctx.storage, Date.now(), MAX_RETRY_DELAY_MS);
    return isAccepted;
  }

  override async alarm(): Promise<void> {
    this.#isSending = true;
    let delayMs = 0;
    try {
      delayMs = await this.#sendAll();
    } finally {
      this.#isSending = false;
    }
    const oldest = this.#store.deleteBefore(Date.now() - ID_RETENTION_MS);
    if (this.#store.count() > 0) await scheduleAlarm(this.ctx.storage, Date.now() + delayMs);
    else await scheduleAlarm(this.ctx.storage, oldest === null ? null : oldest + ID_RETENTION_MS + 1);
  }

  /** Sends what is stored, oldest first. @returns the delay before the rest, in milliseconds. */
  async #sendAll(): Promise<number> {
    for (let sent = 0; sent < MAX_PER_ALARM; sent += 1) {
      const first = this.#store.first();
      if (!first) break;
      const delayMs = Date.now() - first.recordedAt > GIVE_UP_AFTER_MS ? 0 : await this.#send(first.activity);
      if (delayMs > 0) return delayMs;
      this.ctx.storage.kv.put('failures', 0);
      this.#store.remove(first.seq);
    }
    return 0;
  }

  /**
   * @returns the delay before the retry, in milliseconds; 0: no retry, as the platform has accepted it or never will.
   */
  async #send(activity: VisitorActivity): Promise<number> {
    try {
      await contextOf(this.env).platform.call('userActivity', activity);
      return 0;
    } catch (error) {
      if (!(error instanceof PlatformError)) {
        log('error', 'activity_failed', {error: describeError(error)});
        return this.#nextRetryDelay();
      }
      const {failure} = error;
      // The call was not sent, and the client says when it may be. That is no failure, so the backoff does not grow.
      if (failure.outcome === 'unsent' && !failure.tried) return Math.max(1, failure.retryAfterMs);
      return failure.outcome === 'refused' && !isBroken(failure) && !isTemporaryRefusal(failure.status)
        ? 0
        : this.#nextRetryDelay();
    }
  }

  /** Doubles with each failure. Random, so that the objects do not all retry at the same moment. */
  #nextRetryDelay(): number {
    const failures = (this.ctx.storage.kv.get<number>('failures') ?? 0) + 1;
    this.ctx.storage.kv.put('failures', failures);
    return Math.min(FIRST_RETRY_DELAY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2);
  }
}

/** The operator can fix a wrong authorization (029) or address (030); after that everything is sent. */
function isTemporaryRefusal(status: string): boolean {
  return status === '029' || status === '030' || status === '429';
}

export interface PendingActivity {
  readonly seq: number;
  readonly activity: VisitorActivity;
  /** Epoch milliseconds. */
  readonly recordedAt: number;
}

/** Stores the activities that the platform does not have yet, and the ids of one day to recognise repetitions. */
export class ActivityStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql
      .exec(`CREATE TABLE IF NOT EXISTS waiting (seq INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, noted_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS known (id TEXT PRIMARY KEY, noted_at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS known_since ON known (noted_at)`);
  }

  /** Adds an activity unless its id is known; false when there is no room for more. */
  add(id: string | undefined, activity: VisitorActivity, now: number, maxPending: number): boolean {
    if (id !== undefined && this.#sql.exec('SELECT 1 FROM known WHERE id = ?', id).toArray().length > 0) return true;
    if (this.count() >= maxPending) return false;
    if (id !== undefined) this.#sql.exec('INSERT INTO known (id, noted_at) VALUES (?, ?)', id, now);
    this.#sql.exec('INSERT INTO waiting (body, noted_at) VALUES (?, ?)', JSON.stringify(activity), now);
    return true;
  }

  first(): PendingActivity | null {
    const [row] = this.#sql
      .exec<{seq: number; body: string; noted_at: number}>(
        'SELECT seq, body, noted_at FROM waiting ORDER BY seq LIMIT 1',
      )
      .toArray();
    return row ? {seq: row.seq, activity: JSON.parse(row.body) as VisitorActivity, recordedAt: row.noted_at} : null;
  }

  remove(seq: number): void {
    this.#sql.exec('DELETE FROM waiting WHERE seq = ?', seq);
  }

  count(): number {
    return this.#sql.exec<{rows: number}>('SELECT count(*) AS rows FROM waiting').one().rows;
  }

  /**
   * Deletes the ids of earlier activities; a repetition then counts as new.
   * @returns when the oldest remaining one was added, or null.
   */
  deleteBefore(moment: number): number | null {
    this.#sql.exec('DELETE FROM known WHERE noted_at < ?', moment);
    return this.#sql.exec<{oldest: number | null}>('SELECT min(noted_at) AS oldest FROM known').one().oldest;
  }
}

/** An activity as the platform receives it (subscriptions 4.C). */
export type VisitorActivity = OperationInput<'userActivity'>;
