import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {countRows} from '../../platform/rows.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {type AwaitedOrder, ChargeStore, type ChargeReading} from './charge-store.ts';
import {UnreadableRowsReporter} from './poller.ts';

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
 * One a service: finds the charges by which shoppers paid on the common payment page, and hands each to its order. The
 * platform tells nobody of them, and what the page says on return is a hint. One list serves every order that waits: what
 * changed since it was last read, as mobile billing's search gives it (subscriptions 2.5); the reference is compared here,
 * for the spec does not show that it can be searched for.
 */
export class Charges extends DurableObject<Env> {
  readonly #store = new ChargeStore(this.ctx.storage);
  readonly #unreadable = new UnreadableRowsReporter('chargeSearch');
  /** What orders have heard, so that they are not told again and again; they would know. */
  readonly #delivered = new Map<string, string | null>();

  /** The order's shopper goes to the payment page: what they pay there is looked for from now on. */
  async trackOrder(service: string, order: AwaitedOrder): Promise<void> {
    const now = Date.now();
    this.#store.setService(service);
    this.#store.trackOrder(order);
    if (!this.#store.reading()) this.#store.setReading(readingSince(now - OVERLAP_MS, now));
    await this.#schedule();
  }

  /** A page looks at an order; tells when the platform was last asked. */
  async reportWatch({order, until, settled}: WatchReport): Promise<{asOf: number | null}> {
    this.#store.recordWatch(order, settled ? 0 : until);
    await this.#schedule();
    return {asOf: this.#store.asOf()};
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#store.deleteEnded(now);
    const [service, reading] = [this.#store.service(), this.#store.reading()];
    if (service === undefined || !reading || !this.#store.isAnyTracked()) return this.#stop();
    const {failures} = this.#store.backoff();
    // First of all: a reading that is cut off is repeated, and not at once.
    this.#store.setBackoff({readAt: now, failures, retryAfterMs: 0});
    try {
      await this.#read(service, reading, now);
      this.#store.setBackoff({readAt: now, failures: 0, retryAfterMs: 0});
    } catch (error) {
      const failure = error instanceof PlatformError ? error.failure : undefined;
      const isUnsent = failure?.outcome === 'unsent';
      this.#store.setBackoff({
        readAt: now,
        failures: isUnsent ? failures : failures + 1,
        retryAfterMs: isUnsent ? failure.retryAfterMs : 0,
      });
      log('warn', 'charges_unread', {service, error: describeError(error), retry_in_ms: this.#interval(now)});
    }
    await this.#schedule();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  /** Reads one page of what changed. */
  async #read(service: string, reading: ChargeReading, now: number): Promise<void> {
    const {platform, config} = this.#context;
    this.#store.countSearch(now);
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
    this.#store.setReading(
      isLast ? readingSince(begunAt - OVERLAP_MS, now) : {...reading, page: reading.page + 1, begunAt},
    );
    if (isLast) this.#store.setAsOf(begunAt);
  }

  /** Hands to orders what they have not heard. One that cannot be reached fails the page: it is read again. */
  async #processRows(service: string, records: readonly ChargeRecord[], now: number): Promise<void> {
    for (const record of records) {
      const order = record.referenceCode;
      if (order === null || !this.#store.isTracked(order) || this.#delivered.get(record.id) === record.status) continue;
      const charge = toPaidCharge(record, this.#context.config.statuses, now);
      if (charge && (await this.#context.objects.order(service, order).receiveCharge(charge, now)).settled)
        this.#store.recordWatch(order, 0);
      this.#delivered.set(record.id, record.status);
    }
  }

  async #stop(): Promise<void> {
    this.#store.reset();
    this.#delivered.clear();
    await this.ctx.storage.deleteAlarm();
  }

  /** Plans the next reading, unless one is planned that is soon enough. */
  async #schedule(): Promise<void> {
    if (!this.#store.isAnyTracked()) return;
    const now = Date.now();
    const due = Math.max(now, this.#store.backoff().readAt + this.#interval(now));
    const planned = await this.ctx.storage.getAlarm();
    if (planned === null || planned > due) await this.ctx.storage.setAlarm(due);
  }

  #interval(now: number): number {
    const {failures, retryAfterMs} = this.#store.backoff();
    const allowance = this.#store.allowance(now);
    const isWanted = this.#store.isAnyWatched(now) || (this.#store.reading()?.page ?? 1) > 1;
    const intervalMs =
      isWanted && allowance >= 1
        ? allowance > PLENTIFUL_ALLOWANCE
          ? WATCHED_INTERVAL_MS
          : SPARING_INTERVAL_MS
        : IDLE_INTERVAL_MS;
    return Math.max(retryAfterMs, Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, MAX_FAILING_INTERVAL_MS)));
  }
}

function readingSince(since: number, begunAt: number): ChargeReading {
  return {since, page: 1, begunAt};
}
