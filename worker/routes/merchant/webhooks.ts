/** Webhooks: the merchant's servers to which the Worker sends events, and the deliveries to them. */

import type {Config} from '../../config/config.ts';
import {explainWebhookUrl} from '../../config/webhook-address.ts';
import type {EndpointAnswer} from '../../contract/merchant/endpoints.ts';
import type {MerchantEvent} from '../../contract/merchant/events.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {formatInstantOrNull} from '../../lib/time.ts';
import type {StoredDelivery} from '../../objects/events/delivery-store.ts';
import {CONFIGURED_WEBHOOK, type WebhookView} from '../../objects/events/webhook-view.ts';
import {requireServices} from '../services.ts';
import {readCursor} from './cursor.ts';
import type {Handlers, WriteContext} from './handler.ts';

/** For how many hours the replaced secret signs, too, after a rotation. */
const DEFAULT_OVERLAP_HOURS = 24;

export const webhookHandlers = {
  async listWebhooks(_input, {objects, caller}) {
    return {items: (await objects.outbox().listWebhooks(caller.services)).map(toAnswer)};
  },

  async createWebhook({url, types = null, services = null, enabled = true}, context) {
    const {config, objects, caller} = context;
    checkUrl(url, config);
    requireServices(services, config);
    const settings = {url, types, services: services ?? caller.services, enabled};
    const created = await objects.outbox().createWebhook(settings, caller.services);
    if (!created) throw new ApiError('webhook_limit');
    return {...toAnswer(created.webhook), secret: created.secret};
  },

  async getWebhook({id}, context) {
    return toAnswer(await findVisible(id, context));
  },

  async updateWebhook({id, ...settings}, context) {
    const {config, objects, caller} = context;
    await checkChangeable(id, context);
    if (settings.url !== undefined) checkUrl(settings.url, config);
    requireServices(settings.services ?? null, config);
    const services = settings.services === null ? caller.services : settings.services;
    return toAnswer(required(await objects.outbox().updateWebhook(id, {...settings, services})));
  },

  async deleteWebhook({id}, context) {
    const {objects} = context;
    await checkChangeable(id, context);
    if (!(await objects.outbox().deleteWebhook(id))) throw new ApiError('not_found');
    return {id, state: 'deleted'};
  },

  async rotateWebhookSecret({id, overlap_hours = DEFAULT_OVERLAP_HOURS}, context) {
    const {objects} = context;
    await checkChangeable(id, context);
    const rotated = await objects.outbox().rotateSecret(id, overlap_hours * HOUR_MS);
    if (rotated === 'refused') throw new ApiError('rotation_limit');
    const {webhook, secret} = required(rotated === 'not_found' ? null : rotated);
    return {...toAnswer(webhook), secret};
  },

  async testWebhook({id}, context) {
    const {objects} = context;
    if (context.caller.services !== null) await findVisible(id, context);
    const {id: event_id, accepted, status, fault} = required(await objects.outbox().testWebhook(id));
    return {event_id, accepted, status, fault};
  },

  async resendDeliveries({webhook = null}, context) {
    const {objects, caller} = context;
    if (webhook !== null) await findVisible(webhook, context);
    return {resumed: await objects.outbox().resendWaiting(webhook, caller.services)};
  },

  async listDeliveries(input, context) {
    const cursor = await readCursor<number>(input, 'deliveries', context);
    const {objects, caller} = context;
    const {webhook = null, state = null} = input;
    const page = await objects.outbox().listDeliveries(cursor.start ?? 0, {webhook, state, limit: caller.services});
    return {
      items: page.items.map(toDeliveryAnswer),
      next_cursor: await cursor.next(page.more ? page.position : null),
    };
  },
} satisfies Partial<Handlers>;

/** @throws {ApiError} `invalid_request` */
function checkUrl(url: string, {isSandbox}: Config): void {
  const message = explainWebhookUrl(url, isSandbox);
  if (message !== null) throw fieldError('invalid_request', 'url', message);
}

/** Another shop's webhook does not exist for the caller. @throws {ApiError} `not_found` */
async function findVisible(id: string, {objects, caller}: WriteContext): Promise<WebhookView> {
  const webhooks = await objects.outbox().listWebhooks(caller.services);
  return required(webhooks.find((webhook) => webhook.id === id));
}

/** @throws {ApiError} `not_found`, `webhook_configured` */
async function checkChangeable(id: string, context: WriteContext): Promise<void> {
  if (context.caller.services !== null) await findVisible(id, context);
  if (id === CONFIGURED_WEBHOOK) throw new ApiError('webhook_configured');
}

/** @throws {ApiError} `not_found` */
function required<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new ApiError('not_found');
  return found;
}

function toAnswer(view: WebhookView): EndpointAnswer<'getWebhook'> {
  const {services, createdAt, changedAt, previousUntil, failures: _, unheardMoney: _money, ...same} = view;
  return {
    ...same,
    services: services && [...services],
    configured: same.id === CONFIGURED_WEBHOOK,
    created_at: formatInstantOrNull(createdAt),
    changed_at: formatInstantOrNull(changedAt),
    previous_secret_until: formatInstantOrNull(previousUntil),
    last_success_at: formatInstantOrNull(same.last_success_at),
    last_failure_at: formatInstantOrNull(same.last_failure_at),
  };
}

type Delivery = EndpointAnswer<'listDeliveries'>['items'][number];

export function toDeliveryAnswer(delivery: StoredDelivery): Delivery {
  const {id, body, webhook, state, attempts, last_status, last_fault} = delivery;
  const event = JSON.parse(body) as MerchantEvent;
  const {service = null, order = null} = event.data as Partial<Pick<Delivery, 'service' | 'order'>>;
  return {
    event_id: id,
    type: event.type,
    created_at: event.created_at,
    service,
    order,
    webhook,
    state,
    attempts,
    last_attempt_at: formatInstantOrNull(delivery.tried_at),
    last_status,
    last_fault,
    next_attempt_at: formatInstantOrNull(delivery.due_at),
  };
}
