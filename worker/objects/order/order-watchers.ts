import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {nextFailures} from '../../lib/retry.ts';
import type {Objects} from '../../objects.ts';
import type {BuyerName} from '../sweep/buyer-index.ts';
import {buyerOf, searchedName} from './buyer.ts';
import {takesTransfers} from './order-code-changes.ts';
import {hasExpired, type OrderAccess, type ViewChange} from './order-effects.ts';
import {
  closesAt,
  factsOf,
  isUntracked,
  isWanted,
  type OrderRecord,
  type OrderState,
  trackedUntil,
  withRecord,
} from './order-state.ts';
import {areSettled} from './payment.ts';

/** The order's answer to a poller that delivered money. */
export interface ReceiveResult {
  /** Whether the order awaits no more money. */
  readonly settled: boolean;
  /** When the order was placed; null if it has been deleted, so that it has not stored the money. */
  readonly createdAt: number | null;
  /** Set if transfers that name the order are for an order of another system, so that it has not stored the money. */
  readonly isForeign?: boolean;
  /** Set while nobody knows whose order it is, so that it has not stored the money, which must be delivered again. */
  readonly isUndecided?: boolean;
}

export function receiveResult({record, money}: OrderState, now: number): ReceiveResult {
  if (!record) return {settled: false, createdAt: null};
  const settled = areSettled(factsOf(record, money), now);
  return {settled, createdAt: record.createdAt, ...(!takesTransfers(record) && {isForeign: true})};
}

/** An order whose money the sweep finds. */
export interface TrackedOrder {
  /** The merchant's reference. */
  readonly order: string;
  readonly code: string | null;
  /** All times here are epoch milliseconds. */
  /** The sweep looks for money that was sent since the day before this time. */
  readonly registeredAt: number;
  readonly closesAt: number;
  /** By what a search finds the order's buyer. */
  readonly buyer?: BuyerName | undefined;
}

/** Reports to the order's service whether a page views the order and whether the order still awaits money. */
export class OrderWatchers {
  readonly reporter = new WatchReporter((service, report) => this.objects().service(service).reportView(report));

  constructor(private readonly objects: () => Objects) {}

  /** When the platform was last polled for this order, as far as the order knows; epoch milliseconds. */
  asOf(record: Pick<OrderRecord, 'createdAt'> | null): number {
    return this.reporter.asOf ?? record?.createdAt ?? 0;
  }

  /**
   * Tells the sweep the order, its code and by what its buyer is found, and in the same call which pages view the order.
   * The alarm repeats it until the sweep has answered.
   */
  async track(access: OrderAccess, view: WatchState, by: ViewChange | null): Promise<void> {
    const state = access.state();
    const {record} = state;
    if (!record) return;
    const {service, order, code, createdAt, knownBefore} = record;
    const registeredAt = knownBefore ? createdAt - ADOPTED_MONEY_MS : createdAt;
    const buyer = searchedName(buyerOf(state));
    const tracked = {order, code, registeredAt, closesAt: trackedUntil(record, Date.now()), ...(buyer && {buyer})};
    const report = by !== null || view.listens ? this.reporter.makeReport(view) : null;
    let untracked: OrderRecord['untracked'];
    try {
      const {asOf} = await this.objects().service(service).trackOrder(service, tracked, report);
      this.reporter.recordAnswer(asOf);
    } catch (error) {
      log('warn', 'watch_report_failed', {order, error: describeError(error)});
      untracked = nextFailures(TRACK_RETRY, record.untracked?.failures ? record.untracked : null, Date.now());
    }
    await access.commit((known) => (known.record?.code === code ? withRecord(known, {untracked}) : known));
  }

  /**
   * Tells the sweep that the order closes: it is no longer found by its buyer, and late money is reported if anybody
   * wanted the order. @param kept - The buyer that stays when the order is deleted. @returns false if the sweep cannot be
   * reached.
   */
  async close(state: OrderState, kept: object | null): Promise<boolean> {
    const {record} = state;
    const known = buyerOf(state);
    const {service, order} = known?.of ?? record ?? {};
    if (service === undefined || order === undefined) return true;
    try {
      const sweep = this.objects().service(service);
      // After an erasure, a report that was on its way may have come back.
      if (!kept && (known || record?.forgotten)) await sweep.forgetBuyers([order]);
      // The platform may have a code that the order never learnt.
      if (record && (record.code ?? record.requested) && isWanted(state))
        await sweep.recordClosed({order, code: record.code, closesAt: closesAt(record)});
      return true;
    } catch (error) {
      log('warn', 'watch_report_failed', {order, error: describeError(error)});
      return false;
    }
  }

  /**
   * Whether searches that began at `since` or later would have found all money that was sent before. If the order has
   * only a payment page, the mobile operator may still book its charge for a while.
   */
  async haveSearched({service, order, code, pageUntil}: OrderRecord, since: number): Promise<boolean> {
    if (code === null && pageUntil === undefined) return true;
    const charges = code === null ? (pageUntil ?? null) : since;
    return this.objects()
      .service(service)
      .hasSearched(
        {order, code},
        {transfers: code === null ? null : since, charges: pageUntil === undefined ? null : charges},
      );
  }
}

/** Retries while the sweep cannot be reached. A random part is cut off, because thousands of orders may try. */
const TRACK_RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5};

/** How old the money may be that the sweep finds for an adopted order. */
const ADOPTED_MONEY_MS = 30 * DAY_MS;

/** Sends a report to the poller. @returns when the platform was last polled. */
type SendWatchReport = (service: string, report: WatchReport) => Promise<{asOf: number | null}>;

/** How long a page counts as viewing the order after it read the payment. */
const READ_WATCH_MS = 90_000;
/** A page that reads the payment every few seconds is reported this often. This is half of `READ_WATCH_MS`. */
const RENEW_INTERVAL_MS = 45_000;
/**
 * A page with a socket views the order until the socket closes. If the order is never notified of the close, the page
 * counts as viewing the order this long.
 */
const SOCKET_WATCH_MS = DAY_MS;
/** A page that opens within this time after the last report causes a new report only if its content would differ. */
const MIN_REPORT_INTERVAL_MS = 2_000;

/** What an order reports when a page views it. */
export interface WatchState {
  readonly service: string;
  readonly order: string;
  /** Whether the order awaits no more money. */
  readonly settled: boolean;
  /** Whether a page has an open socket. If not, all pages read the payment at intervals. */
  readonly listens: boolean;
  /** Whether the page was just opened. */
  readonly opened: boolean;
  /** Whether the last page with a socket has left. */
  readonly left: boolean;
}

export function viewOf({service, order}: OrderRecord, settled: boolean, listens: boolean, by?: ViewChange): WatchState {
  const left = by === 'leave';
  return {service, order, settled, listens: listens && !left, opened: by === 'open', left};
}

/** Reports to the service whether a page views the order. Sends as few reports as possible. */
export class WatchReporter {
  /** When the last report was sent, and its content. */
  #reportedAt = 0;
  #until = 0;
  /** Null after the order woke, because the last report is then unknown. */
  #settled: boolean | null = null;
  #listens = false;
  #asOf: number | null = null;

  constructor(private readonly send: SendWatchReport) {}

  /** When the platform was last polled, as far as the order knows; epoch milliseconds. */
  get asOf(): number | null {
    return this.#asOf;
  }

  /** Records that the platform was polled at this time, or later if that is known. */
  recordPoll(asOf: number): void {
    this.#asOf = Math.max(asOf, this.#asOf ?? 0);
  }

  /**
   * Reports that a page views the order. A failure is logged and not thrown, because the order's own data stays
   * correct, and the poller continues at its slower interval.
   */
  async report(state: WatchState): Promise<void> {
    const {service, order, settled, listens, opened} = state;
    const age = Date.now() - this.#reportedAt;
    const isOpening = opened && age >= MIN_REPORT_INTERVAL_MS;
    const isChanged = settled !== this.#settled || listens !== this.#listens;
    if (!isOpening && age < RENEW_INTERVAL_MS && !isChanged) return;
    try {
      const {asOf} = await this.send(service, this.makeReport(state));
      this.recordAnswer(asOf);
    } catch (error) {
      log('warn', 'watch_report_failed', {order, error: describeError(error)});
    }
  }

  /** Makes a report, which the caller sends. */
  makeReport({order, settled, listens, opened, left}: WatchState): WatchReport {
    const now = Date.now();
    this.#reportedAt = now;
    // A page may come back, but not to an order that awaits no money.
    this.#until = left && settled ? 0 : now + (listens ? SOCKET_WATCH_MS : READ_WATCH_MS);
    this.#settled = settled;
    this.#listens = listens;
    return {order, until: this.#until, opened, settled};
  }

  /** Records the poller's answer to a report, unless a later poll is known. */
  recordAnswer(asOf: number | null): void {
    if (asOf !== null) this.recordPoll(asOf);
  }

  /**
   * Reports a change that this poller did not find, if the order has viewers and now awaits money again, or no longer
   * awaits money.
   */
  async reportChange(state: WatchState): Promise<void> {
    const isViewed = state.listens || this.#until > Date.now();
    if (isViewed && state.settled !== this.#settled) await this.report(state);
  }

  /** Records that the poller has learnt this from the order's answer to a delivery. */
  recordSettled(settled: boolean): void {
    this.#settled = settled;
  }
}

/** How long after a page's read the next reads are quiet. Pollers hear of a view only every 45 seconds anyway. */
const QUIET_MS = 15 * SECOND_MS;

/** Finds the reads of a payment from which nothing follows: the order is as a page read it a moment ago. */
export class QuietReads {
  #last: {readonly order: OrderState; readonly at: number} | undefined;

  /** Records a read whose effects were carried out. */
  record(order: OrderState): void {
    this.#last = {order, at: Date.now()};
  }

  /** @param since - When the order was last committed. */
  isQuiet(order: OrderState, since: number | undefined): boolean {
    const {record} = order;
    if (!record) return true;
    const now = Date.now();
    const isRecent = this.#last?.order === order && now >= this.#last.at && now - this.#last.at < QUIET_MS;
    return isRecent && !isUntracked(record) && !record.notices && !hasExpired(record, {now, since});
  }
}

export interface WatchReport {
  readonly order: string;
  /** Until when the page counts as viewing the order, epoch milliseconds. */
  readonly until: number;
  /** Whether the page was just opened. A page that returns after a long silence counts as opened anyway. */
  readonly opened: boolean;
  /** Whether the order awaits no more money. */
  readonly settled: boolean;
}
