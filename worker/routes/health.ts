import {version} from '../../package.json';
import {ConfigError} from '../config/config.ts';
import {type Context, contextOf} from '../context.ts';
import type {Health} from '../contract/browser/answers.ts';
import {json} from '../http/json.ts';
import {describeError, log} from '../lib/log.ts';
import type {InterfaceName} from '../platform/operation.ts';
import type {Trouble} from '../platform/trouble-reporter.ts';

/** How long this isolate answers from memory: anybody may ask, and each question would wake the `Token` object. */
const CACHE_MS = 3_000;
const TOKEN_OBJECT_UNREACHABLE =
  'The object that keeps the platform’s token does not answer. Ask again; if it stays so, look at Cloudflare’s status and at the log.';

interface CachedProblems {
  readonly problems: readonly string[];
  readonly until: number;
}

const cachedProblems = new WeakMap<Env, CachedProblems>();

/**
 * GET /health: whether this Worker is up, its configuration right and the platform willing. It does not ask the
 * platform: it tells what those who asked it in the last minutes met, in whatever isolate.
 */
export async function showHealth(env: Env): Promise<Response> {
  const health = await examine(env);
  return json<Health>(health, {status: health.status === 'misconfigured' ? 503 : 200});
}

async function examine(env: Env): Promise<Health> {
  try {
    const context = contextOf(env);
    const problems = [...(await platformProblems(env, context))];
    return {status: problems.length > 0 ? 'degraded' : 'ok', version, bindings: [], problems};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      status: 'misconfigured',
      version,
      bindings: [...error.bindings],
      problems: ['These bindings are missing or wrong; docs/deploy.md says what each must be.'],
    };
  }
}

async function platformProblems(env: Env, {objects}: Context): Promise<readonly string[]> {
  const memory = cachedProblems.get(env);
  if (memory && Date.now() < memory.until) return memory.problems;
  const problems = await readTokenProblems(objects);
  cachedProblems.set(env, {problems, until: Date.now() + CACHE_MS});
  return problems;
}

async function readTokenProblems(objects: Context['objects']): Promise<readonly string[]> {
  try {
    const {tokenRefused, troubles} = await objects.token().health();
    const problems = [
      ...(tokenRefused === null ? [] : [describeTokenRefusal(tokenRefused)]),
      ...troubles.map(describeTrouble),
    ];
    return [...new Set(problems)];
  } catch (error) {
    log('warn', 'internal_error', {route: '/health', error: describeError(error)});
    return [TOKEN_OBJECT_UNREACHABLE];
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
      return `${INTERFACE_NAMES[interfaceName]} fails and is left alone between attempts. Nothing needs doing here.`;
    case 'address_refused':
      return `${INTERFACE_NAMES[interfaceName]} does not know the address our calls come from: it must be the one registered there.`;
    case 'credentials_refused':
      return `${INTERFACE_NAMES[interfaceName]} refuses calls that carry our credentials; the doctor says which to check.`;
    case 'token_missing':
      return `${INTERFACE_NAMES[interfaceName]} cannot be asked for a token, without which no order is made; the doctor says why.`;
  }
}

function describeTokenRefusal(status: string): string {
  switch (status) {
    case 'ERR_007':
      return 'The platform refuses our key: check MERCHANT_ID, MERCHANT_KEY, and MERCHANT_IP, which is part of the key.';
    case 'ERR_002':
      return 'The platform does not know the address our calls come from: it must be the one registered there.';
    case 'ERR_016':
      return 'The platform refuses every token it gives us: ask there whether something else asks for tokens in our name.';
    default:
      return 'The platform gives us no token; its status stands in the log beside `token_refused`.';
  }
}
