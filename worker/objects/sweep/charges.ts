import {type Context, contextOf} from '../../context.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log, type LogFields} from '../../lib/log.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {countRows} from '../../platform/reply-json.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {StoredObject} from '../stored-object.ts';
import {type AwaitedOrder, type ChargeReading, CHARGES, ChargeStore} from './charge-store.ts';
import {isBadRequest, isLastPage, modifiedSince} from './modified-since.ts';
import {
  type Backoff,
  failingInterval,
  Poller,
  type PollReader,
  type PollTimes,
  UnreadableRowsReporter,
} from './poller.ts';

/**
 * Finds the charges that shoppers paid on the platform's payment page, and hands each charge to its order. There is one
 * object per service. The object has to search, because the platform sends no notification of such charges, and because
 * the return of the shopper to our page proves nothing.
 */
export class Charges extends StoredObject {
  static override readonly schemas = [CHARGES];

  readonly #store = new ChargeStore(this.ctx.storage);
  readonly #poller = new Poller(
    this.ctx.storage,
    this.#store,
    new ChargeReader(this.#store, () => contextOf(this.env)),
  );

  /** From now on, looks for a charge of this order. The order's shopper is about to open the payment page. */
  async trackOrder(service: string, order: AwaitedOrder): Promise<void> {
    const now = Date.now();
    this.#store.setService(service);
    this.#store.trackOrder(order);
    if (!this.#store.reading()) this.#store.setReading(readingBefore(now, now));
    await this.#poller.schedule();
  }

  /** Records that a page views an order. @returns when the platform was last polled. */
  reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    return this.#poller.reportWatch(report);
  }

  /** Whether a search that began at `since`, or after the last payment page had closed, has read the order's charges. */
  hasSearched(order: string, since: number): boolean {
    return !this.#store.isTracked(order) || (this.#store.asOf() ?? 0) >= since;
  }

  /** When the platform was last polled, and when it will be polled next. */
  pollTimes(): Promise<PollTimes> {
    return this.#poller.times();
  }

  override alarm(): Promise<void> {
    return this.#poller.poll();
  }
}

/**
 * Poll intervals while a page views an order. The first applies while many searches are allowed, the second while few
 * searches are allowed.
 */
const WATCHED_INTERVAL_MS = 3 * SECOND_MS;
const SPARING_INTERVAL_MS = 10 * SECOND_MS;
const PLENTIFUL_ALLOWANCE = 50;
/** Poll interval while a payment page is open, but no page views an order or no search is allowed now. */
const IDLE_INTERVAL_MS = 5 * MINUTE_MS;
const MAX_FAILING_INTERVAL_MS = 15 * MINUTE_MS;
/**
 * Each pass also covers this much time before the start of the previous pass, because clocks differ, and charges may be
 * listed late.
 */
const OVERLAP_MS = 2 * MINUTE_MS;

/**
 * Reads the charges that changed since the last pass, with mobile billing's search (`docs/spec/subscriptions.md`, 2.5).
 * One search serves all tracked orders. The reader compares references itself, because the spec does not show a search
 * by reference.
 */
class ChargeReader implements PollReader {
  readonly #unreadable = new UnreadableRowsReporter('chargeSearch');
  /**
   * The last delivered status of each charge, and when a search last returned the charge. Because of this map, a charge
   * is not delivered again until its status changes.
   */
  readonly #delivered = new Map<string, {readonly status: string | null; readonly foundAt: number}>();

  constructor(
    private readonly store: ChargeStore,
    private readonly context: () => Context,
  ) {}

  /** Reads one page of the changed charges. */
  async read(service: string, now: number): Promise<void> {
    const reading = this.store.reading() ?? readingBefore(now, now);
    const {transactions, meta} = await this.#search(service, reading, now);
    this.#unreadable.report(service, transactions.unreadable, now);
    await this.#processRows(service, transactions.rows, now);
    const begunAt = reading.page === 1 ? now : reading.begunAt;
    const isLast = isLastPage(reading.page, meta, countRows(transactions));
    this.store.setReading(isLast ? readingBefore(begunAt, now) : {...reading, page: reading.page + 1, begunAt});
    if (!isLast) return;
    this.store.setAsOf(begunAt);
    // If this pass did not return a charge, the next pass will not return the charge either, unless the charge changes.
    for (const [id, {foundAt}] of this.#delivered) if (foundAt < begunAt) this.#delivered.delete(id);
  }

  /**
   * If the platform refuses the spelling of the time, the next poll sends the other spelling. The same poll cannot
   * search again, because the platform allows only one search a second.
   */
  async #search(service: string, reading: ChargeReading, now: number) {
    const {platform, config} = this.context();
    const serviceId = config.services.get(service)?.micropaymentId ?? '';
    const {spellings} = this.store;
    this.store.countSearch(now);
    try {
      const query = {serviceId, ...modifiedSince(reading, spellings)};
      const found = await platform.call('chargeSearch', query, {isOwn: true});
      spellings.accept();
      return found;
    } catch (error) {
      if (isBadRequest(error)) spellings.refuse(now);
      throw error;
    }
  }

  interval({failures, retryAfterMs}: Backoff, now: number): number {
    const allowance = this.store.allowance(now);
    const isWanted = this.store.isAnyWatched(now) || (this.store.reading()?.page ?? 1) > 1;
    const intervalMs =
      isWanted && allowance >= 1
        ? allowance > PLENTIFUL_ALLOWANCE
          ? WATCHED_INTERVAL_MS
          : SPARING_INTERVAL_MS
        : IDLE_INTERVAL_MS;
    return Math.max(retryAfterMs ?? 0, failingInterval(intervalMs, failures, MAX_FAILING_INTERVAL_MS));
  }

  logFailure(error: unknown, fields: LogFields): void {
    log('warn', 'charges_unread', {error: describeError(error), ...fields});
  }

  stop(): void {
    this.store.reset();
    this.#delivered.clear();
  }

  /** Hands changed charges to their orders. @throws if an order cannot be reached; the next poll repeats the page. */
  async #processRows(service: string, records: readonly ChargeRecord[], now: number): Promise<void> {
    const {config, objects} = this.context();
    for (const record of records) {
      const order = record.referenceCode;
      if (order === null || !this.store.isTracked(order)) continue;
      const isDelivered = this.#delivered.get(record.id)?.status === record.status;
      if (isDelivered) {
        this.#delivered.set(record.id, {status: record.status, foundAt: now});
        continue;
      }
      const charge = toPaidCharge(record, config.statuses, now);
      if (charge && (await objects.order(service, order).receiveCharge(charge, now)).settled)
        this.store.setSettled(order);
      this.#delivered.set(record.id, {status: record.status, foundAt: now});
    }
  }
}

/** A new pass over the charges that changed since shortly before `moment`. */
function readingBefore(moment: number, begunAt: number): ChargeReading {
  return {since: moment - OVERLAP_MS, page: 1, begunAt};
}
