/** How far a refund has come, and what is told of it. */

import type {EventData, EventType} from '../../contract/merchant/events.ts';
import {formatAmount} from '../../lib/money.ts';
import {toCode} from '../../platform/statuses.ts';
import type {RefundNews, RefundRow} from './refund-store.ts';

type RefundEvent = Extract<EventType, `refund.${string}`>;

/** Words of statuses that end a refund (observed, "Integer statuses"). */
const RESULTS: ReadonlyMap<string, RefundEvent> = new Map([
  ['successful', 'refund.settled'],
  ['failed', 'refund.failed'],
  ['cancelled', 'refund.failed'],
]);

export function hasResult(state: string): boolean {
  return RESULTS.has(state);
}

/** Whether a state comes before the one that is known: a later one never goes back to an earlier one. */
export function isBehind(state: string, known: string): boolean {
  return rank(state) < rank(known);
}

/** What is told of a refund's news; null where they are none. */
export function eventOf(known: RefundRow, {status, state}: RefundNews): RefundEvent | null {
  if (known.status === status && known.state === state) return null;
  return RESULTS.get(state) ?? (known.status === null && state === 'waiting' ? null : 'refund.changed');
}

export function describeRefund(
  {id, service, order}: Pick<RefundRow, 'id' | 'service' | 'order'>,
  news: Omit<RefundNews, 'told'>,
): EventData<RefundEvent> {
  const {amount, status, state, transaction_id, refund_time, bank_receipt_no} = news;
  return {
    refund_id: id,
    service,
    order,
    transaction_id,
    amount: formatAmount(amount ?? 0),
    status: toCode(status),
    state,
    refund_time,
    bank_receipt_no,
  };
}

function rank(state: string): number {
  if (hasResult(state)) return 2;
  return state === 'unread' || state === 'waiting' ? 0 : 1;
}
