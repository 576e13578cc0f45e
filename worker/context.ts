/** The context that all handlers and Durable Objects of an isolate share. It is built once, from the bindings. */

import {waitUntil} from 'cloudflare:workers';
import {type Config, readConfig} from './config/config.ts';
import {describeError, log} from './lib/log.ts';
import {type MetricCounts, MetricsReporter} from './lib/metrics.ts';
import {Objects} from './objects.ts';
import {PlatformClient, type PlatformOptions} from './platform/client.ts';
import {type Egress, egressOf} from './platform/egress.ts';
import {isBroken} from './platform/failure.ts';
import {configuredInterfaces} from './platform/interfaces.ts';
import {CountedQuotas, type QuotaSource} from './platform/quotas.ts';
import {CachedToken} from './platform/token-source.ts';
import {TroubleReporter, type Trouble} from './platform/trouble-reporter.ts';
import {Sessions} from './session.ts';

export interface Context {
  readonly config: Config;
  readonly objects: Objects;
  readonly egress: Egress;
  readonly quotas: QuotaSource;
  readonly platform: PlatformClient;
  readonly sessions: Sessions;
  /** Counts requests by address. */
  readonly addressRate: RateLimit;
  /** Counts requests that carry a session, by address. */
  readonly readRate: RateLimit;
  readonly metrics: MetricsReporter;
}

const contexts = new WeakMap<Env, Context>();

/** @throws {ConfigError} */
export function contextOf(env: Env): Context {
  let context = contexts.get(env);
  if (!context) contexts.set(env, (context = makeContext(env)));
  return context;
}

/** If the report fails, this function only logs the failure, because the report is repeated while the trouble lasts. */
async function reportTrouble(objects: Objects, trouble: Trouble, present: boolean): Promise<void> {
  try {
    await objects.health().recordTrouble(trouble, present);
  } catch (error) {
    log('warn', 'trouble_report_failed', {error: describeError(error)});
  }
}

/**
 * If the call fails, the counts may nevertheless have arrived, so they are not sent again. Their number is logged, and
 * counted as lost.
 */
async function sendMetrics(objects: Objects, counts: MetricCounts, metrics: () => MetricsReporter): Promise<void> {
  try {
    await objects.health().add(counts);
  } catch (error) {
    const rows = Object.keys(counts).length;
    log('warn', 'metrics_lost', {rows, error: describeError(error)});
    metrics().count('metrics_lost_counts', {}, rows);
  }
}

/** The metrics of this isolate; null if the configuration is wrong, which other code reports. */
export function metricsOf(env: Env): MetricsReporter | null {
  try {
    return contextOf(env).metrics;
  } catch {
    return null;
  }
}

/** Passes the outcome of each call to the platform on to the trouble reporter and the metrics. */
function recorderOf(troubles: TroubleReporter, metrics: MetricsReporter): NonNullable<PlatformOptions['troubles']> {
  return {
    recordCircuit: (...circuit) => troubles.recordCircuit(...circuit),
    recordCall(operation, row, failure) {
      troubles.recordCall(operation, row, failure);
      const outcome = failure === null ? 'success' : isBroken(failure) ? 'failed' : 'refused';
      metrics.count('platform_calls', {operation, outcome});
    },
  };
}

function makeContext(env: Env): Context {
  const config = readConfig(env);
  const objects = new Objects(config);
  const egress = egressOf(config);
  const quotas = new CountedQuotas(config.quotas, () => objects.quota(), waitUntil);
  const metrics: MetricsReporter = new MetricsReporter((counts) =>
    waitUntil(sendMetrics(objects, counts, () => metrics)),
  );
  const troubles = new TroubleReporter((trouble, present) => waitUntil(reportTrouble(objects, trouble, present)));
  const platform = new PlatformClient({
    interfaces: configuredInterfaces(config),
    tokens: new CachedToken(() => objects.token()),
    quotas,
    fetch: egress.fetch,
    clock: {now: () => Date.now(), wait: (ms) => scheduler.wait(ms), random: Math.random},
    troubles: recorderOf(troubles, metrics),
  });
  return {
    config,
    objects,
    egress,
    quotas,
    platform,
    sessions: new Sessions(config.sessionSecrets),
    addressRate: env.ADDRESS_RATE,
    readRate: env.READ_RATE,
    metrics,
  };
}
