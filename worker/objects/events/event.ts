/** Events before they have an id, and what they are about. */

import type {EventData, EventType} from '../../contract/merchant/descriptions/events.ts';
import {ApiError} from '../../http/errors.ts';
import type {Objects} from '../../objects.ts';

const RETRY_AFTER_SECONDS = 1;

/** What happened; told twice, it is told with the same key. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    /** Names the fact among all others, always in the same words: the event's id is made of it. Nothing personal. */
    readonly key: string;
    /** Epoch milliseconds. */
    readonly at: number;
    readonly data: EventData<T>;
  };
}[EventType];

/** Events with the same subject reach the merchant one after another; others do not wait for them. */
export function eventSubject(event: NewEvent): string {
  switch (event.type) {
    case 'subscription.started':
    case 'subscription.cancelled':
    case 'subscription.changed':
      return subjectKey('subscription', event.data.service, event.data.subscription_id ?? event.data.tracking_id);
    case 'charge.changed':
      return subjectKey('charge', event.data.service, event.data.charge_id);
    case 'command.unknown':
    case 'command.settled':
      return commandSubject(event.data);
    case 'vendor.registered':
      return subjectKey('vendor', event.data.service, event.data.vendor_code);
    case 'refund.requested':
    case 'refund.changed':
    case 'refund.settled':
    case 'refund.failed':
      return event.data.order === null
        ? subjectKey('refund', event.data.refund_id)
        : subjectKey('order', event.data.service, event.data.order);
    default:
      return subjectKey('order', event.data.service, event.data.order);
  }
}

/**
 * Records what a request says, before it is answered: who hears of no success asks again. What the platform was asked
 * for is not recorded here but by the object that asked, in one go with what it keeps (`PendingEvents`): between the answer
 * and this call the Worker may end, and the event with it.
 * @throws {ApiError} `temporarily_unavailable`
 */
export async function recordEvent({objects}: {readonly objects: Objects}, event: NewEvent): Promise<void> {
  try {
    await objects.outbox().append([event]);
  } catch (cause) {
    throw new ApiError('temporarily_unavailable', {cause, retryAfterSeconds: RETRY_AFTER_SECONDS});
  }
}

/** With what else happens to the same. */
function commandSubject({command, service, order, charge_id, subscription_id}: EventData<'command.unknown'>): string {
  if (order !== null) return subjectKey('order', service, order);
  if (charge_id !== null) return subjectKey('charge', service, charge_id);
  return subscription_id === null
    ? subjectKey('command', command)
    : subjectKey('subscription', service, subscription_id);
}

function subjectKey(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}
