/** Polls one list of the platform on behalf of a service's open orders. */

import {DAY_MS, HOUR_MS, SECOND_MS} from '../../lib/durations.ts';
import {log, type LogFields} from '../../lib/log.ts';
import type {Retry} from '../../lib/retry.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {DueTime, Later, Schedule, StandingTask} from '../schedule.ts';

/** What a poller stores: the tracked orders, and when the list was read. */
export interface PollStore {
  isAnyTracked(): boolean;
  /** Deletes the orders that end at this time or earlier. */
  deleteClosed(until: number): void;
  /** When the platform's list was last read successfully; null if it was never read. */
  asOf(): number | null;
  /** When the last poll began, epoch milliseconds; 0 if it is unknown. */
  readAt(): number;
  /** A time until which everything was read that belongs to tracked orders; epoch milliseconds. */
  readUntil(now: number): number;
}

/** Records whether all of an order's money has arrived, as the order said when it got some of it. */
export type Settle = (order: string, settled: boolean) => void;

/** Reads the platform's list, and hands new rows to the orders. */
export interface PollReader {
  /** Delays after polls that failed. */
  readonly retry: Retry;
  /** The longest pause after a poll that was not sent because of the Worker's own limits. */
  readonly maxPauseMs: number;
  read(service: string, now: number): Promise<void>;
  /** Milliseconds from one poll to the next, as at this time. */
  interval(at: number): number;
  logFailure(error: unknown, fields: LogFields): void;
  /** Called when no order is tracked any more. */
  stop?(): void;
}

export interface PollTimes {
  /** Epoch milliseconds; null if the list was never read. */
  readonly asOf: number | null;
  readonly nextAt: number;
}

/**
 * How long an order stays tracked after its end if the platform's list cannot be read. Cloudflare may hold alarms for
 * seven days.
 */
const MAX_DELAY_MS = 8 * DAY_MS;

export class Poller implements StandingTask {
  readonly retry: Retry;
  /** When the next poll was planned. Until it begins, it is only ever brought forward, because each move is a row. */
  #plannedAt: DueTime = null;

  /** @param name - The name of the task. */
  constructor(
    private readonly name: string,
    private readonly schedule: Schedule,
    private readonly service: () => string | undefined,
    private readonly store: PollStore,
    private readonly reader: PollReader,
  ) {
    this.retry = reader.retry;
  }

  /** When the platform was last polled, and when it will be polled next. */
  times(): PollTimes {
    const now = Date.now();
    const retryAt = this.schedule.failuresOf(this.name)?.retryAt ?? 0;
    return {asOf: this.store.asOf(), nextAt: Math.max(now, this.dueAt() ?? 0, retryAt)};
  }

  /** When the next poll is due; null while no order is tracked. Does not change while time passes. */
  dueAt(): DueTime {
    return this.#dueAtAsOf(this.store.readAt());
  }

  /** Plans the next poll as at this time, after a poll, or after the report of a page. */
  keepPlan(now: number): void {
    this.#plannedAt = this.#dueAtAsOf(now);
  }

  #dueAtAsOf(at: number): DueTime {
    const {store, reader} = this;
    return store.isAnyTracked() ? Math.min(store.readAt() + reader.interval(at), this.#plannedAt ?? Infinity) : null;
  }

  /** Polls once. */
  async run(): Promise<Later | void> {
    const {store, reader} = this;
    const now = Date.now();
    const service = this.service();
    this.#plannedAt = null;
    if (service === undefined) return;
    let result: Later | undefined;
    try {
      await reader.read(service, now);
    } catch (error) {
      result = laterAfter(error, reader.maxPauseMs);
      const {retryAt} = this.schedule.failuresAfter(this.name, this, result);
      const end = Date.now();
      reader.logFailure(error, {service, retry_in_ms: Math.max(retryAt - end, reader.interval(end))});
    }
    // An order stays tracked until its end was read, so that no money is lost if the platform fails until then.
    store.deleteClosed(Math.max(store.readUntil(now), now - MAX_DELAY_MS));
    if (!store.isAnyTracked()) reader.stop?.();
    // A report during the poll may have planned a time that its result has made needless.
    this.#plannedAt = null;
    this.keepPlan(Date.now());
    return result;
  }
}

/** When a list is searched again after an error. A search that was not sent does not count as a failure. */
export function laterAfter(error: unknown, maxPauseMs: number): Later {
  if (!(error instanceof PlatformError) || error.failure.outcome !== 'unsent') return 'retry';
  return {at: Date.now() + Math.max(SECOND_MS, Math.min(error.failure.retryAfterMs, maxPauseMs))};
}

/**
 * The shortest time between two log lines about unreadable rows. An unreadable row stays on a list for days, and the
 * list is read every few seconds.
 */
const REPORT_INTERVAL_MS = HOUR_MS;

/** Logs that a service's list has unreadable rows, at most once per interval. */
export class UnreadableRowsReporter {
  #reportedAt = -Infinity;

  constructor(private readonly operation: OperationName) {}

  report(service: string, rows: number, now: number): void {
    if (rows === 0 || now - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = now;
    log('error', 'rows_unreadable', {operation: this.operation, service, rows});
  }
}
