/** What `Sweep` and `Charges` share: how often they ask the platform, and the report of rows they cannot read. */

import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {Viewers} from './sweep-store.ts';

/** While any order is open and nobody looks. */
const IDLE_MS = 5 * MINUTE_MS;
/** While the platform fails and a page waits: a page learns of its money at most so long after the platform is well. */
const MAX_FAILING_INTERVAL_MS = 15_000;

/**
 * Milliseconds from one sweep to the next: the most recently opened page that awaits money decides. Where all has
 * arrived a second transfer may follow, but nobody counts the seconds.
 */
export function sweepInterval({newestOpenedAt, isViewed}: Viewers, now: number): number {
  if (newestOpenedAt === null) return isViewed ? MINUTE_MS : IDLE_MS;
  const age = now - newestOpenedAt;
  if (age < 10 * MINUTE_MS) return 3_000;
  return age < HOUR_MS ? 15_000 : MINUTE_MS;
}

/** The same while the platform is left alone for `retryAfterMs`. */
export function circuitOpenInterval(intervalMs: number, retryAfterMs: number): number {
  return Math.max(intervalMs, Math.min(retryAfterMs, MAX_FAILING_INTERVAL_MS));
}

/** The same while the platform fails, ever more slowly. */
export function failingInterval(intervalMs: number, failures: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, MAX_FAILING_INTERVAL_MS));
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
