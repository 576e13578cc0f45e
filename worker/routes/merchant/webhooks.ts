/** Webhooks: the merchant's servers to which the Worker sends events, and the deliveries to them. */

import type {Config} from '../../config/config.ts';
import {explainWebhookUrl} from '../../config/webhook-address.ts';
import type {EndpointAnswer} from '../../contract/merchant/endpoints.ts';
import {ApiError} from '../../http/errors.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {ListedDelivery} from '../../objects/events/delivery-store.ts';
import {CONFIGURED_WEBHOOK, type WebhookView} from '../../objects/events/webhook-view.ts';
import {SearchCursor} from './cursor.ts';
import type {Handlers} from './handler.ts';

/** For how many hours the previous secret signs, too, after a rotation. */
const DEFAULT_OVERLAP_HOURS = 24;

export const webhookHandlers: Handlers<
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'listDeliveries'
> = {
  async listWebhooks(_input, {objects}) {
    return {items: (await objects.outbox().listWebhooks()).map(toAnswer)};
  },

  async createWebhook({url, types = null, enabled = true}, {config, objects}) {
    checkUrl(url, config);
    const created = await objects.outbox().createWebhook({url, types, enabled});
    if (!created) throw new ApiError('webhook_limit');
    return {...toAnswer(created.webhook), secret: created.secret};
  },

  async getWebhook({id}, {objects}) {
    const webhooks = await objects.outbox().listWebhooks();
    return toAnswer(required(webhooks.find((webhook) => webhook.id === id)));
  },

  async updateWebhook({id, ...settings}, {config, objects}) {
    checkChangeable(id);
    if (settings.url !== undefined) checkUrl(settings.url, config);
    return toAnswer(required(await objects.outbox().updateWebhook(id, settings)));
  },

  async deleteWebhook({id}, {objects}) {
    checkChangeable(id);
    if (!(await objects.outbox().deleteWebhook(id))) throw new ApiError('not_found');
    return {id, state: 'deleted'};
  },

  async rotateWebhookSecret({id, overlap_hours = DEFAULT_OVERLAP_HOURS}, {objects}) {
    checkChangeable(id);
    const {webhook, secret} = required(await objects.outbox().rotateSecret(id, overlap_hours * HOUR_MS));
    return {...toAnswer(webhook), secret};
  },

  async testWebhook({id}, {objects}) {
    const {id: event_id, accepted, status, fault} = required(await objects.outbox().testWebhook(id));
    return {event_id, accepted, status, fault};
  },

  async listDeliveries(input, {objects}) {
    const cursor = await SearchCursor.parse(input, 'deliveries');
    const {webhook = null, state = null} = input;
    const page = await objects.outbox().listDeliveries(cursor.position ?? 0, webhook, state);
    return {
      items: page.items.map(toDeliveryAnswer),
      next_cursor: page.more ? cursor.encode(page.position) : null,
    };
  },
};

/** @throws {ApiError} `invalid_request` */
function checkUrl(url: string, {isSandbox}: Config): void {
  const message = explainWebhookUrl(url, isSandbox);
  if (message !== null) throw new ApiError('invalid_request', {fields: [{path: 'url', message}]});
}

/** @throws {ApiError} `webhook_configured` */
function checkChangeable(id: string): void {
  if (id === CONFIGURED_WEBHOOK) throw new ApiError('webhook_configured');
}

/** @throws {ApiError} `not_found` */
function required<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new ApiError('not_found');
  return found;
}

function toAnswer(view: WebhookView): EndpointAnswer<'getWebhook'> {
  const {id, url, types, enabled, last_status, last_fault, waiting} = view;
  return {
    id,
    url,
    types,
    enabled,
    configured: id === CONFIGURED_WEBHOOK,
    created_at: formatInstantOrNull(view.createdAt),
    changed_at: formatInstantOrNull(view.changedAt),
    previous_secret_until: formatInstantOrNull(view.previousUntil),
    last_success_at: formatInstantOrNull(view.last_success_at),
    last_failure_at: formatInstantOrNull(view.last_failure_at),
    last_status,
    last_fault,
    waiting,
  };
}

type Delivery = EndpointAnswer<'listDeliveries'>['items'][number];

function toDeliveryAnswer(delivery: ListedDelivery): Delivery {
  const {id, body, webhook, state, attempts, last_status, last_fault} = delivery;
  const {type, created_at} = JSON.parse(body) as Pick<Delivery, 'type' | 'created_at'>;
  return {
    event_id: id,
    type,
    created_at,
    webhook,
    state,
    attempts,
    last_attempt_at: formatInstantOrNull(delivery.tried_at),
    last_status,
    last_fault,
    next_attempt_at: delivery.due_at === null ? null : formatInstant(delivery.due_at),
  };
}
