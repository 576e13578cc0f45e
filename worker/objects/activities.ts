import {contextOf} from '../context.ts';
import type {ActivityType} from '../contract/browser/requests.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../lib/durations.ts';
import {describeError, log} from '../lib/log.ts';
import {formatPlatformDay, startOfDay} from '../lib/time.ts';
import {
  isBroken,
  isRateLimited,
  isUnsent,
  PlatformError,
  type PlatformFailure,
  retryAfterMsOf,
} from '../platform/failure.ts';
import type {OperationInput} from '../platform/operations/index.ts';
import {type StoreSchema, statements} from './migrations.ts';
import type {ObjectStorage} from './object-storage.ts';
import {type DueTime, earliest, endOfRetention, type Later, type StandingTask} from './schedule.ts';
import {StoredObject} from './stored-object.ts';
import {VISITS, type VisitCount, VisitStore} from './visit-store.ts';

const ID_RETENTION_MS = DAY_MS;
const COUNT_RETENTION_MS = 400 * DAY_MS;
/** An activity that could not be reported for this long is no longer useful and is deleted. */
const GIVE_UP_AFTER_MS = 3 * ID_RETENTION_MS;
/** A part of each delay is random, so that the objects retry at different moments. */
const RETRY = {firstMs: 2 * SECOND_MS, maxMs: 5 * MINUTE_MS, jitter: 0.5};
const MAX_PER_RUN = 200;
/** How many activities wait at a time: enough for one day's visitors of a busy page. */
const MAX_WAITING = 20_000;
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
      `CREATE TABLE waiting (seq INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, recorded_at INTEGER NOT NULL,
         tries INTEGER NOT NULL DEFAULT 0)`,
      'CREATE TABLE known (id TEXT PRIMARY KEY, recorded_at INTEGER NOT NULL) WITHOUT ROWID',
      'CREATE INDEX known_since ON known (recorded_at)',
    ),
  ],
};

/**
 * Counts activities of visitors, and reports those of landing pages to the platform, oldest first. Each object does this
 * for some of the visitors. An activity is stored before the page gets its answer, and deleted after the platform has
 * answered. The ids of the last day's activities are stored, so that a page may repeat a report.
 * The platform gets an activity twice only if the object dies during the call, when the outcome of a call is unknown, or
 * when the page repeats a report without an id or more than a day later.
 */
export class Activities extends StoredObject {
  static override readonly schemas = [ACTIVITIES, VISITS];

  readonly #store = new ActivityStore(this.storage);
  readonly #visits = new VisitStore(this.storage);

  readonly #send: StandingTask = {
    retry: RETRY,
    dueAt: () => (this.#store.count() > 0 ? 0 : null),
    run: () => this.#sendAll(),
  };
  readonly #deleteOld: StandingTask = {
    retry: {firstMs: MINUTE_MS, maxMs: HOUR_MS},
    dueAt: () => {
      const due = earliest(endOfRetention(this.#store.oldestId(), ID_RETENTION_MS), this.#endOfCounts());
      // On a busy page, something is too old at every moment.
      return due === null ? null : Math.ceil(due / HOUR_MS) * HOUR_MS;
    },
    run: async () => {
      this.#store.deleteIdsBefore(Date.now() - ID_RETENTION_MS);
      if (this.storage.versions.has(VISITS)) this.#visits.deleteBefore(oldestCountedDay());
    },
  };
  protected override readonly tasks = {send: this.#send, deleteOld: this.#deleteOld};

  /**
   * Counts an activity, and stores it until the platform has it; returns false when there is no room.
   * @param id - The page's own id of the activity.
   * @param activity - For the platform; null if the platform does not count the visits of the offer.
   */
  record(
    id: string | undefined,
    activity: VisitorActivity | null,
    {type, ...seen}: {readonly type: ActivityType} & Pick<VisitCount, 'offer' | 'campaign'>,
  ): boolean {
    const now = Date.now();
    const outcome = this.#store.add(id, activity, now, MAX_WAITING);
    if (outcome === 'new') {
      this.storage.versions.create(VISITS);
      this.#visits.count(type, {...seen, day: formatPlatformDay(now)});
    }
    return outcome !== 'full';
  }

  /** The counts of these days. @param from - The first day, `YYYY-MM-DD`; `to` is the last one. */
  visits(from: string, to: string): VisitCount[] {
    return this.storage.versions.has(VISITS) ? this.#visits.list(from, to) : [];
  }

  #endOfCounts(): DueTime {
    const day = this.storage.versions.has(VISITS) ? this.#visits.firstDay() : null;
    return day === null ? null : startOfDay(day) + DAY_MS + COUNT_RETENTION_MS;
  }

  /** Sends the stored activities, oldest first. */
  async #sendAll(): Promise<Later | void> {
    for (let sent = 0; sent < MAX_PER_RUN; sent += 1) {
      const first = this.#store.first();
      if (!first) return;
      const outcome =
        Date.now() - first.recordedAt > GIVE_UP_AFTER_MS ? 'settled' : await this.#sendOne(first.activity);
      if (outcome === 'failed') {
        if (this.#store.countTry(first.seq) >= MAX_TRIES_IN_FRONT) this.#store.moveToBack(first);
        return 'retry';
      }
      if (outcome !== 'settled') return {at: Date.now() + outcome.retryAfterMs};
      this.#store.remove(first.seq);
    }
  }

  /**
   * @returns `settled` if the platform has accepted the activity, or never will. The delay if the platform did nothing, and
   * it is known when the call may be sent.
   */
  async #sendOne(activity: VisitorActivity): Promise<'settled' | 'failed' | {readonly retryAfterMs: number}> {
    try {
      await contextOf(this.env).platform.call('userActivity', activity);
      return 'settled';
    } catch (error) {
      if (!(error instanceof PlatformError)) {
        log('error', 'activity_failed', {error: describeError(error)});
        return 'failed';
      }
      const {failure} = error;
      const retryAfterMs = isUnsent(failure) && !('tried' in failure) ? retryAfterMsOf(failure) : null;
      if (retryAfterMs !== null) return {retryAfterMs};
      return failure.outcome === 'refused' && !isBroken(failure) && !isTemporaryRefusal(failure) ? 'settled' : 'failed';
    }
  }
}

/** The first day whose counts are kept. */
const oldestCountedDay = () => formatPlatformDay(Date.now() - COUNT_RETENTION_MS);

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
  /** The number of waiting activities, so that it costs no reads; `undefined` until it is counted. */
  #waiting: number | undefined;

  constructor(private readonly storage: ObjectStorage) {}

  /** Adds an activity, or only its id, unless the id is known, or there is no room. */
  add(
    id: string | undefined,
    activity: VisitorActivity | null,
    now: number,
    maxPending: number,
  ): 'new' | 'known' | 'full' {
    const {sql} = this.storage;
    if (id !== undefined && sql`SELECT 1 FROM known WHERE id = ${id}`.length > 0) return 'known';
    if (activity && this.count() >= maxPending) return 'full';
    if (id !== undefined) sql`INSERT INTO known (id, recorded_at) VALUES (${id}, ${now})`;
    if (activity) this.#append(activity, now);
    return 'new';
  }

  first(): PendingActivity | null {
    const [row] = this.storage.sql<{seq: number; body: string; recorded_at: number}>`
      SELECT seq, body, recorded_at FROM waiting ORDER BY seq LIMIT 1`;
    return row ? {seq: row.seq, activity: JSON.parse(row.body) as VisitorActivity, recordedAt: row.recorded_at} : null;
  }

  /** Counts a failed try. @returns how often the activity was tried in this place. */
  countTry(seq: number): number {
    const [row] = this.storage.sql<{
      tries: number;
    }>`UPDATE waiting SET tries = tries + 1 WHERE seq = ${seq} RETURNING tries`;
    return row?.tries ?? 0;
  }

  /** Places an activity behind all others. The activity keeps its age. */
  moveToBack({seq, activity, recordedAt}: PendingActivity): void {
    this.remove(seq);
    this.#append(activity, recordedAt);
  }

  remove(seq: number): void {
    this.#waiting = this.count() - 1;
    this.storage.sql`DELETE FROM waiting WHERE seq = ${seq}`;
  }

  count(): number {
    this.#waiting ??= this.storage.sql<{rows: number}>`SELECT count(*) AS rows FROM waiting`[0]?.rows ?? 0;
    return this.#waiting;
  }

  #append(activity: VisitorActivity, recordedAt: number): void {
    this.#waiting = this.count() + 1;
    this.storage.sql`INSERT INTO waiting (body, recorded_at) VALUES (${JSON.stringify(activity)}, ${recordedAt})`;
  }

  /** When the oldest id was added; null without ids. */
  oldestId(): number | null {
    return this.storage.sql<{oldest: number | null}>`SELECT min(recorded_at) AS oldest FROM known`[0]?.oldest ?? null;
  }

  /** Deletes the ids of activities that were added before `moment`; a repeated report of such an activity counts as new. */
  deleteIdsBefore(moment: number): void {
    this.storage.sql`DELETE FROM known WHERE recorded_at < ${moment}`;
  }
}

/** An activity as the platform receives it (`docs/spec/subscriptions.md`, 4.C). */
export type VisitorActivity = OperationInput<'userActivity'>;
