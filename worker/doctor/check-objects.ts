/**
 * The checks that read what the Worker's own Durable Objects have recorded: limits, API keys, webhooks and books. They do not
 * call the platform, and send no event. `POST /merchant/v1/webhooks/{id}/test` sends a test event.
 */

import type {Config} from '../config/config.ts';
import {explainWebhookUrl} from '../config/webhook-address.ts';
import type {Check} from '../contract/merchant/doctor.ts';
import {DAY_MS} from '../lib/durations.ts';
import {describeError, log} from '../lib/log.ts';
import {formatInstant, formatPlatformDay} from '../lib/time.ts';
import {isFailing, RESEND_WAITING, type WebhookView} from '../objects/events/webhook-view.ts';
import type {Notices} from '../objects/platform/health.ts';
import {type BooksReport, checkBooks} from './check-books.ts';
import {failed, type Finding, ok, skipped, warning} from './explain.ts';
import {
  describeLimitedCalls,
  describeMissingHumanCheck,
  describeMissingNotificationKey,
  describeRefusals,
} from './limit-notices.ts';

/** What the check needs to know about a key. */
interface ExaminedKey {
  readonly id: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `YYYY-MM-DD`; null if the key was never used. */
  readonly lastUsedDay: string | null;
  readonly revokedAt: number | null;
}

/** The doctor warns about a key that no server has used for this number of days. */
const UNUSED_DAYS = 90;

const STATES: readonly Check['state'][] = ['skipped', 'ok', 'warning', 'failed'];

export interface ObjectReports {
  readonly webhooks: () => Promise<WebhookView[]>;
  /** Null if the objects that have the books do not answer. */
  readonly books: () => Promise<readonly BooksReport[] | null>;
  /** Reads what the isolates noticed in the last minutes; null if the object that knows does not answer. */
  readonly notices: () => Promise<Notices | null>;
  /** Returns the API keys; null if they cannot be read. */
  readonly keys: () => Promise<readonly ExaminedKey[] | null>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export async function checkObjects(config: Config, {webhooks, books, notices, keys, now}: ObjectReports) {
  return {
    limits: checkLimits(config, await notices()),
    keys: checkKeys(await keys(), now()),
    webhooks: await checkWebhooks(webhooks, config.isSandbox),
    books: checkBooks(await books()),
  };
}

/**
 * Whether limits of ours or of the platform refuse shoppers, and whether offers lack a human check. The sentences are in `limit-notices.ts`,
 * because `/health` shows them too, without loading the doctor.
 * @param notices - Null if the object that has them does not answer.
 */
function checkLimits(config: Config, notices: Notices | null): Finding {
  const missing = describeMissingHumanCheck(config);
  const open = describeMissingNotificationKey(config);
  const {refusals, troubles} = notices ?? {refusals: [], troubles: []};
  const limited = troubles.filter(({kind}) => kind === 'calls_limited');
  const sentences = [
    ...limited.map((trouble) => describeLimitedCalls(trouble.interface)),
    ...describeRefusals(refusals),
    ...[missing, open].filter((sentence) => sentence !== null),
  ];
  if (sentences.length > 0) {
    return warning(
      sentences.join(' '),
      missing === null
        ? 'Somebody sends too many requests, or a limit in LIMITS is too low: docs/operations.md.'
        : 'Set TURNSTILE_SITEKEY and TURNSTILE_SECRET (docs/deploy.md), and raise limits in LIMITS that are too low.',
    );
  }
  if (notices === null) return skipped('The Durable Object that counts refused requests does not answer.');
  return ok('No limit refused a shopper in the last five minutes.');
}

/**
 * Whether there are keys besides the root key, and whether a server uses each of them.
 * @param keys - Null if the object that has them does not answer.
 */
function checkKeys(keys: readonly ExaminedKey[] | null, now: number): Finding {
  if (keys === null) return skipped('The Durable Object that has the API keys does not answer.');
  const usable = keys.filter(({revokedAt}) => revokedAt === null);
  const longAgo = formatPlatformDay(now - UNUSED_DAYS * DAY_MS);
  const unused = usable.filter((key) => (key.lastUsedDay ?? formatPlatformDay(key.createdAt)) < longAgo);
  if (unused.length > 0)
    return warning(
      `API keys that were not used for ${UNUSED_DAYS} days: ${unused.map(({id, name}) => `${name} (${id})`).join(', ')}.`,
      'If no server needs them, revoke them with POST /merchant/v1/keys/{id}/revoke.',
    );
  if (usable.length === 0)
    return ok(
      'Every server uses MERCHANT_API_KEY, which may do everything. docs/deploy.md says how to give each server a ' +
        'key of its own.',
    );
  return ok(
    `API keys besides MERCHANT_API_KEY: ${usable.length}. Each was used, or made, in the last ${UNUSED_DAYS} days.`,
  );
}

/** Reads the results of earlier deliveries. @param isSandbox - With the sandbox, a webhook may be on this machine. */
async function checkWebhooks(list: () => Promise<WebhookView[]>, isSandbox: boolean): Promise<Finding> {
  try {
    const findings = (await list()).map((webhook) => examine(webhook, isSandbox));
    if (findings.length === 0)
      return ok('There is no webhook. Your servers can read events only with `GET /merchant/v1/events`.');
    const actions = [...new Set(findings.map(({action}) => action).filter((action) => action !== null))];
    const state = STATES[Math.max(...findings.map((finding) => STATES.indexOf(finding.state)))] ?? 'ok';
    return {
      state,
      message: findings.map(({message}) => message).join(' '),
      action: actions.length > 0 ? actions.join(' ') : null,
    };
  } catch (error) {
    log('warn', 'internal_error', {route: '/merchant/v1/doctor', error: describeError(error)});
    return warning('The webhooks could not be checked.', 'Run the doctor again in a moment.');
  }
}

function examine(webhook: WebhookView, isSandbox: boolean): Finding {
  const {id, url, enabled, waiting, unheardMoney, failures, last_fault} = webhook;
  const name = `${id} (${new URL(url).host})`;
  if (!enabled) return ok(`${name} is switched off.`);
  const refusal = explainWebhookUrl(url, isSandbox);
  if (refusal !== null) return failed(`${name} cannot get events. ${refusal}`, 'Change the URL of the webhook.');
  const message = `${name}: ${describeDeliveries(webhook)}${describeWaiting(waiting)}.`;
  if (failures === 0)
    return unheardMoney === 0
      ? ok(message)
      : failed(`${message} It did not accept an event about money of an order.`, RESEND_WAITING);
  if (last_fault === 'secret_unreadable')
    return failed(
      `${message} Its secret was stored with a SESSION_SECRET that is not configured any more.`,
      'Set the old SESSION_SECRET as SESSION_SECRET_PREVIOUS, or give the webhook a new secret.',
    );
  const action =
    'Check the receiver, then send a test (POST /merchant/v1/webhooks/{id}/test). ' +
    `GET /merchant/v1/deliveries lists the events. ${RESEND_WAITING}`;
  return isFailing(webhook) || unheardMoney > 0 ? failed(message, action) : warning(message, action);
}

function describeDeliveries({
  failures,
  last_success_at,
  last_failure_at,
  last_status,
  last_fault,
}: WebhookView): string {
  const success =
    last_success_at === null
      ? 'no event was accepted yet'
      : `the last event was accepted at ${formatInstant(last_success_at)}`;
  if (failures === 0 || last_failure_at === null) return success;
  const reason = last_status === null ? `fault ${last_fault}` : `status ${last_status}`;
  const since = last_success_at === null ? '' : ' since then';
  const attempts = failures === 1 ? `1 attempt failed${since},` : `${failures} attempts failed${since}, the last one`;
  return `${success}; ${attempts} at ${formatInstant(last_failure_at)} with ${reason}`;
}

function describeWaiting(waiting: number): string {
  if (waiting === 0) return '';
  return waiting === 1 ? '; 1 event waits' : `; ${waiting >= 1000 ? 'at least 1000' : waiting} events wait`;
}
