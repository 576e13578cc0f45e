import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {countOf} from '../../platform/rows.ts';
import {toCharge} from '../../platform/to-payment.ts';
import type {Look} from '../order/order-watchers.ts';
import {type Awaited, ChargeStore, type Reading} from './charge-store.ts';
import {UnreadableRows} from './poller.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** While somebody looks, as long as there is plenty to spend; then while there is little. */
const LOOKED_MS = 3 * SECOND_MS;
const SPARING_MS = 10 * SECOND_MS;
const PLENTY = 50;
/** While somebody is on the payment page and nobody looks. */
const IDLE_MS = 5 * MINUTE_MS;
const LONGEST_FAILING_MS = 15 * MINUTE_MS;
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
  readonly #unreadable = new UnreadableRows('chargeSearch');
  /** What orders have heard, so that they are not told again and again; they would know. */
  readonly #told = new Map<string, string | null>();

  /** The order's shopper goes to the payment page: what they pay there is looked for from now on. */
  async await(service: string, awaited: Awaited): Promise<void> {
    const now = Date.now();
    this.#store.setService(service);
    this.#store.await(awaited);
    if (!this.#store.reading()) this.#store.setReading(readingSince(now - OVERLAP_MS, now));
    await this.#schedule();
  }

  /** A page looks at an order; tells when the platform was last asked. */
  async look({order, until, settled}: Look): Promise<{asOf: number | null}> {
    this.#store.look(order, settled ? 0 : until);
    await this.#schedule();
    return {asOf: this.#store.asOf()};
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#store.forgetEnded(now);
    const [service, reading] = [this.#store.service(), this.#store.reading()];
    if (service === undefined || !reading || !this.#store.isAnyAwaited()) return this.#rest();
    const {failures} = this.#store.pace();
    // First of all: a reading that is cut off is repeated, and not at once.
    this.#store.setPace({readAt: now, failures, retryAfterMs: 0});
    try {
      await this.#read(service, reading, now);
      this.#store.setPace({readAt: now, failures: 0, retryAfterMs: 0});
    } catch (error) {
      const failure = error instanceof PlatformError ? error.failure : undefined;
      const isUnsent = failure?.outcome === 'unsent';
      this.#store.setPace({
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
  async #read(service: string, reading: Reading, now: number): Promise<void> {
    const {platform, config} = this.#context;
    this.#store.spend(now);
    const {transactions, meta} = await platform.call('chargeSearch', {
      serviceId: config.services.get(service)?.micropaymentId ?? '',
      search: [{column: 'modifiedDate', term: formatPlatformTime(reading.since), condition: '>='}],
      // What comes in the meantime comes last: no row moves to a page that was read.
      sort: [{column: 'id', asc: true}],
      limit: PAGE_LENGTH,
      page: reading.page,
    });
    this.#unreadable.note(service, transactions.unreadable, now);
    await this.#deal(service, transactions.rows, now);
    const begunAt = reading.page === 1 ? now : reading.begunAt;
    const isLast = meta.pageCount === null ? countOf(transactions) < PAGE_LENGTH : meta.pageCount <= reading.page;
    this.#store.setReading(
      isLast ? readingSince(begunAt - OVERLAP_MS, now) : {...reading, page: reading.page + 1, begunAt},
    );
    if (isLast) this.#store.setAsOf(begunAt);
  }

  /** Hands to orders what they have not heard. One that cannot be reached fails the page: it is read again. */
  async #deal(service: string, records: readonly ChargeRecord[], now: number): Promise<void> {
    for (const record of records) {
      const order = record.referenceCode;
      if (order === null || !this.#store.isAwaited(order) || this.#told.get(record.id) === record.status) continue;
      const charge = toCharge(record, this.#context.config.statuses, now);
      if (charge && (await this.#context.objects.order(service, order).charged(charge, now)).settled)
        this.#store.look(order, 0);
      this.#told.set(record.id, record.status);
    }
  }

  async #rest(): Promise<void> {
    this.#store.rest();
    this.#told.clear();
    await this.ctx.storage.deleteAlarm();
  }

  /** Plans the next reading, unless one is planned that is soon enough. */
  async #schedule(): Promise<void> {
    if (!this.#store.isAnyAwaited()) return;
    const now = Date.now();
    const due = Math.max(now, this.#store.pace().readAt + this.#interval(now));
    const planned = await this.ctx.storage.getAlarm();
    if (planned === null || planned > due) await this.ctx.storage.setAlarm(due);
  }

  #interval(now: number): number {
    const {failures, retryAfterMs} = this.#store.pace();
    const allowance = this.#store.allowance(now);
    const isWanted = this.#store.isAnyLookedAt(now) || (this.#store.reading()?.page ?? 1) > 1;
    const intervalMs = isWanted && allowance >= 1 ? (allowance > PLENTY ? LOOKED_MS : SPARING_MS) : IDLE_MS;
    return Math.max(retryAfterMs, Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, LONGEST_FAILING_MS)));
  }
}

function readingSince(since: number, begunAt: number): Reading {
  return {since, page: 1, begunAt};
}
