/** Records the events that report an order's payment to the merchant. */

import type {PaymentState} from '../../contract/browser/answers.ts';
import type {EventData, EventType} from '../../contract/merchant/descriptions/events.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {PendingEvents} from '../events/pending-events.ts';
import type {StoreVersions} from '../migrations.ts';
import type {OrderRecord} from './order-store.ts';
import type {PaymentSummary} from './payment.ts';

/** The last event of an order. */
export interface LastEvent {
  /** How many events the order has had. */
  readonly count: number;
  /** The state that the event reported, as text. */
  readonly fact: string;
  /** Whether the event listed any money. */
  readonly hadMoney: boolean;
  /** The refunded amount that the event reported. Earlier versions did not store it. */
  readonly refunded?: string;
  /**
   * Ids of the money because of which the merchant delivers, without money that was withdrawn after the event. Earlier
   * versions did not store these ids.
   */
  readonly delivered?: readonly string[];
}

export type PaymentEvent = Extract<EventType, `payment.${string}`>;

const EVENT_TYPES: Readonly<Record<PaymentState, PaymentEvent | null>> = {
  waiting: null,
  partial: 'payment.partial',
  paid: 'payment.received',
  overpaid: 'payment.overpaid',
  completed: 'payment.completed',
  refunded: 'payment.refunded',
  expired: 'payment.expired',
};

/** Records one event for each state that the order reaches. */
export class OrderEvents {
  readonly pending: PendingEvents;

  constructor(
    private readonly storage: DurableObjectStorage,
    versions: StoreVersions,
  ) {
    this.pending = new PendingEvents(storage, versions);
  }

  /**
   * Records an event if the payment's state differs from the state in the last event. The caller calls this method in
   * the same write as every change. More calls do no harm, because the event follows only from the order's facts and
   * the last event.
   * @returns the type of the recorded event; null if no event was recorded.
   */
  record(record: OrderRecord, payment: PaymentSummary, now: number): PaymentEvent | null {
    const last = this.storage.kv.get<LastEvent>('told') ?? NO_EVENT;
    const fact = factOf(record, payment);
    const type = nextEventType(record, payment, fact, last);
    if (type === null) return null;
    this.storage.kv.put('told', afterEvent(type, payment, fact, last));
    // The key contains the count because an order can reach a state twice, and the fact because a deleted order starts
    // again with the count 0.
    const key = [record.service, record.order, last.count, fact].join('\n');
    this.pending.add({type, key, at: now, data: describeEvent(record, payment)});
    return type;
  }
}

const NO_MONEY = formatAmount(0);
export const NO_EVENT: LastEvent = {count: 0, fact: '', hadMoney: false};

/**
 * The state and the money of a payment, as text. Until all money has been sent back, a refund does not change the text,
 * so that a refund never makes an order reach a state again.
 */
export function factOf(
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
export function nextEventType(
  {code, offer}: Pick<OrderRecord, 'code' | 'offer'>,
  payment: PaymentSummary,
  fact: string,
  last: LastEvent,
): PaymentEvent | null {
  const {state, refunded, transactions} = payment;
  const isRefundedMore = state !== 'refunded' && refunded !== (last.refunded ?? NO_MONEY);
  if (fact === last.fact && !isRefundedMore) return null;
  if (last.hadMoney && transactions.length === 0) return 'payment.withdrawn';
  if (state === 'expired' && code === null && offer !== undefined) return null;
  if (state === 'paid' || state === 'overpaid')
    return mayDeliver(payment, fact, last) ? EVENT_TYPES[state] : 'payment.changed';
  return fact === last.fact ? 'payment.changed' : EVENT_TYPES[state];
}

/** What is stored after an event. */
export function afterEvent(
  type: PaymentEvent,
  {state, refunded, transactions}: PaymentSummary,
  fact: string,
  last: LastEvent,
): LastEvent {
  const ids = transactions.map(({id}) => id);
  const isDelivered = type === 'payment.received' || type === 'payment.overpaid';
  const delivered = isDelivered ? ids : STILL_DELIVERED.has(state) ? deliveredIn(last) : [];
  return {count: last.count + 1, fact, hadMoney: ids.length > 0, refunded, delivered};
}

/**
 * States in which the ids of `delivered` stay stored, also after a refund. In all other states, the money with these
 * ids now belongs to another order.
 */
const STILL_DELIVERED: ReadonlySet<PaymentState> = new Set<PaymentState>(['paid', 'overpaid', 'completed', 'refunded']);

function mayDeliver(
  {state, amount, paid, refunded, transactions}: PaymentSummary,
  fact: string,
  last: LastEvent,
): boolean {
  if ((parseAmount(paid) ?? 0) < (parseAmount(amount) ?? 0)) return false;
  const delivered = deliveredIn(last);
  if (delivered.length === 0) return true;
  if (fact === last.fact || transactions.every(({id}) => delivered.includes(id))) return false;
  // Money that replaces a refunded part does not pay for a second delivery, but money after a complete refund does.
  return state === 'overpaid' || refunded === NO_MONEY || !/^(?:over)?paid /.test(last.fact);
}

/** See `LastEvent.delivered`. If an earlier version did not store the ids, they are read from the text of the event. */
function deliveredIn({delivered, fact}: LastEvent): readonly string[] {
  if (delivered) return delivered;
  return /^(?:(?:over)?paid|completed|refunded) /.test(fact) ? fact.split(' ').slice(3) : [];
}

function describeEvent(
  {service, order, code, offer, userId}: OrderRecord,
  {state, amount, paid, refunded, remaining, late, transactions}: PaymentSummary,
): EventData<PaymentEvent> {
  return {
    service,
    order,
    order_code: code,
    offer: offer ?? null,
    user_id: userId ?? null,
    state,
    amount,
    paid,
    refunded,
    remaining,
    currency: 'TRY',
    late,
    transactions: transactions.map(({bank, ...rest}) => ({...rest, bank_name: bank, bank})),
  };
}
