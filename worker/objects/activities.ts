import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../context.ts';
import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {describeError, log} from '../lib/log.ts';
import {PlatformError, isBroken} from '../platform/failure.ts';
import type {OperationInput} from '../platform/operations/index.ts';
import {bringAlarmForward, scheduleAlarm} from './alarm.ts';

/** Room for a day of a busy page's visitors while the platform is away; whoever comes after that is asked to come again. */
const MAX_PENDING = 20_000;
const ID_RETENTION_MS = DAY_MS;
/** What could not be told for so long is of no more use. */
const GIVE_UP_AFTER_MS = 3 * ID_RETENTION_MS;
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS;
const MAX_PER_ALARM = 200;

/**
 * What some visitors of landing pages did, told to the platform in the order it happened. An activity is written down
 * before anybody is answered, and erased once the platform has answered; the ids of a day are kept, so that a page may tell
 * the same twice. If the process dies
 * - before the row is written: nobody was answered, and the page tells again;
 * - while the platform is asked: the alarm comes again and tells it again. Only then, and where a call's outcome stayed
 *   unknown, is the platform told twice.
 */
export class Activities extends DurableObject<Env> {
  readonly #store = new ActivityStore(this.ctx.storage);
  #isSending = false;

  /** Takes an activity; false where there is no room. @param id the page's own name of it. */
  async record(id: string | undefined, activity: VisitorActivity): Promise<boolean> {
    const isAccepted = this.#store.add(id, activity, Date.now(), MAX_PENDING);
    // A pause after a failure is kept: news does not hurry a platform that is away.
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

  /** Tells what waits, oldest first. @returns how long to pause before the rest, in milliseconds. */
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

  /** @returns how long to wait before it is told again, in milliseconds; 0 where it is done with: told, or such that the platform never takes it. */
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
      // It was not asked, and says when it may be: that is no failure to pause ever longer after.
      if (failure.outcome === 'unsent' && !failure.tried) return Math.max(1, failure.retryAfterMs);
      return failure.outcome === 'refused' && !isBroken(failure) && !isTemporaryRefusal(failure.status)
        ? 0
        : this.#nextRetryDelay();
    }
  }

  /** Ever longer, and spread: others wait for the same platform. */
  #nextRetryDelay(): number {
    const failures = (this.ctx.storage.kv.get<number>('failures') ?? 0) + 1;
    this.ctx.storage.kv.put('failures', failures);
    return Math.min(FIRST_RETRY_DELAY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2);
  }
}

/** Wrong authorization (029) and address (030) are mended by the operator, and then everything is told. */
function isTemporaryRefusal(status: string): boolean {
  return status === '029' || status === '030' || status === '429';
}

export interface PendingActivity {
  readonly seq: number;
  readonly activity: VisitorActivity;
  /** Epoch milliseconds. */
  readonly recordedAt: number;
}

/** The activities of some visitors that the platform does not have yet, and the ids of those it was told of. */
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

  /** Ids of earlier activities: told again after that, they count again. @returns when the oldest that is left came; null where none is. */
  deleteBefore(moment: number): number | null {
    this.#sql.exec('DELETE FROM known WHERE noted_at < ?', moment);
    return this.#sql.exec<{oldest: number | null}>('SELECT min(noted_at) AS oldest FROM known').one().oldest;
  }
}

/** An activity as the platform is told of it (subscriptions 4.C). */
export type VisitorActivity = OperationInput<'userActivity'>;
