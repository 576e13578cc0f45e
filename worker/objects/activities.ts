import {LIMIT_TABLE} from '../config/limits.ts';
import {contextOf} from '../context.ts';
import type {ActivityType} from '../contract/browser/requests.ts';
import {DAY_MS, MINUTE_MS} from '../lib/durations.ts';
import {describeError, log} from '../lib/log.ts';
import {formatPlatformDay} from '../lib/time.ts';
import {
  isBroken,
  isRateLimited,
  isUnsent,
  PlatformError,
  type PlatformFailure,
  retryAfterMsOf,
} from '../platform/failure.ts';
import type {OperationInput} from '../platform/operations/index.ts';
import {bringAlarmForward, scheduleAlarm} from './alarm.ts';
import {type StoreSchema, statements} from './migrations.ts';
import {StoredObject} from './stored-object.ts';
import {VISITS, type VisitCount, VisitStore} from './visit-store.ts';

const ID_RETENTION_MS = DAY_MS;
const COUNT_RETENTION_MS = 400 * DAY_MS;
/** An activity that could not be reported for this long is no longer useful and is deleted. */
const GIVE_UP_AFTER_MS = 3 * ID_RETENTION_MS;
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 5 * MINUTE_MS;
const MAX_PER_ALARM = 200;
/**
 * After this many failed tries of the same activity, the activities after it are sent first. Perhaps the platform fails
 * on the content of this activity and would accept the others.
 */
const MAX_TRIES_IN_FRONT = 10;

const ACTIVITIES: StoreSchema = {
  name: 'activities',
  createdOn: 'wake',
  steps: [
    statements(
      'CREATE TABLE waiting (seq INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, recorded_at INTEGER NOT NULL)',
      'CREATE TABLE known (id TEXT PRIMARY KEY, recorded_at INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX known_since ON known (recorded_at)',
    ),
  ],
};

/**
 * Counts activities of visitors, and reports those of landing pages to the platform, oldest first. Each object does this for some of the
 * visitors. An activity is stored before the page gets its answer, and deleted after the platform has answered. The ids
 * of the last day's activities are stored, so that a page may repeat a report. If the process dies
 * - before the activity is stored, the page gets no answer and reports it again;
 * - during the call to the platform, the alarm runs again and repeats the call.
 * The platform gets an activity twice only after such a repeated call, when the outcome of a call is unknown, or when
 * the page repeats a report without an id or more than a day later.
 */
export class Activities extends StoredObject {
  static override readonly schemas = [ACTIVITIES, VISITS];

  readonly #store = new ActivityStore(this.ctx.storage);
  readonly #visits = new VisitStore(this.ctx.storage);
  #isSending = false;

  /**
   * Counts an activity, and stores it until the platform has it; returns false when there is no room.
   * @param id - The page's own id of the activity.
   * @param activity - For the platform; null if the platform does not count the visits of the offer.
   */
  async record(
    id: string | undefined,
    activity: VisitorActivity | null,
    {type, ...seen}: {readonly type: ActivityType} & Pick<VisitCount, 'offer' | 'campaign'>,
  ): Promise<boolean> {
    const now = Date.now();
    const outcome = this.#store.add(id, activity, now, LIMIT_TABLE.waiting_activities.value);
    if (outcome === 'new') {
      this.versions.create(VISITS);
      this.#visits.count(type, {...seen, day: formatPlatformDay(now)});
    }
    const isAccepted = outcome !== 'full';
    // The alarm deletes the id.
    if (!activity) {
      await bringAlarmForward(this.ctx.storage, now + ID_RETENTION_MS, ID_RETENTION_MS);
      return isAccepted;
    }
    // Because of the last argument, an alarm that is due within `MAX_RETRY_DELAY_MS` is not moved, so a new activity
    // does not shorten the delay after a failure.
    if (!this.#isSending) await bringAlarmForward(this.ctx.storage, Date.now(), MAX_RETRY_DELAY_MS);
    return isAccepted;
  }

  /** The counts of these days. @param from - The first day, `YYYY-MM-DD`; `to` is the last one. */
  visits(from: string, to: string): VisitCount[] {
    return this.versions.has(VISITS) ? this.#visits.list(from, to) : [];
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
    if (this.versions.has(VISITS)) this.#visits.deleteBefore(formatPlatformDay(Date.now() - COUNT_RETENTION_MS));
    if (this.#store.count() > 0) await scheduleAlarm(this.ctx.storage, Date.now() + delayMs);
    else await scheduleAlarm(this.ctx.storage, oldest === null ? null : oldest + ID_RETENTION_MS + 1);
  }

  /** Sends the stored activities, oldest first. @returns the delay in milliseconds before the rest is sent. */
  async #sendAll(): Promise<number> {
    for (let sent = 0; sent < MAX_PER_ALARM; sent += 1) {
      const first = this.#store.first();
      if (!first) break;
      const delayMs = Date.now() - first.recordedAt > GIVE_UP_AFTER_MS ? 0 : await this.#send(first.activity);
      if (delayMs > 0) {
        if (this.#countTry(first) >= MAX_TRIES_IN_FRONT) this.#store.moveToBack(first);
        return delayMs;
      }
      this.ctx.storage.kv.put('failures', 0);
      this.#store.remove(first.seq);
    }
    return 0;
  }

  /**
   * @returns the delay in milliseconds before the retry. 0 means no retry: the platform has accepted the activity, or
   * never will.
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
      // The platform did nothing, and it is known when the call may be sent. Such a call does not count as a failure, so
      // the backoff does not grow.
      const retryAfterMs = isUnsent(failure) && !('tried' in failure) ? retryAfterMsOf(failure) : null;
      if (retryAfterMs !== null) return Math.max(1, retryAfterMs);
      return failure.outcome === 'refused' && !isBroken(failure) && !isTemporaryRefusal(failure)
        ? 0
        : this.#nextRetryDelay();
    }
  }

  /** Counts how often the first activity was tried. */
  #countTry({seq}: PendingActivity): number {
    const last = this.ctx.storage.kv.get<{readonly seq: number; readonly tries: number}>('front');
    const tries = last?.seq === seq ? last.tries + 1 : 1;
    this.ctx.storage.kv.put('front', {seq, tries});
    return tries;
  }

  /** The delay doubles with each failure. A part of it is random, so that the objects retry at different moments. */
  #nextRetryDelay(): number {
    const failures = (this.ctx.storage.kv.get<number>('failures') ?? 0) + 1;
    this.ctx.storage.kv.put('failures', failures);
    return Math.min(FIRST_RETRY_DELAY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2);
  }
}

/**
 * Whether the platform may accept the activity later. The operator can fix a wrong authorization (029) or IP address
 * (030), and a rate limit ends by itself.
 */
function isTemporaryRefusal(failure: PlatformFailure & {readonly outcome: 'refused'}): boolean {
  return failure.status === '029' || failure.status === '030' || isRateLimited(failure);
}

export interface PendingActivity {
  readonly seq: number;
  readonly activity: VisitorActivity;
  /** Epoch milliseconds. */
  readonly recordedAt: number;
}

/**
 * Stores the activities that the platform does not have yet, and the ids of the last day's activities, to recognize
 * repeated reports.
 */
export class ActivityStore {
  readonly #sql: SqlStorage;
  /** The number of waiting activities, so that it costs no reads; `undefined` until it is counted. */
  #waiting: number | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds an activity, or only its id, unless the id is known, or there is no room. */
  add(
    id: string | undefined,
    activity: VisitorActivity | null,
    now: number,
    maxPending: number,
  ): 'new' | 'known' | 'full' {
    if (id !== undefined && this.#sql.exec('SELECT 1 FROM known WHERE id = ?', id).toArray().length > 0) return 'known';
    if (activity && this.count() >= maxPending) return 'full';
    if (id !== undefined) this.#sql.exec('INSERT INTO known (id, recorded_at) VALUES (?, ?)', id, now);
    if (activity) this.#append(activity, now);
    return 'new';
  }

  first(): PendingActivity | null {
    const [row] = this.#sql
      .exec<{seq: number; body: string; recorded_at: number}>(
        'SELECT seq, body, recorded_at FROM waiting ORDER BY seq LIMIT 1',
      )
      .toArray();
    return row ? {seq: row.seq, activity: JSON.parse(row.body) as VisitorActivity, recordedAt: row.recorded_at} : null;
  }

  /** Places an activity behind all others. The activity keeps its age. */
  moveToBack({seq, activity, recordedAt}: PendingActivity): void {
    this.remove(seq);
    this.#append(activity, recordedAt);
  }

  remove(seq: number): void {
    this.#waiting = this.count() - 1;
    this.#sql.exec('DELETE FROM waiting WHERE seq = ?', seq);
  }

  count(): number {
    this.#waiting ??= this.#sql.exec<{rows: number}>('SELECT count(*) AS rows FROM waiting').one().rows;
    return this.#waiting;
  }

  #append(activity: VisitorActivity, recordedAt: number): void {
    this.#waiting = this.count() + 1;
    this.#sql.exec('INSERT INTO waiting (body, recorded_at) VALUES (?, ?)', JSON.stringify(activity), recordedAt);
  }

  /**
   * Deletes the ids of activities that were added before `moment`; a repeated report of such an activity counts as new.
   * @returns when the oldest remaining id was added; null when no id remains.
   */
  deleteBefore(moment: number): number | null {
    this.#sql.exec('DELETE FROM known WHERE recorded_at < ?', moment);
    return this.#sql.exec<{oldest: number | null}>('SELECT min(recorded_at) AS oldest FROM known').one().oldest;
  }
}

/** An activity as the platform receives it (`docs/spec/subscriptions.md`, 4.C). */
export type VisitorActivity = OperationInput<'userActivity'>;
