/**
 * The doctor's check of the webhooks: reads the results of earlier deliveries, and sends no event.
 * `POST /merchant/v1/webhooks/{id}/test` sends a test event.
 */

import {explainWebhookUrl} from '../config/webhook-address.ts';
import type {Check} from '../contract/merchant/descriptions/doctor.ts';
import {describeError, log} from '../lib/log.ts';
import {formatInstant} from '../lib/time.ts';
import {isFailing, type WebhookView} from '../objects/events/webhook-view.ts';
import {failed, type Finding, ok, warning} from './explain.ts';

const STATES: readonly Check['state'][] = ['skipped', 'ok', 'warning', 'failed'];

/** @param isSandbox - With the sandbox, a webhook may be on this machine. */
export async function checkWebhooks(list: () => Promise<WebhookView[]>, isSandbox: boolean): Promise<Finding> {
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
  const {id, url, enabled, waiting, failures, last_fault} = webhook;
  const name = `${id} (${new URL(url).host})`;
  if (!enabled) return ok(`${name} is switched off.`);
  const refusal = explainWebhookUrl(url, isSandbox);
  if (refusal !== null) return failed(`${name} cannot get events. ${refusal}`, 'Change the URL of the webhook.');
  const message = `${name}: ${describeDeliveries(webhook)}${describeWaiting(waiting)}.`;
  if (failures === 0) return ok(message);
  if (last_fault === 'secret_unreadable')
    return failed(
      `${message} Its secret was stored with a SESSION_SECRET that is not configured any more.`,
      'Set the old SESSION_SECRET as SESSION_SECRET_PREVIOUS, or give the webhook a new secret.',
    );
  const action =
    'Check the receiver, then send a test (POST /merchant/v1/webhooks/{id}/test). ' +
    'GET /merchant/v1/deliveries lists the events.';
  return isFailing(webhook) ? failed(message, action) : warning(message, action);
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
