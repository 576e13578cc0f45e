import type {Subscription} from './subscriptions.ts';

/** Statuses of subscriptions that never were; of the others each can be cancelled. */
const NEVER_WERE: ReadonlySet<string> = new Set(['unknown', 'rejected']);

/** Whether a subscription can be cancelled, or why not (subscriptions 3). */
export function cancellability({status}: Subscription): 'cancellable' | 'cancelled' | 'unavailable' {
  if (status === 'cancelled') return 'cancelled';
  return NEVER_WERE.has(status) ? 'unavailable' : 'cancellable';
}
