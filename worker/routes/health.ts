/** `GET /health`: shows operators and monitors whether the Worker works. */

import {version} from '../../package.json';
import {ConfigError} from '../config/config.ts';
import {type Context, contextOf} from '../context.ts';
import type {Health} from '../contract/browser/answers.ts';
import {describeMissingHumanCheck, describeRefusals} from '../doctor/limit-notices.ts';
import {json} from '../http/body.ts';
import {describeError, log} from '../lib/log.ts';
import type {InterfaceName} from '../platform/operation.ts';
import type {Trouble} from '../platform/trouble-reporter.ts';

/**
 * How long this isolate answers from memory. Anyone may call `/health`, and without this memory each call would wake
 * the `Token` object.
 */
const CACHE_MS = 3_000;
const TOKEN_OBJECT_UNREACHABLE =
  'The Durable Object that keeps the platform’s token does not answer. Try again. If the problem persists, check Cloudflare’s status and the log.';

interface PlatformReport {
  readonly problems: readonly string[];
  readonly notices: readonly string[];
}

interface CachedReport extends PlatformReport {
  readonly until: number;
}

const cachedReports = new WeakMap<Env, CachedReport>();

/**
 * Reports whether the configuration is valid and the platform works. It does not call the platform: it reports the
 * trouble that platform calls of the last minutes had, in any isolate.
 */
export async function showHealth(env: Env): Promise<Response> {
  const health = await examine(env);
  return json<Health>(health, {status: health.status === 'misconfigured' ? 503 : 200});
}

async function examine(env: Env): Promise<Health> {
  try {
    const context = contextOf(env);
    const {problems, notices} = await currentReport(env, context);
    const missingCheck = describeMissingHumanCheck(context.config);
    return {
      status: problems.length > 0 ? 'degraded' : 'ok',
      version,
      bindings: [],
      problems: [...problems],
      notices: [...notices, ...(missingCheck === null ? [] : [missingCheck])],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      status: 'misconfigured',
      version,
      bindings: [...error.bindings],
      problems: ['These bindings are missing or wrong; docs/deploy.md says what each must be.'],
      notices: [],
    };
  }
}

async function currentReport(env: Env, {objects}: Context): Promise<PlatformReport> {
  const cached = cachedReports.get(env);
  if (cached && Date.now() < cached.until) return cached;
  const report = await readReport(objects);
  cachedReports.set(env, {...report, until: Date.now() + CACHE_MS});
  return report;
}

async function readReport(objects: Context['objects']): Promise<PlatformReport> {
  try {
    const {tokenRefused, troubles, refusals} = await objects.token().health();
    const problems = [
      ...(tokenRefused === null ? [] : [describeTokenRefusal(tokenRefused)]),
      ...troubles.map(describeTrouble),
    ];
    return {problems: [...new Set(problems)], notices: describeRefusals(refusals)};
  } catch (error) {
    log('warn', 'internal_error', {route: '/health', error: describeError(error)});
    return {problems: [TOKEN_OBJECT_UNREACHABLE], notices: []};
  }
}

const INTERFACE_NAMES: Readonly<Record<InterfaceName, string>> = {
  phs: 'The platform',
  micropayment: 'Mobile billing',
  payment_page: 'The payment page',
  landing: 'The landing interface',
};

function describeTrouble({kind, family: interfaceName}: Trouble): string {
  switch (kind) {
    case 'left_alone':
      return `${INTERFACE_NAMES[interfaceName]} keeps failing, so the Worker calls it only now and then until it recovers. You need not do anything.`;
    case 'address_refused':
      return `${INTERFACE_NAMES[interfaceName]} does not know the IP address of our calls. They must come from the address that is registered there.`;
    case 'credentials_refused':
      return `${INTERFACE_NAMES[interfaceName]} refuses our credentials. The doctor says which ones to check.`;
    case 'token_missing':
      return `${INTERFACE_NAMES[interfaceName]} cannot be reached for a token, so no orders can be created. The doctor says why.`;
  }
}

function describeTokenRefusal(status: string): string {
  switch (status) {
    case 'ERR_007':
      return 'The platform refuses our key. Check MERCHANT_ID, MERCHANT_KEY and MERCHANT_IP, which is part of the key.';
    case 'ERR_002':
      return 'The platform does not know the IP address of our calls. They must come from the address that is registered there.';
    case 'ERR_016':
      return 'The platform refuses every token that it issues to us. Ask its support whether another system requests tokens for this merchant.';
    default:
      return 'The platform issues no token. The log event `token_refused` shows its status.';
  }
}
