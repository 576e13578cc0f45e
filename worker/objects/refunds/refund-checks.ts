/** Compares refunds in notifications, in the platform's records and in our rows, and describes changes as events. */

import {REFUNDS_READ_HOUR} from '../../contract/booking-types.ts';
import type {EventData, EventType} from '../../contract/merchant/events.ts';
import {parseAmount, formatAmount} from '../../lib/money.ts';
import {nextHourInTurkey} from '../../lib/time.ts';
import {timeFields} from '../../platform/habits.ts';
import type {RefundNotification} from '../../platform/notifications.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {numberOrText} from '../../platform/statuses.ts';
import type {UnverifiedRefund, RefundRow, RefundUpdate} from './refund-store.ts';

/** Whether the notification has a valid amount. Without a valid amount it cannot match any refund. */
export function hasAmount<T extends RefundNotification>(notification: T): notification is T & UnverifiedRefund {
  return notification.amount !== null;
}

/** Whether the platform's record has the claimed amount; true for a record without an amount. */
export function hasClaimedAmount({amount}: RefundRecord, refund: UnverifiedRefund): boolean {
  return amount === null || parseAmount(amount) === refund.amount;
}

/** Whether a notification agrees with our row. */
export function matchesRecord({service, order, amount}: RefundNotification, known: RefundRow): boolean {
  return (
    service === known.service &&
    order === known.order &&
    amount !== null &&
    (known.amount === null || amount === known.amount)
  );
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/;

/** False only if both IBANs are complete and differ. A masked or missing IBAN counts as the same. */
export function isSameIban(claimed: string, known: string | null): boolean {
  const [a = '', b = ''] = [claimed, known ?? ''].map((iban) => iban.replaceAll(/\s/g, '').toUpperCase());
  return !IBAN.test(a) || !IBAN.test(b) || a === b;
}

type RefundEvent = Extract<EventType, `refund.${string}`>;

/** States that end a refund, and their events (`docs/spec/observed.md`, "Integer statuses"). */
const RESULTS: ReadonlyMap<string, RefundEvent> = new Map([
  ['successful', 'refund.settled'],
  ['failed', 'refund.failed'],
  ['cancelled', 'refund.failed'],
]);

export function isFinalState(state: string): boolean {
  return RESULTS.has(state);
}

/** States of refunds that send no money back. */
export const SENDS_NOTHING: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** Whether a state is earlier than the known state. A stored refund never returns to an earlier state. */
export function isEarlierState(state: string, known: string): boolean {
  return rank(state) < rank(known);
}

/** The event for an update of a refund; null when nothing changed that the merchant needs to know. */
export function refundEventType(known: RefundRow, {status, state}: RefundUpdate): RefundEvent | null {
  if (known.status === status && known.state === state) return null;
  return RESULTS.get(state) ?? (known.status === null && state === 'waiting' ? null : 'refund.changed');
}

export function describeRefund(
  {
    id,
    service,
    order,
    sub_merchant_id,
    refund_link_id,
  }: Pick<RefundRow, 'id' | 'service' | 'order' | 'sub_merchant_id' | 'refund_link_id'>,
  update: Omit<RefundUpdate, 'eventCount'>,
): EventData<RefundEvent> {
  const {amount, status, state, transaction_id, refund_time, bank_receipt_no} = update;
  return {
    refund_id: id,
    service,
    order,
    sub_merchant_id,
    refund_link_id,
    transaction_id,
    amount: formatAmount(amount ?? 0),
    status: numberOrText(status),
    state,
    ...timeFields('refund_time', refund_time),
    bank_receipt_no,
  };
}

function rank(state: string): number {
  if (isFinalState(state)) return 2;
  return state === 'unread' || state === 'waiting' ? 0 : 1;
}

/** When the results of today's refunds are read. */
export function nextMorning(now: number): number {
  return nextHourInTurkey(REFUNDS_READ_HOUR, now);
}
