/** What the outbox tells handlers about webhooks and deliveries. Times are epoch milliseconds. */

import type {Webhook} from '../../config/notifications.ts';
import type {ServiceLimit} from '../../config/service-limit.ts';
import type {EventType} from '../../contract/merchant/events.ts';
import type {WaitingCounts} from './delivery-store.ts';
import {earlierSecrets, type StoredWebhook, type WebhookHealth} from './webhook-store.ts';

/** The webhook that `WEBHOOK_URL` sets. */
export const CONFIGURED_WEBHOOK = 'wh_configured';

export interface WebhookView extends WebhookHealth, WaitingCounts {
  readonly id: string;
  readonly url: string;
  readonly types: EventType[] | null;
  readonly services: ServiceLimit;
  readonly enabled: boolean;
  readonly createdAt: number | null;
  readonly changedAt: number | null;
  /** Until when the secret before the last rotation signs, or else the next older one that still signs. */
  readonly previousUntil: number | null;
}

/** After this many failed attempts in a row, a webhook counts as failing. */
const FAILING_AFTER = 3;

/** Whether something is wrong with the webhook itself, and not with a single event. */
export function isFailing({enabled, failures, last_fault}: WebhookView): boolean {
  return enabled && (failures >= FAILING_AFTER || (failures > 0 && last_fault === 'secret_unreadable'));
}

export const RESEND_WAITING = 'When the receiver works, POST /merchant/v1/deliveries/resend delivers now what waits.';

type State = WebhookHealth & WaitingCounts;

export function viewConfigured({url}: Webhook, state: State): WebhookView {
  return {
    id: CONFIGURED_WEBHOOK,
    url,
    types: null,
    services: null,
    enabled: true,
    createdAt: null,
    changedAt: null,
    previousUntil: null,
    ...state,
  };
}

export function viewStored(webhook: StoredWebhook, state: State): WebhookView {
  const {id, url, types, services, enabled, created_at: createdAt, changed_at: changedAt} = webhook;
  return {
    id,
    url,
    types: JSON.parse(types ?? 'null') as EventType[] | null,
    services: parseServices(services),
    enabled: enabled === 1,
    createdAt,
    changedAt,
    previousUntil: earlierSecrets(webhook, Date.now())[0]?.until ?? null,
    ...state,
  };
}

/** @param text - JSON, as stored. */
export function parseServices(text: string | null): ServiceLimit {
  return JSON.parse(text ?? 'null') as ServiceLimit;
}
