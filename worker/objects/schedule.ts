/**
 * Work that falls due later. A class names its kinds of tasks, and `StoredObject` runs them:
 * - A task of a `TaskKind` is a row of the table `tasks`, written in the turn of the change that needs it.
 * - A `StandingTask` has no row. It points to the earliest time of a list, or of facts, that the object stores anyway.
 *   Its row exists only after a failure.
 */

import {SECOND_MS} from '../lib/durations.ts';
import {type Failures, nextFailures, type Retry} from '../lib/retry.ts';
import type {StoreSchema} from './migrations.ts';
import type {ObjectStorage} from './object-storage.ts';

/** The time at which something is due, epoch milliseconds; null when nothing is due. */
export type DueTime = number | null;

export function earliest(...dueTimes: readonly DueTime[]): DueTime {
  const due = dueTimes.filter((at) => at !== null);
  return due.length > 0 ? Math.min(...due) : null;
}

/** When data that was stored at `at` may be deleted: just after its retention time has passed. */
export function endOfRetention(at: DueTime, retentionMs: number): DueTime {
  return at === null ? null : at + retentionMs + 1;
}

const WATCHDOG_MS = 10 * SECOND_MS;
const WATCHDOG_STEP_MS = 5 * SECOND_MS;

/** When work that begins now is due again, in case that the object dies meanwhile. Whole steps cost fewer alarms. */
export function watchdogAt(now: number): number {
  return Math.floor((now + WATCHDOG_MS) / WATCHDOG_STEP_MS) * WATCHDOG_STEP_MS;
}

/** One piece of work that falls due later. */
export interface Task<P = unknown> {
  /** Tells the tasks of a kind apart. A new task takes the place of the one with the same key. */
  readonly key: string;
  readonly payload: P;
  readonly dueAt: number;
  /** How often in a row it failed. */
  readonly tries: number;
  /** When the task was added. */
  readonly since: number;
}

/** `retry` counts as a failure. With `at`, the task runs again at this time at the earliest, which does not count. */
export type Later = 'retry' | {readonly at: number};

/** A kind of tasks that are rows. */
export interface TaskKind<P> {
  readonly retry: Retry;
  /** A task that fails after this time ends. */
  readonly giveUpAfterMs?: number;
  /** Does the work. An error counts as a failure, and is logged. @returns nothing if the task is done. */
  run(payload: P, task: Task<P>): Promise<Later | void>;
}

/** A task that an object has as long as it exists. */
export interface StandingTask {
  readonly retry: Retry;
  /**
   * Set if the object remembers only in memory what the task has to do, or when. After a restart, the planned alarm is all
   * that knows it: this alarm then ends with the task, whether it is due or not, and is not moved to a later time.
   */
  readonly afterWaking?: true;
  /**
   * Set if an alarm costs too much that runs the task again if the process dies during a run outside of an alarm. Then an
   * alarm that is planned anyway is not moved to a later time while the task runs.
   */
  readonly holdsAlarm?: true;
  /**
   * When the task is due by what is stored; null while it has nothing to do.
   * @param doneUntil - What was due until then was done by alarms, or by the run that ends last. For a new instance of the
   * object, this is just before the alarm that the earlier one planned, and no later than now; 0 if nobody knows, or the
   * last run failed. So a task that is due again and again at times that follow from what is stored writes nothing.
   */
  dueAt(doneUntil: number): DueTime;
  /** Does what is due. An error counts as a failure, and is logged. @returns nothing if it was done. */
  run(): Promise<Later | void>;
}

/** The kinds of tasks of a class, by name. Where a kind is declared, the type of its payload is known. */
export type Tasks = Readonly<Record<string, TaskKind<unknown> | StandingTask>>;

export function isStanding(kind: TaskKind<unknown> | StandingTask): kind is StandingTask {
  return 'dueAt' in kind;
}

export const TASKS: StoreSchema = {
  name: 'tasks',
  createdOn: 'first write',
  steps: [
    `CREATE TABLE tasks (kind TEXT NOT NULL, key TEXT NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL,
       since INTEGER NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID`,
  ],
};

type Row = {key: string; due_at: number; tries: number; since: number; payload: string};

/** The key of the row that a standing task has after a failure. */
const STANDING = '';

/** The table `tasks`. */
export class Schedule {
  constructor(private readonly storage: ObjectStorage) {}

  /**
   * Adds a task, or puts it in the place of the one with the same key. Nothing is awaited before it is written.
   * @param dueAt - `watchdogAt(now)` if the caller runs the task now.
   */
  add(kind: string, key: string, payload: unknown, dueAt: number): void {
    this.#put(kind, {key, payload, dueAt, tries: 0, since: Date.now()});
  }

  find<P>(kind: string, key: string): Task<P> | null {
    return this.#exists
      ? (this.#read<P>(this.storage.sql<Row>`SELECT * FROM tasks WHERE kind = ${kind} AND key = ${key}`)[0] ?? null)
      : null;
  }

  /** All tasks of a kind, the earliest first. */
  list<P>(kind: string): Task<P>[] {
    return this.#exists
      ? this.#read<P>(this.storage.sql<Row>`SELECT * FROM tasks WHERE kind = ${kind} ORDER BY due_at, key`)
      : [];
  }

  /** The tasks of a kind that are due, the earliest first. */
  due<P>(kind: string, now: number, limit: number): Task<P>[] {
    if (!this.#exists) return [];
    return this.#read<P>(
      this.storage
        .sql<Row>`SELECT * FROM tasks WHERE kind = ${kind} AND due_at <= ${now} ORDER BY due_at, key LIMIT ${limit}`,
    );
  }

  count(kind: string): number {
    if (!this.#exists) return 0;
    return this.storage.sql<{rows: number}>`SELECT count(*) AS rows FROM tasks WHERE kind = ${kind}`[0]?.rows ?? 0;
  }

  /** When the first task of each kind is due. */
  dueTimes(): Map<string, number> {
    if (!this.#exists) return new Map();
    const rows = this.storage.sql<{kind: string; at: number}>`SELECT kind, min(due_at) AS at FROM tasks GROUP BY kind`;
    return new Map(rows.map(({kind, at}) => [kind, at]));
  }

  delete(kind: string, key: string): void {
    if (this.#exists) this.storage.sql`DELETE FROM tasks WHERE kind = ${kind} AND key = ${key}`;
  }

  /** Plans the next run of a task, unless the task was changed while it ran. */
  repeat(kind: string, task: Task, {failures, retryAt}: Failures): void {
    if (this.#isSame(kind, task)) this.#put(kind, {...task, tries: failures, dueAt: retryAt});
  }

  /** Deletes a task, unless the task was changed while it ran. */
  end(kind: string, task: Task): void {
    if (this.#isSame(kind, task)) this.delete(kind, task.key);
  }

  /** How often in a row a standing task failed; null if its last run was a success. */
  failuresOf(kind: string): Failures | null {
    const row = this.find(kind, STANDING);
    return row && {failures: row.tries, retryAt: row.dueAt};
  }

  /** The failures of a standing task after a run, and when it runs again at the earliest. */
  failuresAfter(kind: string, {retry}: StandingTask, later: Later): Failures {
    const last = this.failuresOf(kind);
    return later === 'retry'
      ? nextFailures(retry, last, Date.now())
      : {failures: last?.failures ?? 0, retryAt: later.at};
  }

  setFailures(kind: string, failures: Failures | null): void {
    if (failures)
      this.#put(kind, {
        key: STANDING,
        payload: null,
        dueAt: failures.retryAt,
        tries: failures.failures,
        since: Date.now(),
      });
    else this.delete(kind, STANDING);
  }

  get #exists(): boolean {
    return this.storage.versions.has(TASKS);
  }

  #isSame(kind: string, {key, since, dueAt}: Task): boolean {
    const now = this.find(kind, key);
    return now !== null && now.since === since && now.dueAt === dueAt;
  }

  #put(kind: string, {key, payload, dueAt, tries, since}: Task): void {
    this.storage.versions.create(TASKS);
    this.storage.sql`
      INSERT OR REPLACE INTO tasks (kind, key, due_at, tries, since, payload)
      VALUES (${kind}, ${key}, ${dueAt}, ${tries}, ${since}, ${JSON.stringify(payload)})`;
  }

  #read<P>(rows: readonly Row[]): Task<P>[] {
    return rows.map(({key, due_at, tries, since, payload}) => ({
      key,
      payload: JSON.parse(payload) as P,
      dueAt: due_at,
      tries,
      since,
    }));
  }
}
