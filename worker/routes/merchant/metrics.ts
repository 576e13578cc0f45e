/** `GET /merchant/v1/metrics`: the metrics of the Worker as OpenMetrics text, for a monitor such as Prometheus. */

import {gaugesOf, readChecks} from '../../doctor/own-checks.ts';
import {ApiError} from '../../http/errors.ts';
import {type MetricCounts, seriesName} from '../../lib/metrics.ts';
import {checkHealth} from '../health.ts';
import type {RouteContext} from '../route.ts';
import {authorize} from './auth.ts';

interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
}

/** All metrics. Help texts contain no backslash, quotation mark or line break, which OpenMetrics would escape. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  vezne_healthy: {type: 'gauge', help: '1 while /health answers 200, and 0 while it answers 503.'},
  vezne_sessions: {type: 'counter', help: 'Sessions, by kind and by who opened them.'},
  vezne_order_codes: {type: 'counter', help: 'Orders that got an order code.'},
  vezne_payments: {type: 'counter', help: 'How often payments reached each state.'},
  vezne_payment_lag_seconds: {type: 'histogram', help: 'Time from a transfer at the bank until pages show it.'},
  vezne_sweep_age_seconds: {
    type: 'gauge',
    help: 'Time since a service was last searched for money; missing while no order is open.',
  },
  vezne_webhook_waiting_events: {type: 'gauge', help: 'Events that wait for delivery; 1000 for any larger number.'},
  vezne_webhook_dead_events: {type: 'gauge', help: 'Events that were given up; 1000 for any larger number.'},
  vezne_webhook_oldest_waiting_seconds: {type: 'gauge', help: 'How long the oldest waiting event has waited.'},
  vezne_platform_calls: {type: 'counter', help: 'Calls to the platform, by operation and outcome.'},
  vezne_quota_left: {type: 'gauge', help: 'Calls that are left of a daily limit of the platform.'},
  vezne_quota_limit: {type: 'gauge', help: 'The daily limit of the platform, as far as this Worker may use it.'},
  vezne_limit_refusals: {type: 'counter', help: 'Requests of shoppers that a limit refused.'},
  vezne_metrics_lost_counts: {type: 'counter', help: 'Counts that did not reach the object that adds them up.'},
};

const SUFFIXES: Readonly<Record<Family['type'], readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

const CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * Shows the counts that isolates have sent. An isolate sends its counts after a request, at most every 30 seconds. If an
 * object does not answer, its gauges are missing; the other metrics must still arrive.
 */
export async function showMetrics(_request: Request, context: RouteContext): Promise<Response> {
  const {objects, caller, env} = context;
  if (!caller) throw new ApiError('unauthorized');
  authorize({scope: 'read', service: 'all'}, caller);
  const [sums, {rings, gauges}, others] = await Promise.all([
    objects.platform().metricSums(),
    checkHealth(env),
    // The report has the gauges of the checks that `/health` shows, too.
    readChecks(({gauges: shown, problems}) => shown && !problems, context, '/merchant/v1/metrics'),
  ]);
  const text = renderMetrics({...sums, [seriesName('healthy')]: rings ? 0 : 1, ...gauges, ...gaugesOf(others)});
  return new Response(text, {headers: {'content-type': CONTENT_TYPE, 'cache-control': 'no-store'}});
}

/**
 * Writes metrics in the text format of OpenMetrics 1.0.
 * @param samples - The value of each sample; samples of unknown families, from another version, are left out.
 */
export function renderMetrics(samples: MetricCounts): string {
  const lines: string[] = [];
  for (const [family, {type, help}] of Object.entries(FAMILIES)) {
    lines.push(`# TYPE ${family} ${type}`, `# HELP ${family} ${help}`);
    for (const suffix of SUFFIXES[type]) lines.push(...linesOf(samples, family + suffix));
  }
  return [...lines, '# EOF', ''].join('\n');
}

/** The samples with this name, in a fixed order; a histogram needs its buckets in the order of their bounds. */
function linesOf(samples: MetricCounts, name: string): string[] {
  return Object.entries(samples)
    .filter(([series]) => series === name || series.startsWith(`${name}{`))
    .map(([series, value]) => `${series} ${value}`)
    .toSorted((a, b) => boundOf(a) - boundOf(b) || (a < b ? -1 : 1));
}

/** The upper bound of a bucket; 0 for any other sample. */
function boundOf(line: string): number {
  const bound = /\ble="([^"]+)"/.exec(line)?.[1];
  if (bound === undefined) return 0;
  return bound === '+Inf' ? Infinity : Number(bound);
}
