/** Decides which events report an order's payment to the merchant. The functions are pure. */

import type {PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import type {PaymentEvent} from '../events/entry.ts';
import type {NewEvent} from '../events/event.ts';
import type {ToldPayment} from './journal.ts';
import type {OrderRecord} from './order-state.ts';
import type {PaymentSummary} from './payment.ts';

const EVENT_TYPES: Readonly<Record<PaymentState, PaymentEvent | null>> = {
  waiting: null,
  pending: 'payment.pending',
  partial: 'payment.partial',
  paid: 'payment.received',
  overpaid: 'payment.overpaid',
  completed: 'payment.completed',
  refunded: 'payment.refunded',
  expired: 'payment.expired',
  cancelled: 'payment.cancelled',
};

/** What the merchant hears of a change of the payment. */
export interface PaymentNews {
  readonly type: PaymentEvent;
  /** Id of the last money that no event has told yet; null if there is none. */
  readonly by: string | null;
  readonly told: ToldPayment;
}

/**
 * What the merchant hears of a change of the payment; null if there is nothing to report. The result depends only on the
 * order's facts and on what was told, and not on the way in which a change arrived, so a repeated call adds no event.
 */
export function nextEvent(record: OrderRecord, payment: PaymentSummary, last: ToldPayment): PaymentNews | null {
  const fact = factOf(record, payment);
  const type = nextEventType(record, payment, fact, last);
  if (type === null) return null;
  const known = new Set(last.fact.split(' '));
  return {
    type,
    by: payment.transactions.findLast(({id}) => !known.has(id))?.id ?? null,
    told: afterEvent(type, payment, fact, last),
  };
}

const NO_MONEY = formatAmount(0);

/**
 * The state and the money of a payment, as text. Until all money has been sent back, a refund does not change the text,
 * so that a refund never makes an order reach a state again.
 */
function factOf(
  {expiresAt}: Pick<OrderRecord, 'expiresAt'>,
  {state, amount, paid, refunded, late, transactions}: PaymentSummary,
): string {
  // An order that is prepared again gets a new time to pay, and may expire again.
  const hours = state === 'expired' ? [expiresAt] : [];
  const arrived = (parseAmount(paid) ?? 0) + (parseAmount(refunded) ?? 0);
  const isExcess = state === 'paid' && arrived > (parseAmount(amount) ?? 0);
  const facts = state === 'refunded' ? [state, paid] : [isExcess ? 'overpaid' : state, formatAmount(arrived)];
  return [...facts, late, ...hours, ...transactions.map(({id}) => id)].join(' ');
}

/**
 * The event that reports this payment; null if nothing changed that a merchant needs to know. No merchant waits for an
 * order of a public page that never got a code, so its expiry causes no event.
 *
 * A merchant delivers because of `payment.received` and `payment.overpaid`. These events are therefore sent only if the
 * money that arrived and was not sent back covers the amount. These events are not sent again for money because of
 * which the merchant has already delivered.
 */
function nextEventType(
  {code, offer}: Pick<OrderRecord, 'code' | 'offer'>,
  payment: PaymentSummary,
  fact: string,
  last: ToldPayment,
): PaymentEvent | null {
  const {state, refunded} = payment;
  const isRefundedMore = state !== 'refunded' && refunded !== last.refunded;
  if (fact === last.fact && !isRefundedMore) return null;
  if (last.hadMoney && !hasMoney(payment)) return 'payment.withdrawn';
  if (state === 'expired' && code === null && offer !== undefined) return null;
  if (state === 'paid' || state === 'overpaid')
    return mayDeliver(payment, fact, last) ? EVENT_TYPES[state] : 'payment.changed';
  return fact === last.fact ? 'payment.changed' : EVENT_TYPES[state];
}

/** Whether there is money with which the order can be paid. */
function hasMoney({transactions}: PaymentSummary): boolean {
  return transactions.some(({currency}) => currency === 'TRY');
}

/** What is stored after an event. */
function afterEvent(type: PaymentEvent, payment: PaymentSummary, fact: string, last: ToldPayment): ToldPayment {
  const {refunded, transactions} = payment;
  const ids = transactions.map(({id}) => id);
  const isDelivered = type === 'payment.received' || type === 'payment.overpaid';
  // Money that is gone now belongs to another order.
  const delivered = isDelivered ? ids : last.delivered.filter((id) => ids.includes(id));
  return {fact, hadMoney: hasMoney(payment), refunded, delivered};
}

function mayDeliver(
  {state, amount, paid, refunded, transactions}: PaymentSummary,
  fact: string,
  last: ToldPayment,
): boolean {
  if ((parseAmount(paid) ?? 0) < (parseAmount(amount) ?? 0)) return false;
  const {delivered} = last;
  if (delivered.length === 0) return true;
  const known = new Set(delivered);
  if (fact === last.fact || transactions.every(({id}) => known.has(id))) return false;
  // Money that replaces a refunded part does not pay for a second delivery, but money after a complete refund does.
  return state === 'overpaid' || refunded === NO_MONEY || !/^(?:over)?paid /.test(last.fact);
}

/** The event of money that no open order has. @param names - The order and the code that the money names. */
export function unmatchedEvent(
  {service, order, code}: {readonly service: string; readonly order: string | null; readonly code: string | null},
  {id, amount, currency, bank, at: arrivedAt, timeUnknown}: Arrival,
  at: number,
): NewEvent {
  const money = {amount: amount === null ? null : formatAmount(amount), currency, bank_name: bank};
  const time = {at: formatInstant(arrivedAt), time_unknown: timeUnknown ?? false};
  const data = {service, transaction_id: id, order, order_code: code, ...money, ...time};
  return {type: 'transaction.unmatched', key: [service, id].join('\n'), at, data};
}
