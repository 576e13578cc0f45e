/**
 * Counts the shoppers' requests that a limit refuses, so that `/health` and the doctor can show the counts. An isolate
 * reports its counts to one object that all isolates share, at most every ten seconds, so that a flood of requests does
 * not cause a flood of reports. The counts contain the names of limits and no personal data. When an isolate ends, the
 * counts that it has not reported are lost.
 */

import type {SharedLimit} from '../config/limits.ts';
import {SECOND_MS} from '../lib/durations.ts';

/** How many requests a limit refused. */
export interface LimitRefusals {
  readonly limit: SharedLimit;
  readonly count: number;
}

const REPORT_INTERVAL_MS = 10 * SECOND_MS;

export class RefusalReporter {
  readonly #counts = new Map<SharedLimit, number>();
  #reportedAt = -Infinity;

  /** @param report - Sends the counts. It returns nothing, because requests do not wait for the report. */
  constructor(private readonly report: (refusals: readonly LimitRefusals[]) => void) {}

  count(limit: SharedLimit): void {
    this.#counts.set(limit, (this.#counts.get(limit) ?? 0) + 1);
    const now = Date.now();
    if (now - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = now;
    const refusals = [...this.#counts].map(([name, count]) => ({limit: name, count}));
    this.#counts.clear();
    this.report(refusals);
  }
}
