import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log, type LogFields} from '../../lib/log.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {countRows} from '../../platform/rows.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {type AwaitedOrder, type ChargeReading, ChargeStore} from './charge-store.ts';
import {type Backoff, failingInterval, Poller, type PollReader, UnreadableRowsReporter} from './poller.ts';

/**
 * One a service: finds the charges by which shoppers paid on the common payment page, and hands each to its order. The
 * platform tells nobody of them, and what the page says on return is a hint.
 */
export class Charges extends DurableObject<Env> {
  readonly #store = new ChargeStore(this.ctx.storage);
  readonly #poller = new Poller(
    this.ctx.storage,
    this.#store,
    new ChargeReader(this.#store, () => contextOf(this.env)),
  );

  /** The order's shopper goes to the payment page: what they pay there is looked for from now on. */
  async trackOrder(service: string, order: AwaitedOrder): Promise<void> {
    const now = Date.now();
    this.#store.setService(service);
    this.#store.trackOrder(order);
    if (!this.#store.reading()) this.#store.setReading(readingBefore(now, now));
    await this.#poller.schedule();
  }

  /** A page looks at an order; tells when the platform was last asked. */
  reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    return this.#poller.reportWatch(report);
  }

  override alarm(): Promise<void> {
    return this.#poller.poll();
  }
}

/** While somebody looks, as long as there is plenty to spend; then while there is little. */
const WATCHED_INTERVAL_MS = 3 * SECOND_MS;
const SPARING_INTERVAL_MS = 10 * SECOND_MS;
const PLENTIFUL_ALLOWANCE = 50;
/** While somebody is on the payment page and nobody looks. */
const IDLE_INTERVAL_MS = 5 * MINUTE_MS;
const MAX_FAILING_INTERVAL_MS = 15 * MINUTE_MS;
/** Clocks differ, and what is booked may be seen a little later. */
const OVERLAP_MS = 2 * MINUTE_MS;
/** The most the platform gives at once (subscriptions 8). */
const PAGE_LENGTH = 100;

/**
 * One list serves every order that waits: what changed since it was last read, as mobile billing's search gives it
 * (subscriptions 2.5). The reference is compared here, for the spec does not show that it can be searched for.
 */
class ChargeReader implements PollReader {
  readonly #unreadable = new UnreadableRowsReporter('chargeSearch');
  /** What orders have heard, so that they are not told again and again; they would know. */
  readonly #delivered = new Map<string, string | null>();

  constructor(
    private readonly store: ChargeStore,
    private readonly context: () => Context,
  ) {}

  /** Reads one page of what changed. */
  async read(service: string, now: number): Promise<void> {
    const reading = this.store.reading() ?? readingBefore(now, now);
    const {platform, config} = this.context();
    this.store.countSearch(now);
    const {transactions, meta} = await platform.call('chargeSearch', {
      serviceId: config.services.get(service)?.micropaymentId ?? '',
      search: [{column: 'modifiedDate', term: formatPlatformTime(reading.since), condition: '>='}],
      // What comes in the meantime comes last: no row moves to a page that was read.
      sort: [{column: 'id', asc: true}],
      limit: PAGE_LENGTH,
      page: reading.page,
    });
    this.#unreadable.report(service, transactions.unreadable, now);
    await this.#processRows(service, transactions.rows, now);
    const begunAt = reading.page === 1 ? now : reading.begunAt;
    const isLast = meta.pageCount === null ? countRows(transactions) < PAGE_LENGTH : meta.pageCount <= reading.page;
    this.store.setReading(isLast ? readingBefore(begunAt, now) : {...reading, page: reading.page + 1, begunAt});
    if (isLast) this.store.setAsOf(begunAt);
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

  logFailure(error: unknown, about: LogFields): void {
    log('warn', 'charges_unread', {error: describeError(error), ...about});
  }

  stop(): void {
    this.store.reset();
    this.#delivered.clear();
  }

  /** Hands to orders what they have not heard. One that cannot be reached fails the page: it is read again. */
  async #processRows(service: string, records: readonly ChargeRecord[], now: number): Promise<void> {
    const {config, objects} = this.context();
    for (const record of records) {
      const order = record.referenceCode;
      if (order === null || !this.store.isTracked(order) || this.#delivered.get(record.id) === record.status) continue;
      const charge = toPaidCharge(record, config.statuses, now);
      if (charge && (await objects.order(service, order).receiveCharge(charge, now)).settled)
        this.store.setSettled(order);
      this.#delivered.set(record.id, record.status);
    }
  }
}

/** A reading of all that changed since shortly before a moment. */
function readingBefore(moment: number, begunAt: number): ChargeReading {
  return {since: moment - OVERLAP_MS, page: 1, begunAt};
}
