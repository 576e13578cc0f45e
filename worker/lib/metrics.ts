/**
 * Counts what an isolate does, for `GET /merchant/v1/metrics`. When a request, an alarm or a call to an object ends,
 * the isolate sends its counts to the `Health` object, unless it has sent a report in the last 30 seconds. So the
 * number of writes does not grow with the number of payments. Labels have values from closed lists, never ids or data
 * of people.
 */

import {SECOND_MS} from './durations.ts';

export type CounterName =
  | 'sessions'
  | 'order_codes'
  | 'payments'
  | 'platform_calls'
  | 'limit_refusals'
  | 'metrics_lost_counts';

/**
 * By how much each series has grown since the last report. The keys are sample names, such as `vezne_sessions_total`.
 */
export type MetricCounts = Readonly<Record<string, number>>;

/** Upper bounds of the buckets of `vezne_payment_lag_seconds`. */
export const LAG_BUCKETS_S: readonly number[] = [10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400];

/**
 * The maximum number of series, without `LOST_COUNTS`; counts of further series are lost. The closed lists of label
 * values make fewer series than this.
 */
const MAX_SERIES = 1_000;
const REPORT_INTERVAL_MS = 30 * SECOND_MS;

export function seriesName(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? `vezne_${name}` : `vezne_${name}{${pairs.join(',')}}`;
}

/** The limit whose refusals a series counts; null for any other series. */
export function refusedLimitOf(series: string): string | null {
  return /^vezne_limit_refusals_total\{limit="(\w+)"\}$/.exec(series)?.[1] ?? null;
}

const LOST_COUNTS = seriesName('metrics_lost_counts_total');

/**
 * Adds counts to the sums. If there are too many series, the counts of a new series are lost. The series that counts
 * lost counts is never lost.
 */
export function addCounts(sums: Map<string, number>, counts: MetricCounts): void {
  for (const [series, count] of Object.entries(counts)) {
    const isLost = sums.size >= MAX_SERIES && !sums.has(series);
    const name = isLost ? LOST_COUNTS : series;
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
}

export class MetricsReporter {
  #sums = new Map<string, number>();
  #reportedAt = -Infinity;

  /** @param send - Sends a report. The function returns no promise, because no request waits for the report. */
  constructor(private readonly send: (counts: MetricCounts) => void) {}

  count(name: CounterName, labels?: Readonly<Record<string, string>>, by = 1): void {
    addCounts(this.#sums, {[seriesName(`${name}_total`, labels)]: by});
  }

  /** Counts the time from a transfer at the bank until pages show the payment. */
  observeLag(lagMs: number): void {
    const seconds = Math.max(0, lagMs / SECOND_MS);
    const name = 'payment_lag_seconds';
    const buckets = [...LAG_BUCKETS_S.filter((bound) => seconds <= bound).map(String), '+Inf'];
    const counts = buckets.map((le) => [seriesName(`${name}_bucket`, {le}), 1] as const);
    addCounts(this.#sums, {
      ...Object.fromEntries(counts),
      [seriesName(`${name}_sum`)]: seconds,
      [seriesName(`${name}_count`)]: 1,
    });
  }

  /** Sends the counts if anything was counted and the last report is old enough. */
  reportIfDue(): void {
    const now = Date.now();
    // If the clock was set back, the time since the last report is negative, and the report is not delayed.
    const sinceReportMs = now - this.#reportedAt;
    if (this.#sums.size === 0 || (sinceReportMs >= 0 && sinceReportMs < REPORT_INTERVAL_MS)) return;
    this.#reportedAt = now;
    const counts = Object.fromEntries(this.#sums);
    this.#sums = new Map();
    this.send(counts);
  }
}
