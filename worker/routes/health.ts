/** `GET /health`: shows operators and monitors whether the Worker works. */

import {version} from '../../package.json';
import {ConfigError} from '../config/mistakes.ts';
import {type Context, contextOf} from '../context.ts';
import type {Health} from '../contract/browser/answers.ts';
import {describeMissingHumanCheck, describeMissingNotificationKey, describeRefusals} from '../doctor/limit-notices.ts';
import {json} from '../http/body.ts';
import {ACCOUNT_LIMITS, type AccountLimit, accountLimitOf} from '../lib/account-limit.ts';
import {describeError, log} from '../lib/log.ts';
import {formatInstantOrNull} from '../lib/time.ts';
import type {DeliveryBacklog} from '../objects/events/delivery-store.ts';
import type {WebhookView} from '../objects/events/webhook-view.ts';
import {
  findSearchProblems,
  findPlatformProblems,
  findWebhookProblems,
  type Problem,
  readSearchAges,
  type SweepAge,
} from './health-findings.ts';
import {readOnce} from './kept-reads.ts';
import {describeUnusableOffers} from './offers.ts';

/**
 * How long this isolate answers from memory. Anyone may call `/health`, and without this memory each call would wake
 * Durable Objects.
 */
const CACHE_MS = 3_000;
const PLATFORM_STATE_UNREACHABLE =
  'A Durable Object that knows whether the platform works does not answer. Try again. If the problem persists, check ' +
  'Cloudflare’s status and the log.';
const SWEEP_UNREACHABLE =
  'A Durable Object that searches for money does not answer. Try again. If the problem persists, check Cloudflare’s ' +
  'status and the log.';
const OUTBOX_UNREACHABLE =
  'The Durable Object that delivers events does not answer. Try again. If the problem persists, check Cloudflare’s ' +
  'status and the log.';

/** What this isolate found when it last checked. */
export interface HealthReport {
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
  readonly sweepAges: readonly SweepAge[];
  /** Empty if the outbox does not answer. */
  readonly webhooks: readonly WebhookView[];
  /** Null if the outbox does not answer. */
  readonly backlog: DeliveryBacklog | null;
  /** Whether a monitor should ring. */
  readonly rings: boolean;
}

/**
 * Reports whether the configuration is valid, the platform works, money is searched for and events are delivered. It
 * does not call the platform: it reports the trouble that platform calls of the last minutes had, in any isolate.
 */
export async function showHealth(env: Env): Promise<Response> {
  try {
    const {problems, notices, rings, webhooks} = await checkHealth(env);
    const {config} = contextOf(env);
    const missing = [describeMissingHumanCheck(config), describeMissingNotificationKey(config)];
    const health: Health = {
      status: problems.length > 0 ? 'degraded' : 'ok',
      version,
      bindings: [],
      webhooks: webhooks.map(toWebhookState),
      problems: [...new Set(problems.map(({text}) => text))],
      notices: [...notices, ...missing.filter((notice) => notice !== null)],
    };
    return json(health, {status: rings ? 503 : 200});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const health: Health = {
      status: 'misconfigured',
      version,
      bindings: [...error.places],
      webhooks: [],
      problems: ['These settings are missing or wrong; docs/deploy.md says what each must be.'],
      notices: [],
    };
    return json(health, {status: 503});
  }
}

/** @throws {ConfigError} */
export async function checkHealth(env: Env): Promise<HealthReport> {
  const context = contextOf(env);
  return readOnce(context.objects, 'health', () => readReport(context), CACHE_MS);
}

async function readReport(context: Context): Promise<HealthReport> {
  const {objects, config} = context;
  const outbox = objects.outbox();
  const limits = new Set<AccountLimit>();
  const [token, notices, searchAges, deliveries] = await Promise.all([
    ask(() => objects.platform().tokenProblems(), limits),
    ask(() => objects.platform().notices(), limits),
    ask(() => readSearchAges(context), limits),
    ask(() => Promise.all([outbox.listWebhooks(), outbox.backlog()]), limits),
  ]);
  const problems = [
    ...describeUnusableOffers(config).map((text) => ({text, rings: true})),
    ...[...limits].map((limit) => unreachable(Object.values(ACCOUNT_LIMITS[limit]).join(' '))),
    ...(token === 'no answer' || notices === 'no answer'
      ? [unreachable(PLATFORM_STATE_UNREACHABLE)]
      : findPlatformProblems(token, notices.troubles)),
    ...(searchAges === 'no answer' ? [unreachable(SWEEP_UNREACHABLE)] : findSearchProblems(searchAges)),
    ...(deliveries === 'no answer' ? [unreachable(OUTBOX_UNREACHABLE)] : findWebhookProblems(...deliveries)),
  ];
  return {
    problems,
    notices: notices === 'no answer' ? [] : describeRefusals(notices.refusals),
    sweepAges: searchAges === 'no answer' ? [] : searchAges.transfers,
    webhooks: deliveries === 'no answer' ? [] : deliveries[0],
    backlog: deliveries === 'no answer' ? null : deliveries[1],
    rings: problems.some(({rings}) => rings),
  };
}

const unreachable = (text: string): Problem => ({text, rings: true});

/** Asks an object, and logs an error. @param limits - Receives the limit of the account that caused the error. */
async function ask<T>(question: () => Promise<T>, limits: Set<AccountLimit>): Promise<T | 'no answer'> {
  try {
    return await question();
  } catch (error) {
    const limit = accountLimitOf(error);
    if (limit !== null) limits.add(limit);
    log('warn', 'internal_error', {route: '/health', error: describeError(error)});
    return 'no answer';
  }
}

/** What anybody may know about a webhook. The webhook's URL is left out. */
function toWebhookState({
  id,
  enabled,
  last_success_at,
  last_failure_at,
  last_status,
  last_fault,
  waiting,
}: WebhookView): Health['webhooks'][number] {
  return {
    id,
    enabled,
    last_success_at: formatInstantOrNull(last_success_at),
    last_failure_at: formatInstantOrNull(last_failure_at),
    last_status,
    last_fault,
    waiting,
  };
}
