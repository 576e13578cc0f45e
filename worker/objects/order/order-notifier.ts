import {sellerOf} from '../../config/offers.ts';
import {contextOf, metricsOf} from '../../context.ts';
import type {OrderReference, Payment} from '../../contract/browser/answers.ts';
import type {Seller} from '../../contract/fields.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import type {LogScope} from '../../lib/log-scope.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {Arrival} from '../../platform/to-payment.ts';
import type {OrderTerms} from '../../session.ts';
import {earliest, scheduleAlarm} from '../alarm.ts';
import type {NewEvent} from '../events/event.ts';
import {OrderHistoryReporter} from '../history/order-history-reporter.ts';
import type {StoreVersions} from '../migrations.ts';
import {OrderEvents, type PaymentEvent} from './order-events.ts';
import {closesAt, isPayable, type OrderRecord, type OrderStore} from './order-store.ts';
import {OrderWatchers, type PollerName, type View} from './order-watchers.ts';
import {NO_EARLIER_MONEY, nextEarlier} from './payment-amounts.ts';
import {describePayment, isSettled, type PaymentSummary} from './payment.ts';
import {OrderSockets, type SocketOpening} from './sockets.ts';

/** Events that do not count as a new state: the payment changed within its state, or its money was withdrawn. */
const SAME_STATE: ReadonlySet<PaymentEvent> = new Set<PaymentEvent>(['payment.changed', 'payment.withdrawn']);

type OrderFields = Pick<OrderRecord, 'order' | 'code' | 'offer' | 'seller'>;

/**
 * Reports the state of an order's payment: to open pages immediately, to the merchant in events, and to the pollers,
 * which need to know whether the order still awaits money. Also plans the order's only alarm, which repeats failed
 * reports.
 */
export class OrderNotifier {
  readonly watchers: OrderWatchers;
  readonly #sockets: OrderSockets;
  readonly #events: OrderEvents;
  readonly #history: OrderHistoryReporter;
  /** When the alarm runs, as far as this instance knows. Because of this field, the same time is not written twice. */
  #plannedAt: number | null = null;
  readonly #objects = (): Objects => contextOf(this.env()).objects;
  #logScope: LogScope | undefined;

  constructor(
    private readonly ctx: DurableObjectState,
    versions: StoreVersions,
    private readonly store: OrderStore,
    private readonly env: () => Env,
  ) {
    this.watchers = new OrderWatchers(store, this.#objects);
    this.#sockets = new OrderSockets(ctx);
    this.#events = new OrderEvents(ctx.storage, versions);
    this.#history = new OrderHistoryReporter(store, (record) => this.#describe(record), this.#objects);
  }

  /**
   * The payment as a page shows it. While the order has neither a code nor a payment page, the payment follows from the
   * terms, and nothing is stored.
   */
  show(terms: OrderTerms): Payment {
    const record = this.store.record();
    if (record && isPayable(record)) return {...this.#describe(record), ...this.#reference(record)};
    const now = Date.now();
    const amount = record?.amount ?? terms.amount;
    const facts = {
      amount,
      expiresAt: now + terms.hours * HOUR_MS,
      completed: false,
      arrivals: [],
      refunds: [],
      earlier: NO_EARLIER_MONEY,
      notice: null,
      handedOverAt: null,
    };
    return {...describePayment(facts, now, now), ...this.#reference({...terms, ...record, code: null})};
  }

  /** Reports a change to the merchant and the open pages, and plans the next alarm. */
  async notify(): Promise<void> {
    const record = this.store.record();
    if (record) {
      const payment = this.#describe(record);
      this.store.refunds.recordEarlier(nextEarlier(this.store.facts(record), payment.state === 'refunded'));
      // The event is recorded before anything is awaited, so it is stored together with the change and with the alarm
      // that retries it.
      const event = this.#events.record(record, payment, Date.now());
      if (event !== null && !SAME_STATE.has(event)) metricsOf(this.env())?.count('payments', {state: payment.state});
      if (isPayable(record)) this.#sockets.notify({...payment, ...this.#reference(record)});
      // A paid order needs no payment notice, so the shopper's data for the notice form is deleted.
      if (isSettled(payment)) this.ctx.storage.kv.delete('prefill');
      // Nobody needs to know of later changes of this money, so the money's status is not read again.
      if (record.completedAt !== null || payment.state === 'refunded') this.store.update({statusDueAt: null});
    }
    await this.planAlarm();
    await this.#recordPaid();
    if (this.#events.pending.dueAt() !== null) {
      await this.#events.pending.flush(this.#objects);
      await this.planAlarm();
    }
    this.recordHistory();
  }

  /** The service and the reference of the order, for the log; empty while the order is not stored. */
  logScope(): LogScope {
    const record = this.#logScope ? undefined : this.store.record();
    if (record) this.#logScope = {service: record.service, order: record.order};
    return this.#logScope ?? {};
  }

  /** Logs and counts money that has just been stored. */
  reportArrivals(arrivals: readonly Arrival[]): void {
    const record = this.store.record();
    if (!record) return;
    const {state} = this.#describe(record);
    for (const {id, at} of arrivals) {
      log('info', 'payment', {service: record.service, order: record.order, transaction: id, state});
      metricsOf(this.env())?.observeLag(Date.now() - at);
    }
  }

  /** Adds this event, then does the same as `notify`. */
  notifyOf(event: NewEvent): Promise<void> {
    this.#events.pending.add(event);
    return this.notify();
  }

  /** Does the same as `notify`, and also notifies all pollers. For changes that no poller found. */
  async notifyAll(): Promise<void> {
    await this.notify();
    await this.reportChange('sweep', 'charges');
  }

  /**
   * Sends the order's summary to the history if the summary changed. No caller waits until the history has answered.
   */
  recordHistory(): void {
    this.ctx.waitUntil(this.#reportHistory());
  }

  async #reportHistory(): Promise<void> {
    await this.#history.report();
    if (this.store.record()) await this.planAlarm();
  }

  /** How many pages have an open socket. */
  get openPages(): number {
    return this.#sockets.count();
  }

  /** Reports to these pollers that the order changed. */
  async reportChange(...pollers: readonly PollerName[]): Promise<void> {
    for (const poller of pollers) await this.watchers.reportChange(poller, this.#view());
  }

  /** Reports to the pollers that a page views the order, or that the last such page has closed. */
  async reportView(record: OrderRecord, change: Partial<View> = {}): Promise<void> {
    await this.watchers.reportView(record, {...this.#view(), ...change});
  }

  /** To be called when the order gets its code: open pages await money from now on, and the pollers must know this. */
  async reportOpenPages(record: OrderRecord): Promise<void> {
    if (this.#sockets.count() > 0) await this.reportView(record, {opened: true});
  }

  /** Opens a page's socket and sends it the payment. Returns null if too many sockets were opened. */
  async openSocket({terms, readUntil}: SocketOpening): Promise<WebSocket | null> {
    const socket = this.#sockets.open(readUntil, Date.now());
    if (!socket) return null;
    await this.planAlarm();
    const record = this.store.record();
    if (record && isPayable(record)) await this.reportView(record, {opened: true});
    this.#sockets.notify(this.show(terms));
    return socket;
  }

  async socketClosed(socket: WebSocket): Promise<void> {
    if (this.#sockets.countWithout(socket) > 0) return;
    const record = this.store.record();
    if (record) await this.reportView(record, {listens: false});
    else await this.eraseIfIdle();
  }

  /** To be called when the alarm runs: the object then has no planned alarm, and some sessions may have ended. */
  startAlarm(now: number): void {
    this.#plannedAt = null;
    this.#sockets.closeExpired(now);
  }

  /**
   * Sends the last events and the last summary, and closes the pages. Returns false when the outbox or the history
   * cannot be reached; the alarm then tries again.
   */
  async close(record: OrderRecord): Promise<boolean> {
    this.#events.record(record, this.#describe(record), Date.now());
    await Promise.all([this.#events.pending.flush(this.#objects), this.#history.report()]);
    const dueAt = earliest(this.#events.pending.dueAt(), this.#history.dueAt());
    if (dueAt === null) this.#sockets.closeAll();
    // Only events and the summary are left to hand over, so nothing else sets the alarm.
    else await scheduleAlarm(this.ctx.storage, dueAt);
    this.#plannedAt = dueAt;
    return dueAt === null;
  }

  /**
   * Plans the next alarm, for whichever comes first: a page's session ends, an event must be handed over, the order
   * closes, the status of money or of a notice must be checked, or the time to pay ends.
   */
  async planAlarm(): Promise<void> {
    const record = this.store.record();
    const due = earliest(
      this.#sockets.nextSessionEnd(),
      this.#events.pending.dueAt(),
      this.#history.dueAt(),
      ...(record
        ? [
            closesAt(record),
            record.statusDueAt,
            record.notice?.dueAt ?? null,
            record.expiresAt > Date.now() ? record.expiresAt : null,
          ]
        : []),
    );
    // If nothing is due, an alarm that is already planned stays, because it deletes what is left of an order without a
    // record.
    if (due === null || due === this.#plannedAt) return;
    this.#plannedAt = due;
    await scheduleAlarm(this.ctx.storage, due);
  }

  /**
   * Deletes the object of an order without a record when its events are handed over and no page is open. Without this
   * deletion, the object would stay until the alarm that was planned for the end of a closed page's session.
   */
  async eraseIfIdle(): Promise<void> {
    if (this.store.record() || this.#sockets.nextSessionEnd() !== null || this.#events.pending.dueAt() !== null) return;
    this.#plannedAt = null;
    await this.store.deleteAll();
  }

  #view(): View {
    return {listens: this.#sockets.count() > 0};
  }

  #describe(record: OrderRecord): PaymentSummary {
    return describePayment(this.store.facts(record), Date.now(), this.watchers.asOf(record));
  }

  #reference({order, code, offer, seller = this.#offerSeller(offer)}: OrderFields): OrderReference {
    return {order, order_code: code, ...(seller && {seller})};
  }

  /** The seller of an offer. If the configuration is wrong, pages still get the payment, without the seller. */
  #offerSeller(offer: string | undefined): Seller | undefined {
    try {
      return offer === undefined ? undefined : sellerOf(contextOf(this.env()).config.offers, offer);
    } catch {
      return undefined;
    }
  }

  /**
   * Credits a paid order in the counters that counted it as unpaid, at most once, so that the shopper's IP address may
   * order again. A failure is logged and not thrown, because it only makes a count wrong. When the time to pay ends,
   * the tickets are dropped.
   */
  async #recordPaid(): Promise<void> {
    const record = this.store.record();
    if (!record?.unpaid?.length) return;
    const payment = this.#describe(record);
    if (isSettled(payment) || payment.state === 'expired') this.store.update({unpaid: []});
    if (!isSettled(payment)) return;
    const results = await Promise.allSettled(
      record.unpaid.map(({guard}) => this.#objects().guardNamed(guard).recordPaid()),
    );
    for (const result of results)
      if (result.status === 'rejected')
        log('warn', 'confirm_failed', {order: record.order, error: describeError(result.reason)});
  }
}
