/** What `Sweep` and `Charges` share: each reads one of the platform's lists again and again for the open orders of a service. */

import {HOUR_MS} from '../../lib/durations.ts';
import {log, type LogFields} from '../../lib/log.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {bringAlarmForward} from '../alarm.ts';
import type {WatchReport} from '../order/order-watchers.ts';

/** How the last readings went. It is stored, because an object that reads every 15 s sleeps in between. */
export interface Backoff {
  /** When the last reading began, epoch milliseconds. */
  readonly readAt: number;
  /** How many readings in a row failed. */
  readonly failures: number;
  /** For how long the circuit was open at the last reading; null where it was closed. */
  readonly retryAfterMs: number | null;
}

/** What a poller stores: the open orders, and how the last readings went. */
export interface PollStore {
  service(): string | undefined;
  isAnyTracked(): boolean;
  deleteClosed(now: number): void;
  /** A page of the order looks, or has all it waits for. */
  recordWatch(report: WatchReport, now: number): void;
  /** When the platform's list was last read successfully; null before. */
  asOf(): number | null;
  backoff(): Backoff;
  setBackoff(backoff: Backoff): void;
  /** A reading begins: one that is cut off is repeated, and not at once. */
  markReading(now: number): void;
}

/** Reads one list, and hands what is new to the orders. */
export interface PollReader {
  read(service: string, now: number): Promise<void>;
  /** Milliseconds from one reading to the next. */
  interval(backoff: Backoff, now: number): number;
  logFailure(error: unknown, about: LogFields): void;
  /** No order is open any more. */
  stop?(): void;
}

export class Poller {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly store: PollStore,
    private readonly reader: PollReader,
  ) {}

  /** A page looks at an order; tells when the platform was last asked. */
  async reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    this.store.recordWatch(report, Date.now());
    await this.schedule();
    return {asOf: this.store.asOf()};
  }

  /** Plans the next reading, unless one is planned that is soon enough. */
  async schedule(): Promise<void> {
    if (!this.store.isAnyTracked()) return;
    await bringAlarmForward(this.storage, this.store.backoff().readAt + this.#interval(Date.now()));
  }

  /** Reads once, and plans the next reading whatever happened. */
  async poll(): Promise<void> {
    const now = Date.now();
    this.store.deleteClosed(now);
    const service = this.store.service();
    if (service === undefined || !this.store.isAnyTracked()) return this.#stop();
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
    await this.schedule();
  }

  #interval(now: number): number {
    return this.reader.interval(this.store.backoff(), now);
  }

  async #stop(): Promise<void> {
    this.reader.stop?.();
    await this.storage.deleteAlarm();
  }
}

/** While the platform fails and a page waits: a page learns of its money at most so long after the platform is well. */
const MAX_FAILING_INTERVAL_MS = 15_000;

/** An interval while the circuit is open for `retryAfterMs`. */
export function circuitOpenInterval(intervalMs: number, retryAfterMs: number): number {
  return Math.max(intervalMs, Math.min(retryAfterMs, MAX_FAILING_INTERVAL_MS));
}

/** An interval while the platform fails, ever longer. */
export function failingInterval(intervalMs: number, failures: number, maxMs = MAX_FAILING_INTERVAL_MS): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, maxMs));
}

/** A row that cannot be read stays on a list for days, and the list is read every few seconds. */
const REPORT_INTERVAL_MS = HOUR_MS;

/** Says of a service's list that some of it cannot be read, now and then. */
export class UnreadableRowsReporter {
  #reportedAt = -Infinity;

  constructor(private readonly operation: OperationName) {}

  report(service: string, rows: number, now: number): void {
    if (rows === 0 || now - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = now;
    log('error', 'rows_unreadable', {operation: this.operation, service, rows});
  }
}
