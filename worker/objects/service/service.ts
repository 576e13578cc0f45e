import {contextOf} from '../../context.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import type {BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {BILLING_CHANGES, BillingChangesStore} from '../billing/billing-changes-store.ts';
import {BillingChanges} from '../billing/billing-changes.ts';
import {BillingHints} from '../billing/billing-hints.ts';
import {ChargeReader} from '../billing/charge-reader.ts';
import {type AwaitedOrder, CHARGES, ChargeStore} from '../billing/charge-store.ts';
import {SubscriptionSweep} from '../billing/subscription-sweep.ts';
import {EventQueue, PENDING_EVENTS} from '../events/event-queue.ts';
import {type StoredCounter, waitMs, withOneMore} from '../limits/counter.ts';
import type {TrackedOrder, WatchReport} from '../order/order-watchers.ts';
import type {StandingTask} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {BuyerIndex, type BuyerName, BUYERS, type FoundOrders} from '../sweep/buyer-index.ts';
import {Delivery} from '../sweep/delivery.ts';
import {DELIVERY_HOLD} from '../sweep/sweep-progress.ts';
import {type CodedOrder, SWEEP, SweepStore, type WaitingPosition} from '../sweep/sweep-store.ts';
import {allowedSearches, TransferReader} from '../sweep/transfer-reader.ts';
import type {TransactionRecord} from '../sweep/undelivered-store.ts';
import {type Forgotten, forgetPerson, type Person} from './erasure.ts';
import {Poller, type PollTimes, type Settle} from './poller.ts';

/**
 * Reads the platform's lists of a service, on behalf of all its orders and subscriptions: transfers and the charges of
 * payment pages, whose money it hands to their orders, and the subscriptions that changed. Each list is a task of its
 * own, so that none waits for another. The progress of a list is written after the orders have stored what was read, or
 * together with its events; whatever interrupts a read repeats it.
 */
export class Service extends StoredObject {
  static override readonly schemas = [SWEEP, BUYERS, CHARGES, BILLING_CHANGES, PENDING_EVENTS];

  readonly #context = () => contextOf(this.env);
  readonly #events = new EventQueue(this.storage, () => this.#context().objects);
  readonly #buyers = new BuyerIndex(this.storage, () => this.#context().config.sessionSecrets);
  readonly #orders = new SweepStore(this.storage);
  readonly #pages = new ChargeStore(this.storage);
  readonly #known = new BillingChangesStore(this.storage);
  readonly #settle: Settle = (order, settled) => {
    this.#orders.setSettled(order, settled);
    this.#pages.setSettled(order, settled);
  };
  readonly #changes = new BillingChanges(this.#known, this.schedule, this.#events, this.#settle, this.#context);
  readonly #chargeReader = new ChargeReader(this.#pages, this.#changes, this.#context);
  readonly #name = () => this.storage.kv.get<string>('service');

  readonly #transferReader = new TransferReader(this.#orders, this.#settle, this.#context);
  readonly #transfers = new Poller('transfers', this.schedule, this.#name, this.#orders, this.#transferReader);
  readonly #charges = new Poller('charges', this.schedule, this.#name, this.#pages, this.#chargeReader);
  readonly #subscriptions = new SubscriptionSweep(
    'subscriptions',
    this.schedule,
    this.storage.kv,
    this.#changes,
    this.#name,
    this.#context,
  );
  readonly #hints = new BillingHints(
    {charge: this.#chargeReader, subscription: this.#subscriptions},
    this.#known,
    this.schedule,
    this.#changes,
  );
  /** Hands over transfers whose orders could not be reached. */
  readonly #undelivered: StandingTask = {
    retry: DELIVERY_HOLD,
    dueAt: () => this.#orders.undelivered.dueAt(),
    run: () => this.#delivery().retry(),
  };

  protected override readonly tasks = {
    transfers: this.#transfers,
    undelivered: this.#undelivered,
    charges: this.#charges,
    subscriptions: this.#subscriptions,
    undeliveredCharges: this.#changes.undeliveredCharges,
    rereads: this.#hints.rereads,
    heldEvents: this.#changes.heldEvents,
    events: this.#events.task,
    retention: this.#changes.retention,
  };

  #serverSearches: StoredCounter = {windowMs: MINUTE_MS, parts: []};

  /**
   * From now on, looks for the transfers of this order.
   * @param view - A page that views the order. @returns when the platform was last polled.
   */
  async trackOrder(
    service: string,
    order: TrackedOrder,
    view: WatchReport | null = null,
  ): Promise<{asOf: number | null}> {
    this.#setName(service);
    if (order.buyer) await this.#buyers.add(order.order, order.buyer);
    this.#orders.trackOrder(order);
    return view ? this.reportView(view) : {asOf: this.#orders.asOf()};
  }

  /**
   * From now on, looks for a charge of this order, whose shopper is about to open the payment page.
   * @param buyer - By what a search finds the order's buyer.
   */
  async trackPaymentPage(service: string, order: AwaitedOrder, buyer?: BuyerName): Promise<void> {
    this.#setName(service);
    this.#pages.trackOrder(order, Date.now());
    if (buyer) await this.#buyers.add(order.order, buyer);
  }

  /** Records that a page views an order. @returns when the platform was last polled for the order's money. */
  reportView(report: WatchReport): {asOf: number | null} {
    const now = Date.now();
    const hasCode = this.#orders.recordWatch(report, now);
    const hasPage = this.#pages.recordWatch(report);
    this.#transfers.keepPlan(now);
    this.#charges.keepPlan(now);
    const times = [...(hasCode || !hasPage ? [this.#orders.asOf()] : []), ...(hasPage ? [this.#pages.asOf()] : [])];
    const known = times.filter((at) => at !== null);
    return {asOf: known.length > 0 ? Math.max(...known) : null};
  }

  /** Remembers a wanted order that closes, so that money which comes later is reported. A second call changes nothing. */
  recordClosed(order: Omit<TrackedOrder, 'registeredAt'>): void {
    this.#orders.recordClosed(order);
  }

  /** Ends that these orders are found by their buyers, who were deleted there. @returns how many of them were found. */
  forgetBuyers(orders: readonly string[]): Promise<number> {
    return this.#buyers.remove(orders);
  }

  /** The references of the orders of a buyer, at most `limit`. An order may have lost its buyer in the meantime. */
  ordersOfBuyer(buyer: BuyerName, limit: number): Promise<FoundOrders> {
    return this.#buyers.ordersOf(buyer, limit);
  }

  /** When the platform was last polled, and when it will be polled next. */
  pollTimes(): {readonly transfers: PollTimes; readonly charges: PollTimes} {
    return {transfers: this.#transfers.times(), charges: this.#charges.times()};
  }

  /**
   * How long ago the platform was last searched for the money of open orders, and for the charges of open payment pages,
   * in ms; null while none is open. If each is newer than the last search, the result is the age of the oldest one.
   */
  ages(): {readonly transfers: number | null; readonly charges: number | null} {
    return {
      transfers: ageOf(this.#orders.oldestRegisteredAt(), this.#orders.asOf()),
      charges: ageOf(this.#pages.oldestSince(), this.#pages.asOf()),
    };
  }

  /** The order that got this code and has not closed yet; null if there is none. */
  orderOfCode(code: string): string | null {
    return this.#orders.byCode(code, 1).find((found) => found.code === code)?.order ?? null;
  }

  /** The open orders whose code begins with these characters. */
  ordersByCode(beginning: string, limit: number): CodedOrder[] {
    return this.#orders.byCode(beginning, limit);
  }

  /** See `SweepStore.waiting`. */
  waitingOrders(position: WaitingPosition, limit: number): WaitingPosition[] {
    return this.#orders.waiting(position, limit);
  }

  /** How many transfers and charges could not be handed to their order or to the books yet. */
  countUndelivered(): number {
    return this.#orders.undelivered.count() + this.#changes.countUndelivered();
  }

  /**
   * Whether searches that began at these times or later have read all money of the order.
   * @param since - The times: of searches for its transfers, if it has a code, and for the charges of its payment page,
   * if it had one. After the last page closed, any search will do.
   */
  hasSearched(
    {order, code}: Pick<TrackedOrder, 'order' | 'code'>,
    {transfers, charges}: {readonly transfers: number | null; readonly charges: number | null},
  ): boolean {
    const hasTransfers =
      transfers === null || this.#orders.searchedSince({order, code}, transfers, Date.now()) >= transfers;
    const hasCharges = charges === null || !this.#pages.isTracked(order) || (this.#pages.asOf() ?? 0) >= charges;
    return hasTransfers && hasCharges && !this.#changes.hasUndelivered(order);
  }

  /**
   * Counts a search that the merchant's server wants to make. The count is only kept in memory: it is lost with the
   * object, which the runtime forgets after some ten seconds without a call.
   * @returns the milliseconds to wait; 0 if the search may be sent now.
   */
  admitSearch(): number {
    const now = Date.now();
    const {server} = allowedSearches(this.#context(), this.#orders, now);
    const rule = {windowMs: MINUTE_MS, limit: Math.ceil(server)};
    const ms = Math.max((this.#orders.pace().slowdown?.until ?? 0) - now, waitMs(this.#serverSearches, rule, now));
    if (ms <= 0) this.#serverSearches = withOneMore(this.#serverSearches, rule, now);
    return Math.max(0, ms);
  }

  /** Forgets a person in every object that may name them. */
  forgetPerson(service: string, person: Person): Promise<Forgotten> {
    return forgetPerson(person, service, this.#context().objects, {buyers: this.#buyers, orders: this.#orders});
  }

  /**
   * Hands a transfer, whose record an order has read, to the order that it belongs to now.
   * @returns false if it waits, because an order or the books could not be reached.
   */
  async deliverTransfer(service: string, item: TransactionRecord): Promise<boolean> {
    this.#setName(service);
    await this.#delivery().deliver([item]);
    return this.#orders.undelivered.find(item.id) === undefined;
  }

  /** Receives a notification that these records may have changed. @returns how it is answered. */
  receiveHints(service: string, kind: BillingRecordKind, ids: readonly string[]): Promise<NotificationOutcome> {
    this.#setName(service);
    return this.#hints.receive(service, kind, ids);
  }

  /**
   * Starts the sweep of subscriptions, unless it has started. The sweep then continues until the operator switches off
   * the sweep or mobile billing.
   */
  startSubscriptionSweep(service: string): void {
    this.#setName(service);
    this.#subscriptions.start(Date.now());
  }

  /**
   * Records that a subscription was started through the Worker, and that its `Subscriber` reports the start. The sweep
   * then reports only later changes.
   */
  async claimStarted(service: string, record: SimpleSubscriptionRecord): Promise<void> {
    this.#changes.claimStarted(await this.#changes.inSeries(record));
    this.startSubscriptionSweep(service);
  }

  /**
   * Announces that a `Subscriber` looks for a subscription that it has started. Until the search ends, the sweep holds
   * back the events of new subscriptions.
   * @param until - When the search ends at the latest, epoch milliseconds.
   */
  awaitClaims(until: number): void {
    this.#known.awaitClaims(until);
  }

  #setName(service: string): void {
    if (this.#name() !== service) this.storage.kv.put('service', service);
  }

  #delivery(): Delivery {
    return new Delivery(this.#context(), this.#orders, this.#settle, this.#name() ?? '', Date.now());
  }
}

function ageOf(oldest: number | null, asOf: number | null): number | null {
  return oldest === null ? null : Math.max(0, Date.now() - Math.max(oldest, asOf ?? 0));
}
