/** `GET /merchant/v1/metrics`: the metrics of the Worker as OpenMetrics text, for a monitor such as Prometheus. */

import {ApiError} from '../../../http/errors.ts';
import {describeError, log} from '../../../lib/log.ts';
import {seriesName} from '../../../lib/metrics.ts';
import {checkHealth} from '../../health.ts';
import type {RouteContext} from '../../route.ts';
import {requireScope} from '../auth.ts';
import {renderMetrics} from './openmetrics.ts';

const CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

type Gauges = Record<string, number>;

/** Shows the counts that isolates have sent. An isolate sends its counts after a request, at most every 30 seconds. */
export async function showMetrics(_request: Request, context: RouteContext): Promise<Response> {
  const {objects, caller} = context;
  if (!caller) throw new ApiError('unauthorized');
  requireScope('read', caller);
  const [sums, ...gauges] = await Promise.all([
    objects.metrics().sums(),
    readGauges(() => readHealth(context)),
    readGauges(() => readQuotas(context)),
  ]);
  const text = renderMetrics({...sums, ...Object.assign({}, ...gauges)});
  return new Response(text, {headers: {'content-type': CONTENT_TYPE, 'cache-control': 'no-store'}});
}

/** If an object does not answer, its gauges are missing; the other metrics must still arrive. */
async function readGauges(read: () => Promise<Gauges>): Promise<Gauges> {
  try {
    return await read();
  } catch (error) {
    log('warn', 'internal_error', {error: describeError(error)});
    return {};
  }
}

async function readHealth({env}: RouteContext): Promise<Gauges> {
  const {rings, sweepAges, backlog} = await checkHealth(env);
  const gauges: Gauges = {[seriesName('healthy')]: rings ? 0 : 1};
  for (const {service, ageMs} of sweepAges) gauges[seriesName('sweep_age_seconds', {service})] = ageMs / 1000;
  if (backlog) {
    gauges[seriesName('webhook_waiting_events')] = backlog.waiting;
    gauges[seriesName('webhook_dead_events')] = backlog.dead;
    gauges[seriesName('webhook_oldest_waiting_seconds')] = backlog.oldestMs / 1000;
  }
  return gauges;
}

async function readQuotas({objects}: RouteContext): Promise<Gauges> {
  const gauges: Gauges = {};
  for (const {name: quota, left, limit} of await objects.quota().usage()) {
    if (left === null || limit.day === null) continue;
    gauges[seriesName('quota_left', {quota})] = left;
    gauges[seriesName('quota_limit', {quota})] = limit.day;
  }
  return gauges;
}
