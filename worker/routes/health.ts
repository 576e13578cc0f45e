/** `GET /health`: shows operators and monitors whether the Worker works. */

import {version} from '../../package.json';
import {ConfigError} from '../config/mistakes.ts';
import {type Context, contextOf} from '../context.ts';
import type {Health} from '../contract/browser/answers.ts';
import {type Gauges, type Problem, ringing} from '../doctor/check.ts';
import {gaugesOf, readChecks, readingsOf} from '../doctor/own-checks.ts';
import {json} from '../http/body.ts';
import {ACCOUNT_LIMITS} from '../lib/account-limit.ts';
import {formatInstantOrNull} from '../lib/time.ts';
import type {WebhookView} from '../objects/events/webhook-view.ts';
import {readOnce} from './kept-reads.ts';

/**
 * How long this isolate answers from memory. Anyone may call `/health`, and without this memory each call would wake
 * Durable Objects.
 */
const CACHE_MS = 3_000;

/** What this isolate found when it last checked. */
export interface HealthReport {
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
  readonly gauges: Gauges;
  /** Empty if the outbox does not answer. */
  readonly webhooks: readonly WebhookView[];
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
    const health: Health = {
      status: problems.length > 0 ? 'degraded' : 'ok',
      version,
      bindings: [],
      webhooks: webhooks.map(toWebhookState),
      problems: [...new Set(problems.map(({text}) => text))],
      notices: [...notices],
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
  const readings = await readChecks(({problems}) => problems, context, '/health');
  const rows = readingsOf(readings).map(([, reading]) => reading);
  const found = rows.flatMap(({check, fact, limit}): readonly Problem[] => {
    if (fact !== null) return check.problems?.(fact) ?? [];
    const texts = limit === null ? [] : [Object.values(ACCOUNT_LIMITS[limit]).join(' ')];
    texts.push(
      `${check.source} does not answer. Try again. If the problem persists, check Cloudflare’s status and the log.`,
    );
    return texts.map(ringing);
  });
  return {
    problems: found,
    notices: rows.flatMap(({check, fact}) => check.notices?.(fact, context.config) ?? []),
    gauges: gaugesOf(readings),
    webhooks: readings.webhooks?.fact?.webhooks ?? [],
    rings: found.some(({rings}) => rings),
  };
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
