/** Checks that events reach webhooks. It reads the results of earlier deliveries, and sends no event. */

import {explainWebhookUrl} from '../config/webhook-address.ts';
import type {Check} from '../contract/merchant/doctor.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../lib/durations.ts';
import {seriesName} from '../lib/metrics.ts';
import {formatInstant} from '../lib/time.ts';
import type {DeliveryBacklog} from '../objects/events/delivery-store.ts';
import {isFailing, RESEND_WAITING, type WebhookView} from '../objects/events/webhook-view.ts';
import {failed, type Finding, ok, type OwnCheck, ringing, warning} from './check.ts';

interface Deliveries {
  readonly webhooks: readonly WebhookView[];
  readonly backlog: DeliveryBacklog;
}

const STATES: readonly Check['state'][] = ['skipped', 'ok', 'warning', 'failed'];
const MAX_WAIT_MS = HOUR_MS;
/** Monitors ring for a day after the Worker gave up an event. After that day, the operator knows about the event. */
const DEAD_RINGS_MS = DAY_MS;

export const webhooks: OwnCheck<Deliveries> = {
  async read({objects}) {
    const outbox = objects.outbox();
    const [list, backlog] = await Promise.all([outbox.listWebhooks(), outbox.backlog()]);
    return {webhooks: list, backlog};
  },

  find(fact, {config: {isSandbox}}) {
    if (fact === null) return warning('The webhooks could not be checked.', 'Run the doctor again in a moment.');
    const findings = fact.webhooks.map((webhook) => examine(webhook, isSandbox));
    if (findings.length === 0)
      return ok('There is no webhook. Your servers can read events only with `GET /merchant/v1/events`.');
    const actions = [...new Set(findings.map(({action}) => action).filter((action) => action !== null))];
    return {
      state: STATES[Math.max(...findings.map(({state}) => STATES.indexOf(state)))] ?? 'ok',
      message: findings.map(({message}) => message).join(' '),
      action: actions.length > 0 ? actions.join(' ') : null,
    };
  },

  /**
   * Monitors ring if a webhook fails, if an event about money of an order waits although an attempt failed, if any event
   * waits for more than `MAX_WAIT_MS`, or if the Worker has given up an event.
   */
  problems({webhooks: all, backlog: {waiting, oldestMs, sinceDeadMs}}) {
    const texts = [
      ...all.filter(isFailing).map(({id}) => `Events do not reach the webhook ${id}. The doctor says why.`),
      ...all
        .filter(({unheardMoney}) => unheardMoney > 0)
        .map(({id}) => `The webhook ${id} did not accept an event about money of an order. ${RESEND_WAITING}`),
    ];
    if (waiting > 0 && oldestMs > MAX_WAIT_MS)
      texts.push(
        `Events wait for your server, the oldest for ${Math.floor(oldestMs / MINUTE_MS)} minutes. The log event ` +
          '`event_refused` shows the status of the server’s answers.',
      );
    if (sinceDeadMs !== null && sinceDeadMs < DEAD_RINGS_MS)
      texts.push('Events could not be delivered to your server. Read them with GET /merchant/v1/events/dead.');
    return texts.map(ringing);
  },
  source: 'The Durable Object that delivers events',

  gauges: ({backlog: {waiting, dead, oldestMs}}) => ({
    [seriesName('webhook_waiting_events')]: waiting,
    [seriesName('webhook_dead_events')]: dead,
    [seriesName('webhook_oldest_waiting_seconds')]: oldestMs / 1000,
  }),
};

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
