/** Events as they are reported, before the outbox gives them an id, and the subjects of events. */

import type {EventData, EventType} from '../../contract/merchant/events.ts';
import {orUnavailable} from '../../http/errors.ts';
import type {Objects} from '../../objects.ts';

/** Something that happened. If the same fact is reported again, the report has the same key. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    /**
     * Identifies the fact. The event's id is derived from the key, so the same fact must always have the same key. The
     * key must not contain personal data.
     */
    readonly key: string;
    /** Epoch milliseconds. */
    readonly at: number;
    readonly data: EventData<T>;
  };
}[EventType];

/** The outbox sends events with the same subject one after another, and different subjects in parallel. */
export function eventSubject(event: NewEvent): string {
  switch (event.type) {
    case 'subscription.started':
    case 'subscription.cancelled':
    case 'subscription.renewed':
    case 'subscription.changed':
      return subjectKey('subscription', event.data.service, event.data.subscription_id ?? event.data.tracking_id);
    case 'charge.changed':
      return subjectKey('charge', event.data.service, event.data.charge_id);
    case 'command.unknown':
    case 'command.settled':
      return commandSubject(event.data);
    case 'transaction.unmatched':
      return subjectKey('transaction', event.data.service, event.data.transaction_id);
    case 'webhook.changed':
    case 'webhook.test':
      return subjectKey('webhook', event.data.webhook_id);
    case 'quota.low':
    case 'quota.queued':
      return subjectKey('quota', event.data.quota);
    case 'vendor.registered':
      return subjectKey('vendor', event.data.service, event.data.vendor_code);
    case 'refund.requested':
    case 'refund.changed':
    case 'refund.settled':
    case 'refund.failed':
      return event.data.order === null
        ? subjectKey('refund', event.data.refund_id)
        : orderSubject(event.data.service, event.data.order);
    default:
      return orderSubject(event.data.service, event.data.order);
  }
}

/** The subject of an order's events. */
export function orderSubject(service: string | null, order: string): string {
  return subjectKey('order', service, order);
}

/**
 * Records the event of a request before the answer is sent. If this fails, the caller gets an error and tries again. Do
 * not use this function for the result of a platform call: if the Worker ended between the platform's answer and this
 * call, the event would be lost. An object that calls the platform stores the event together with its own data instead
 * (`EventQueue`).
 * @throws {ApiError} `temporarily_unavailable`
 */
export async function recordEvent({objects}: {readonly objects: Objects}, event: NewEvent): Promise<void> {
  await orUnavailable(() => objects.outbox().append([event]));
}

/** A command has the subject of the order, charge or subscription that it changes. */
function commandSubject({
  command_id,
  service,
  order,
  charge_id,
  subscription_id,
}: EventData<'command.unknown'>): string {
  if (order !== null) return subjectKey('order', service, order);
  if (charge_id !== null) return subjectKey('charge', service, charge_id);
  return subscription_id === null
    ? subjectKey('command', command_id)
    : subjectKey('subscription', service, subscription_id);
}

function subjectKey(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}
