import {type Context, contextOf} from '../../context.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {log, type LogFields} from '../../lib/log.ts';
import {bringAlarmForward} from '../alarm.ts';
import {askBooks} from '../archive/booking.ts';
import {type StoredCounter, waitMs, withOneMore} from '../limits/counter.ts';
import type {TrackedOrder, WatchReport} from '../order/order-watchers.ts';
import {StoredObject} from '../stored-object.ts';
import {BuyerIndex, type BuyerName, BUYERS, type FoundOrders} from './buyer-index.ts';
import {Delivery} from './delivery.ts';
import {pacedInterval, type SearchesPerMinute, searchesPerMinute} from './pace.ts';
import {
  type Backoff,
  circuitOpenInterval,
  failingInterval,
  Poller,
  type PollReader,
  type PollTimes,
  UnreadableRowsReporter,
} from './poller.ts';
import {type CodedOrder, SWEEP, SweepStore, type Viewers, type WaitingPosition} from './sweep-store.ts';
import {TransactionList} from './transaction-list.ts';
import {describeSearchError} from './transaction-search.ts';
import type {Deliverable} from './undelivered-store.ts';

/**
 * Asks the platform for new transactions on behalf of all open orders, and hands each transaction to its order. There
 * is one object per service. An interrupted delivery is repeated.
 */
export class Sweep extends StoredObject {
  static override readonly schemas = [SWEEP, BUYERS];

  readonly #store = new SweepStore(this.ctx.storage);
  readonly #buyers = new BuyerIndex(this.ctx.storage, this.versions, () => contextOf(this.env).config.sessionSecrets);
  #serverSearches: StoredCounter = {windowMs: MINUTE_MS, parts: []};
  readonly #poller = new Poller(this.ctx.storage, this.#store, new SweepReader(this.#store, () => contextOf(this.env)));

  protected override readonly restoreAlarm = () => this.#poller.schedule();

  /**
   * From now on, looks for the money of this order.
   * @param view - A page that views the order. @returns when the platform was last polled.
   */
  async trackOrder(
    service: string,
    order: TrackedOrder,
    view: WatchReport | null = null,
  ): Promise<{asOf: number | null}> {
    this.#store.setService(service);
    if (order.buyer) await this.#buyers.add(order.order, order.buyer);
    // A sweep saw money of this order before it knew the order, and dropped the money. A shopper waits for it.
    if (this.#store.trackOrder(order)) await bringAlarmForward(this.ctx.storage, Date.now());
    if (view) return this.#poller.reportWatch(view);
    await this.#poller.schedule();
    return {asOf: this.#store.asOf()};
  }

  /** Remembers a wanted order that closes, so that money which comes later is reported. A second call changes nothing. */
  recordClosed(order: Omit<TrackedOrder, 'registeredAt'>): void {
    this.#store.recordClosed(order);
  }

  /** Makes an order findable by its buyer, of whom HMACs are stored. */
  indexBuyer(order: string, buyer: BuyerName): Promise<void> {
    return this.#buyers.add(order, buyer);
  }

  /** Ends that these orders are found by their buyers, who were deleted there. @returns by how much they were found. */
  forgetBuyers(orders: readonly string[]): Promise<number> {
    return this.#buyers.remove(orders);
  }

  /** The references of the orders of a buyer, at most `limit`. An order may have lost its buyer in the meantime. */
  ordersOfBuyer(buyer: BuyerName, limit: number): Promise<FoundOrders> {
    return this.#buyers.ordersOf(buyer, limit);
  }

  /** Records that a page views an order. @returns when the platform was last polled. */
  reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    return this.#poller.reportWatch(report);
  }

  /** When the platform was last polled, and when it will be polled next. */
  pollTimes(): PollTimes {
    return this.#poller.times();
  }

  /**
   * How long ago the platform was last searched for the money of open orders, in ms; null while no order is open. If
   * every open order is newer than the last search, the result is the age of the oldest open order.
   */
  age(): number | null {
    const oldest = this.#store.oldestRegisteredAt();
    return oldest === null ? null : Math.max(0, Date.now() - Math.max(oldest, this.#store.asOf() ?? 0));
  }

  /** The order that got this code and has not closed yet; null if there is none. */
  orderOfCode(code: string): string | null {
    return this.#store.byCode(code, 1).find((found) => found.code === code)?.order ?? null;
  }

  /** The open orders whose code begins with these characters. */
  ordersByCode(beginning: string, limit: number): CodedOrder[] {
    return this.#store.byCode(beginning, limit);
  }

  /** See `SweepStore.waiting`. */
  waitingOrders(position: WaitingPosition, limit: number): WaitingPosition[] {
    return this.#store.waiting(position, limit);
  }

  /** How many transfers could not be handed to their order or to the books yet. */
  waiting(): number {
    return this.#store.undelivered.count();
  }

  /**
   * A time after which searches began that have read all money which was sent to this order between `from` and that
   * time, and the order has it; 0 if there were no such searches.
   */
  searchedSince(order: Pick<TrackedOrder, 'order' | 'code'>, from: number): number {
    return this.#store.searchedSince(order, from, Date.now());
  }

  /**
   * Counts a search that the merchant's server wants to make. The count is only kept in memory: it is lost with the
   * object, which the runtime forgets after some ten seconds without a call.
   * @returns the milliseconds to wait; 0 if the search may be sent now.
   */
  admitSearch(): number {
    const now = Date.now();
    const {server} = allowedSearches(contextOf(this.env), this.#store, now);
    const rule = {windowMs: MINUTE_MS, limit: Math.ceil(server)};
    const ms = Math.max((this.#store.pace().slowdown?.until ?? 0) - now, waitMs(this.#serverSearches, rule, now));
    if (ms <= 0) this.#serverSearches = withOneMore(this.#serverSearches, rule, now);
    return Math.max(0, ms);
  }

  /**
   * Removes who sent money, here and in the books. A delivery writes these names, so it ends before.
   * @param names - Orders and their codes. @returns how many rows of the books changed.
   */
  forgetPersons(service: string, orders: readonly string[], names: readonly string[], transactions: readonly string[]) {
    return this.#store.turns.run(async () => {
      const {objects} = contextOf(this.env);
      const own = await askBooks(objects, service, (books): Promise<string[]> => books.transactionsOf(orders));
      const money = [...new Set([...own.flat(), ...transactions])];
      this.#store.undelivered.forgetPersons([...names, ...money]);
      this.#store.forgetSenders(money);
      const forget = (books: ReturnType<typeof objects.books>): Promise<number> =>
        books.forgetPersons('names', orders, money);
      return (await askBooks(objects, service, forget)).reduce((sum, count) => sum + count, 0);
    });
  }

  /** Hands an order the money that a notification names, if no sweep may read the day of the money any more. */
  async deliver(service: string, item: Deliverable): Promise<void> {
    await new Delivery(contextOf(this.env), this.#store, service, Date.now()).deliver([item]);
  }

  override alarm(): Promise<void> {
    return this.#poller.poll();
  }
}

/** How many searches of the service a minute may have, by sweeps and by the merchant's server. */
function allowedSearches({config}: Context, store: SweepStore, now: number): SearchesPerMinute {
  const {phsCallsPerMinute: budget} = config;
  return searchesPerMinute(budget === null ? null : budget / config.services.size, store.newOrders(now));
}

/** Poll interval while an order is open but no page views an order. */
const IDLE_MS = 5 * MINUTE_MS;

/** Reads the transactions of a service, and hands each transaction to its order. */
class SweepReader implements PollReader {
  readonly #unreadable = new UnreadableRowsReporter('transactionSearch');

  constructor(
    private readonly store: SweepStore,
    private readonly context: () => Context,
  ) {}

  async read(service: string, now: number): Promise<void> {
    const context = this.context();
    const delivery = new Delivery(context, this.store, service, now);
    await delivery.retry();
    let rows = 0;
    const list = new TransactionList(context.platform, this.store, service, now, async (items) => {
      const fresh = await delivery.deliver(items);
      rows += fresh;
      return fresh;
    });
    try {
      const {searches, unreadable} = await list.read(this.store.oldestRegisteredAt() ?? now);
      this.#unreadable.report(service, unreadable, now);
      log('info', 'sweep', {service, searches, rows, duration_ms: Date.now() - now});
    } finally {
      // Transactions that were read before an error stay known.
      this.store.saveIfNeeded(this.interval(this.store.backoff(), Date.now()));
    }
  }

  interval({readAt, failures, retryAfterMs}: Backoff, now: number): number {
    const pace = this.store.pace();
    const sweeps = this.#allowed(now);
    const intervalMs = pacedInterval(sweepInterval(this.store.viewers(now), now), pace, sweeps, now);
    const retryMs =
      retryAfterMs === null ? failingInterval(intervalMs, failures) : circuitOpenInterval(intervalMs, retryAfterMs);
    return Math.max(retryMs, (pace.slowdown?.until ?? 0) - readAt);
  }

  /** With a wrong configuration there is no budget, but the next sweep must be planned all the same. */
  #allowed(now: number): number {
    try {
      return allowedSearches(this.context(), this.store, now).sweeps;
    } catch {
      return Infinity;
    }
  }

  logFailure(error: unknown, fields: LogFields): void {
    log('warn', 'sweep_failed', {...describeSearchError(error), ...fields});
  }
}

/**
 * Milliseconds from one sweep to the next. The age of the newest page that awaits money decides. If pages are open but
 * no page awaits money, a second transfer may still arrive, but finding it is not urgent.
 */
export function sweepInterval({newestOpenedAt, isViewed}: Viewers, now: number): number {
  if (newestOpenedAt === null) return isViewed ? MINUTE_MS : IDLE_MS;
  const age = now - newestOpenedAt;
  if (age < 10 * MINUTE_MS) return 3_000;
  return age < HOUR_MS ? 15_000 : MINUTE_MS;
}
