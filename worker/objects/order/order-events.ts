/** Records the events of one order: each state it came to, once. */

import type {Payment} from '../../contract/browser/answers.ts';
import type {EventData, EventType} from '../../contract/merchant/descriptions/events.ts';
import {PendingEvents} from '../events/pending-events.ts';
import type {OrderRecord} from './order-store.ts';

/** The last thing that was told, and how many were. */
interface LastEvent {
  readonly count: number;
  readonly fact: string;
  readonly hadMoney: boolean;
}

type PaymentEvent = Extract<EventType, `payment.${string}`>;

const EVENT_TYPES: Readonly<Record<Payment['state'], PaymentEvent | null>> = {
  waiting: null,
  partial: 'payment.partial',
  paid: 'payment.received',
  overpaid: 'payment.overpaid',
  completed: 'payment.completed',
  refunded: 'payment.refunded',
  expired: 'payment.expired',
};

export class OrderEvents {
  readonly pending: PendingEvents;

  constructor(private readonly storage: DurableObjectStorage) {
    this.pending = new PendingEvents(storage);
  }

  /**
   * Tells where the payment stands unless that was told. It is called after every change, in one go with it, and may
   * be called at any time: what is told follows from the order's facts and from what was told last.
   */
  record(record: OrderRecord, payment: Payment, now: number): void {
    const last = this.storage.kv.get<LastEvent>('told') ?? {count: 0, fact: '', hadMoney: false};
    const {state, paid, late, transactions} = payment;
    const hasMoney = transactions.length > 0;
    const type = last.hadMoney && !hasMoney ? 'payment.withdrawn' : eventTypeOf(record, payment);
    // An order that is prepared again has hours anew, and may be missed anew.
    const hours = state === 'expired' ? [record.expiresAt] : [];
    const fact = [state, paid, late, ...hours, ...transactions.map(({id}) => id)].join(' ');
    if (type === null || fact === last.fact) return;
    this.storage.kv.put<LastEvent>('told', {count: last.count + 1, fact, hadMoney: hasMoney});
    // The count, because an order can come to a state again; the fact, because an order that was forgotten begins to count anew.
    const key = [record.service, record.order, last.count, fact].join('\n');
    this.pending.add({type, key, at: now, data: describeEvent(record, payment)});
  }
}

/** Nobody misses an order of a public page that never got a code. */
function eventTypeOf({code, offer}: OrderRecord, {state}: Payment): PaymentEvent | null {
  return state === 'expired' && code === null && offer !== undefined ? null : EVENT_TYPES[state];
}

function describeEvent(
  {service, order, code, offer, userId}: OrderRecord,
  {state, amount, paid, remaining, late, transactions}: Payment,
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
    remaining,
    currency: 'TRY',
    late,
    transactions,
  };
}
