/** What handlers and objects work with: made once an isolate from the bindings. */

import {waitUntil} from 'cloudflare:workers';
import {type Config, readConfig} from './config/config.ts';
import {describeError, log} from './lib/log.ts';
import {Objects} from './objects.ts';
import {PlatformClient} from './platform/client.ts';
import {type Egress, egressOf} from './platform/egress.ts';
import {configuredFamilies} from './platform/interfaces/index.ts';
import {CountedQuotas, type QuotaSource} from './platform/quota-source.ts';
import {RememberedToken} from './platform/token-source.ts';
import {Standing, type Trouble} from './platform/trouble-reporter.ts';
import {Sessions} from './session.ts';

export interface Context {
  readonly config: Config;
  readonly objects: Objects;
  readonly egress: Egress;
  readonly quotas: QuotaSource;
  readonly platform: PlatformClient;
  readonly sessions: Sessions;
  readonly addressRate: RateLimit;
}

const contexts = new WeakMap<Env, Context>();

/** @throws {ConfigError} */
export function contextOf(env: Env): Context {
  let context = contexts.get(env);
  if (!context) contexts.set(env, (context = makeContext(env)));
  return context;
}

/** What cannot be told now is told again, or has passed. */
async function tellTrouble(objects: Objects, trouble: Trouble, present: boolean): Promise<void> {
  try {
    await objects.token().noteTrouble(trouble, present);
  } catch (error) {
    log('warn', 'standing_failed', {error: describeError(error)});
  }
}

function makeContext(env: Env): Context {
  const config = readConfig(env);
  const objects = new Objects(env, config);
  const egress = egressOf(config);
  const quotas = new CountedQuotas(config.quotas, () => objects.quota(), waitUntil);
  const platform = new PlatformClient({
    families: configuredFamilies(config),
    tokens: new RememberedToken(() => objects.token()),
    quotas,
    fetch: egress.fetch,
    clock: {now: () => Date.now(), wait: (ms) => scheduler.wait(ms), random: Math.random},
    standing: new Standing((trouble, present) => waitUntil(tellTrouble(objects, trouble, present))),
  });
  return {
    config,
    objects,
    egress,
    quotas,
    platform,
    sessions: new Sessions(config.sessionSecrets),
    addressRate: env.ADDRESS_RATE,
  };
}
