/** The context that all handlers and Durable Objects of an isolate share. It is built once, from the bindings. */

import {waitUntil} from 'cloudflare:workers';
import {type Config, readConfig} from './config/config.ts';
import {ConfigError} from './config/mistakes.ts';
import {describeError, log} from './lib/log.ts';
import {Objects} from './objects.ts';
import {PlatformClient} from './platform/client.ts';
import {type Egress, egressOf} from './platform/egress.ts';
import {configuredInterfaces} from './platform/interfaces.ts';
import {CountedQuotas, type QuotaSource} from './platform/quotas.ts';
import {type Report, Reporter} from './platform/reporter.ts';
import {CachedToken} from './platform/token-source.ts';
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
  readonly reporter: Reporter;
}

const contexts = new WeakMap<Env, Context>();

/** @throws {ConfigError} */
export function contextOf(env: Env): Context {
  let context = contexts.get(env);
  if (!context) contexts.set(env, (context = makeContext(env)));
  return context;
}

/**
 * If the call fails, the report may nevertheless have arrived, so it is not sent again. The number of its counts is
 * logged, and counted as lost. A trouble is reported again while it lasts.
 */
async function sendReport(objects: Objects, report: Report, reporter: () => Reporter): Promise<void> {
  try {
    await objects.platform().recordReport(report);
  } catch (error) {
    const rows = Object.keys(report.counts).length;
    log('warn', 'report_lost', {rows, error: describeError(error)});
    reporter().count('metrics_lost_counts', {}, rows);
  }
}

/** Null if the configuration is wrong, which other code reports. */
export function workingContextOf(env: Env): Context | null {
  try {
    return contextOf(env);
  } catch {
    return null;
  }
}

/** The reporter of this isolate; null if the configuration is wrong. */
export const reporterOf = (env: Env): Reporter | null => workingContextOf(env)?.reporter ?? null;

/**
 * Without these bindings of `wrangler.toml`, pages could not open sessions or load their scripts. An environment of
 * wrangler inherits none of them.
 */
function requireBindings(env: Env, {limits}: Config): void {
  const needed = ['ASSETS', ...(limits.addressSessionsPerMinute === null ? [] : ['ADDRESS_RATE', 'READ_RATE'])];
  const missing = needed.filter((name) => env[name as keyof Env] === undefined);
  if (missing.length === 0) return;
  throw new ConfigError(
    missing,
    missing.map(
      (name) => `${name}: This binding of Vezne’s wrangler.toml is missing. Deploy with \`npx vezne deploy\`.`,
    ),
  );
}

function makeContext(env: Env): Context {
  const config = readConfig(env);
  requireBindings(env, config);
  const objects = new Objects(config);
  const egress = egressOf(config);
  const quotas = new CountedQuotas(config.quotas, () => objects.platform(), waitUntil);
  const reporter: Reporter = new Reporter((report) => waitUntil(sendReport(objects, report, () => reporter)));
  const platform = new PlatformClient({
    interfaces: configuredInterfaces(config),
    tokens: new CachedToken(() => objects.platform()),
    quotas,
    fetch: egress.fetch,
    orderPrefix: config.orderPrefix,
    of: config,
    clock: {now: () => Date.now(), wait: (ms) => scheduler.wait(ms), random: Math.random},
    reporter,
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
    reporter,
  };
}
