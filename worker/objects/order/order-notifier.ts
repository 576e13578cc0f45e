import type {Payment} from '../../contract/browser/answers.ts';
import type {EventData, EventType} from '../../contract/merchant/events.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {OrderTerms} from '../../session.ts';
import {earliest, scheduleAlarm} from '../alarm.ts';
import type {NewEvent} from '../events/event.ts';
import {PendingEvents} from '../events/pending-events.ts';
import {closesAt, isPayable, type OrderRecord, type OrderStore} from './order-store.ts';
import {OrderWatchers, type PollerName, type View} from './order-watchers.ts';
import {describePayment, isSettled} from './payment.ts';
import {OrderSockets, type SocketOpening} from './sockets.ts';

/**
 * Tells how an order's payment stands: its open pages at once, the merchant in events, and the pollers whether money is still
 * awaited. Plans the order's one alarm, which repeats what could not be told.
 */
export class OrderNotifier {
  readonly watchers: OrderWatchers;
  readonly #sockets: OrderSockets;
  readonly #events: OrderEvents;

  constructor(
    private readonly ctx: DurableObjectState,
    private readonly store: OrderStore,
    private readonly objects: () => Objects,
  ) {
    this.watchers = new OrderWatchers(store, objects);
    this.#sockets = new OrderSockets(ctx);
    this.#events = new OrderEvents(ctx.storage);
  }

  /** What a page shows. Before there is something to pay with it is read off the terms and the amount, and nothing is kept. */
  show(terms: OrderTerms): Payment {
    const record = this.store.record();
    if (record && isPayable(record)) return this.#describe(record);
    const now = Date.now();
    const amount = record?.amount ?? terms.amount;
    return describePayment(
      {
        amount,
        expiresAt: now + terms.hours * HOUR_MS,
        completed: false,
        arrivals: [],
        notice: null,
        handedOverAt: null,
      },
      now,
      now,
    );
  }

  /** Tells the merchant and the open pages what changed, and plans the next look of our own. */
  async notify(): Promise<void> {
    const record = this.store.record();
    if (record) {
      const payment = this.#describe(record);
      // Before anything is awaited: the event is written down together with what it tells of, and with the alarm that repeats it.
      this.#events.record(record, payment, Date.now());
      if (isPayable(record)) this.#sockets.notify(payment);
    }
    await this.planAlarm();
    await this.#recordPaid();
    if (this.#events.pending.dueAt() === null) return;
    await this.#events.pending.flush(this.objects);
    await this.planAlarm();
  }

  /** The same, and this event beside it. */
  notifyOf(event: NewEvent): Promise<void> {
    this.#events.pending.add(event);
    return this.notify();
  }

  /** After a change that no poller knows of. */
  async notifyAll(): Promise<void> {
    await this.notify();
    await this.reportChange('sweep', 'charges');
  }

  /** The order changed, and these pollers do not know. */
  async reportChange(...pollers: readonly PollerName[]): Promise<void> {
    for (const poller of pollers) await this.watchers.reportChange(poller, this.#view());
  }

  /** Somebody looks, or nobody any more. */
  async reportView(record: OrderRecord, change: Partial<View> = {}): Promise<void> {
    await this.watchers.reportView(record, {...this.#view(), ...change});
  }

  /** Pages that were open before there was something to pay with now wait for money. */
  async reportOpenPages(record: OrderRecord): Promise<void> {
    if (this.#sockets.count() > 0) await this.reportView(record, {opened: true});
  }

  /** Opens a page's socket and sends it the payment. */
  async openSocket({terms, readUntil}: SocketOpening): Promise<WebSocket> {
    const socket = this.#sockets.open(readUntil);
    await this.planAlarm();
    const record = this.store.record();
    if (record && isPayable(record)) await this.reportView(record, {opened: true});
    this.#sockets.notify(this.show(terms));
    return socket;
  }

  async socketClosed(socket: WebSocket): Promise<void> {
    const record = this.store.record();
    if (record && this.#sockets.countWithout(socket) === 0) await this.reportView(record, {listens: false});
  }

  closeExpiredSockets(now: number): void {
    this.#sockets.closeExpired(now);
  }

  /** Says the last that is to be said. False where the merchant cannot be told yet; then it is tried again. */
  async close(record: OrderRecord): Promise<boolean> {
    this.#events.record(record, this.#describe(record), Date.now());
    await this.#events.pending.flush(this.objects);
    const dueAt = this.#events.pending.dueAt();
    if (dueAt === null) this.#sockets.closeAll();
    // Everything else is over.
    else await scheduleAlarm(this.ctx.storage, dueAt);
    return dueAt === null;
  }

  /** Plans the next alarm: the status of money or of a notice is due, an event is not handed over, the hours or a page's session are over, or the order closes. */
  async planAlarm(): Promise<void> {
    const record = this.store.record();
    const due = earliest(
      this.#sockets.nextSessionEnd(),
      this.#events.pending.dueAt(),
      ...(record
        ? [
            closesAt(record),
            record.statusDueAt,
            record.notice?.dueAt ?? null,
            record.expiresAt > Date.now() ? record.expiresAt : null,
          ]
        : []),
    );
    // Otherwise an alarm that is planned stays: it erases what is left of an order that is not kept.
    if (due !== null) await scheduleAlarm(this.ctx.storage, due);
  }

  /** Of an order that is not kept: forgets what was noted of it besides, once it is told and no page is open. */
  async eraseIfIdle(): Promise<void> {
    if (this.store.record() || this.#sockets.nextSessionEnd() !== null || this.#events.pending.dueAt() !== null) return;
    await this.store.deleteAll();
  }

  #view(): View {
    return {listens: this.#sockets.count() > 0};
  }

  #describe(record: OrderRecord): Payment {
    return describePayment(this.store.facts(record), Date.now(), this.watchers.asOf(record));
  }

  /**
   * Makes up for a paid order where it was counted as unpaid, at most once: its address has room for others again. What fails
   * there is only a count. Of an order whose hours are over it is forgotten where that was.
   */
  async #recordPaid(): Promise<void> {
    const record = this.store.record();
    if (!record?.unpaid?.length) return;
    const payment = this.#describe(record);
    if (isSettled(payment) || payment.state === 'expired') this.store.update({unpaid: []});
    if (!isSettled(payment)) return;
    const results = await Promise.allSettled(
      record.unpaid.map(({guard}) => this.objects().guardNamed(guard).recordPaid()),
    );
    for (const result of results)
      if (result.status === 'rejected')
        log('warn', 'confirm_failed', {order: record.order, error: describeError(result.reason)});
  }
}

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

class OrderEvents {
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
