/** Polls a list of the platform for `Sweep` or `MobileBilling`, on behalf of a service's open orders. */

import {DAY_MS, HOUR_MS} from '../../lib/durations.ts';
import {log, type LogFields} from '../../lib/log.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {bringAlarmForward, type DueTime} from '../alarm.ts';
import type {WatchReport} from '../order/order-watchers.ts';

/** The results of the last polls. They are stored, because an object that polls every 15 s sleeps between two polls. */
export interface Backoff {
  /** When the last poll began, epoch milliseconds. */
  readonly readAt: number;
  /** How many polls in a row failed. */
  readonly failures: number;
  /** If the last poll was not sent because the circuit was open: the delay before a retry. Otherwise null. */
  readonly retryAfterMs: number | null;
}

/** Whether two backoffs are the same, so that nothing has to be written. */
export function isSameBackoff(a: Backoff, b: Backoff): boolean {
  return a.readAt === b.readAt && a.failures === b.failures && a.retryAfterMs === b.retryAfterMs;
}

/** What a poller stores: the tracked orders, and the results of the last polls. */
export interface PollStore {
  service(): string | undefined;
  isAnyTracked(): boolean;
  /** Deletes the orders that end at this time or earlier. */
  deleteClosed(until: number): void;
  /** Records that a page views the order, or that the order's money has arrived. */
  recordWatch(report: WatchReport, now: number): void;
  /** When the platform's list was last read successfully; null if it was never read. */
  asOf(): number | null;
  /** A time until which everything was read that belongs to tracked orders; epoch milliseconds. */
  readUntil(now: number): number;
  backoff(): Backoff;
  setBackoff(backoff: Backoff): void;
  /** Records that a poll begins. If the poll is interrupted, it is repeated after the interval. */
  markReading(now: number): void;
}

/** Reads the platform's list, and hands new rows to the orders. */
export interface PollReader {
  read(service: string, now: number): Promise<void>;
  /** Milliseconds from one poll to the next. */
  interval(backoff: Backoff, now: number): number;
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

export class Poller {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly store: PollStore,
    private readonly reader: PollReader,
  ) {}

  /** Records that a page views an order. @returns when the platform was last polled. */
  async reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    this.store.recordWatch(report, Date.now());
    await this.schedule();
    return {asOf: this.store.asOf()};
  }

  /** When the platform was last polled, and when it will be polled next. */
  times(): PollTimes {
    return {asOf: this.store.asOf(), nextAt: Math.max(Date.now(), this.dueAt() ?? 0)};
  }

  /** When the next poll is due; null while no order is tracked. */
  dueAt(): DueTime {
    return this.store.isAnyTracked() ? this.store.backoff().readAt + this.#interval(Date.now()) : null;
  }

  /** Plans the next poll, unless the alarm is planned early enough. */
  async schedule(): Promise<void> {
    const dueAt = this.dueAt();
    if (dueAt !== null) await bringAlarmForward(this.storage, dueAt);
  }

  /** Polls once, and plans the next poll even after an error. For the object's alarm. */
  async poll(): Promise<void> {
    const now = Date.now();
    const service = this.store.service();
    if (service === undefined || !this.store.isAnyTracked()) return this.reader.stop?.();
    const {failures} = this.store.backoff();
    this.store.markReading(now);
    try {
      await this.reader.read(service, now);
      this.store.setBackoff({readAt: now, failures: 0, retryAfterMs: null});
    } catch (error) {
      const retryAfterMs =
        error instanceof PlatformError && error.failure.outcome === 'unsent' ? error.failure.retryAfterMs : null;
      this.store.setBackoff({readAt: now, failures: retryAfterMs === null ? failures + 1 : failures, retryAfterMs});
      this.reader.logFailure(error, {service, retry_in_ms: this.#interval(now)});
    }
    // An order stays tracked until its end was read, so that no money is lost if the platform fails until then.
    this.store.deleteClosed(Math.max(this.store.readUntil(now), now - MAX_DELAY_MS));
    if (this.store.isAnyTracked()) await this.schedule();
    else this.reader.stop?.();
  }

  #interval(now: number): number {
    return this.reader.interval(this.store.backoff(), now);
  }
}

/**
 * The longest interval between failing polls while a page awaits money. When the platform recovers, the page shows its
 * money within this time.
 */
const MAX_FAILING_INTERVAL_MS = 15_000;

/** The interval while the circuit is open and its retry delay is `retryAfterMs`. */
export function circuitOpenInterval(intervalMs: number, retryAfterMs: number): number {
  return Math.max(intervalMs, Math.min(retryAfterMs, MAX_FAILING_INTERVAL_MS));
}

/** The interval while the platform fails. The interval doubles with each failure, up to `maxMs`. */
export function failingInterval(intervalMs: number, failures: number, maxMs = MAX_FAILING_INTERVAL_MS): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, maxMs));
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
