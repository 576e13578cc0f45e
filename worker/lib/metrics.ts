/**
 * The series of `GET /merchant/v1/metrics` that isolates count. Labels have values from closed lists, never ids or data
 * of people.
 */

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

/**
 * The maximum number of series, without `LOST_COUNTS`; counts of further series are lost. The closed lists of label
 * values make fewer series than this.
 */
const MAX_SERIES = 1_000;

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
