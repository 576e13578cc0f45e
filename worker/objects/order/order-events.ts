/** Records the events that report an order's payment to the merchant. */

import type {Payment} from '../../contract/browser/answers.ts';
import type {EventData, EventType} from '../../contract/merchant/descriptions/events.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {PendingEvents} from '../events/pending-events.ts';
import type {StoreVersions} from '../migrations.ts';
import type {OrderRecord} from './order-store.ts';

/** The last event of an order. */
interface LastEvent {
  /** How many events the order has had. */
  readonly count: number;
  /** The state that the event reported, as text. */
  readonly fact: string;
  /** Whether the event listed any money. */
  readonly hadMoney: boolean;
  /** The refunded amount that the event reported. Earlier versions did not store it. */
  readonly refunded?: string;
}

export type PaymentEvent = Extract<EventType, `payment.${string}`>;

const EVENT_TYPES: Readonly<Record<Payment['state'], PaymentEvent | null>> = {
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
   * Records an event if the payment's state differs from the state in the last event. It is called in the same write as
   * every change. More calls do no harm, because the event follows only from the order's facts and the last event.
   * @returns the type of the recorded event; null if none was recorded.
   */
  record(record: OrderRecord, payment: Payment, now: number): PaymentEvent | null {
    const last = this.storage.kv.get<LastEvent>('told') ?? {count: 0, fact: '', hadMoney: false};
    const {state, refunded, transactions} = payment;
    const hasMoney = transactions.length > 0;
    const fact = factOf(record, payment);
    const isRefundedMore = state !== 'refunded' && refunded !== (last.refunded ?? NO_MONEY);
    if (fact === last.fact && !isRefundedMore) return null;
    const type = last.hadMoney && !hasMoney ? 'payment.withdrawn' : eventTypeOf(record, payment, fact, last);
    if (type === null) return null;
    this.storage.kv.put<LastEvent>('told', {count: last.count + 1, fact, hadMoney: hasMoney, refunded});
    // The key contains the count because an order can reach a state twice, and the fact because a deleted order starts
    // again with the count 0.
    const key = [record.service, record.order, last.count, fact].join('\n');
    this.pending.add({type, key, at: now, data: describeEvent(record, payment)});
    return type;
  }
}

const NO_MONEY = formatAmount(0);

/**
 * The state and the money of a payment, without the money that was sent back while other money stays: a refund never
 * makes an order reach a state again.
 */
function factOf({expiresAt}: OrderRecord, {state, amount, paid, refunded, late, transactions}: Payment): string {
  // An order that is prepared again gets a new time to pay, and may expire again.
  const hours = state === 'expired' ? [expiresAt] : [];
  const arrived = (parseAmount(paid) ?? 0) + (parseAmount(refunded) ?? 0);
  const isExcess = state === 'paid' && arrived > (parseAmount(amount) ?? 0);
  const facts = state === 'refunded' ? [state, paid] : [isExcess ? 'overpaid' : state, formatAmount(arrived)];
  return [...facts, late, ...hours, ...transactions.map(({id}) => id)].join(' ');
}

/**
 * The event that reports this payment; null if no event does. No merchant waits for an order of a public page that never
 * got a code, so its expiry causes no event. A merchant delivers because of `payment.received`, so a paid order whose
 * money is partly refunded is not reported as received again.
 */
function eventTypeOf(
  {code, offer}: OrderRecord,
  {state, refunded}: Payment,
  fact: string,
  last: LastEvent,
): PaymentEvent | null {
  if (state === 'expired' && code === null && offer !== undefined) return null;
  const wasPaid =
    refunded !== NO_MONEY &&
    state === 'paid' &&
    (/^(?:over)?paid /.test(last.fact) || isReportedByOlderVersion(last, fact));
  return fact === last.fact || wasPaid ? 'payment.changed' : EVENT_TYPES[state];
}

/**
 * Whether an earlier version, for which a refund could turn a paid order into a partly paid one, reported the same
 * transactions.
 */
function isReportedByOlderVersion(last: LastEvent, fact: string): boolean {
  return last.refunded === undefined && transactionsIn(last.fact) === transactionsIn(fact);
}

function transactionsIn(fact: string): string {
  return fact.split(' ').slice(3).join(' ');
}

function describeEvent(
  {service, order, code, offer, userId}: OrderRecord,
  {state, amount, paid, refunded, remaining, late, transactions}: Payment,
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
    transactions,
  };
}
