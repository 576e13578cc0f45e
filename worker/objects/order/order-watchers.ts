import {DAY_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';
import {areSettled} from './payment.ts';

/**
 * The objects that poll the platform for an order's money: `sweep` for transfers, `charges` for payments on the payment
 * page.
 */
export type PollerName = 'sweep' | 'charges';

/** The order's answer to a poller that delivered money. */
export interface ReceiveResult {
  /** Whether the order awaits no more money. */
  readonly settled: boolean;
}

/** Reports to the order's pollers whether a page views the order and whether the order still awaits money. */
export class OrderWatchers {
  readonly #reporters: Readonly<Record<PollerName, WatchReporter>>;

  constructor(
    private readonly store: OrderStore,
    objects: () => Objects,
  ) {
    this.#reporters = {
      sweep: new WatchReporter((service, report) => objects().sweep(service).reportWatch(report)),
      charges: new WatchReporter((service, report) => objects().charges(service).reportWatch(report)),
    };
  }

  /** When the platform was last polled for this order, as far as the order knows; epoch milliseconds. */
  asOf({createdAt}: OrderRecord): number {
    return Math.max(this.#reporters.sweep.asOf ?? createdAt, this.#reporters.charges.asOf ?? 0);
  }

  recordPoll(poller: PollerName, asOf: number): void {
    this.#reporters[poller].recordPoll(asOf);
  }

  /** Reports that a page views the order, or that the last such page has closed. */
  async reportView(record: OrderRecord, view: View): Promise<void> {
    const state = {...this.#describe(record), ...view};
    if (record.code !== null) await this.#reporters.sweep.report(state);
    if ((record.pageUntil ?? 0) > Date.now()) await this.#reporters.charges.report(state);
  }

  /** Reports a change to a poller that did not find the change itself. */
  async reportChange(poller: PollerName, view: View): Promise<void> {
    const record = this.store.record();
    if (record) await this.#reporters[poller].reportChange({...this.#describe(record), ...view});
  }

  /** The answer to a poller that delivered money. The poller needs no report in addition to this answer. */
  receiveResult(poller: PollerName): ReceiveResult {
    const record = this.store.record();
    const settled = record !== undefined && this.#describe(record).settled;
    this.#reporters[poller].recordSettled(settled);
    return {settled};
  }

  #describe(record: OrderRecord): Omit<WatchState, keyof View> {
    const settled = areSettled(this.store.facts(record), Date.now());
    return {service: record.service, order: record.order, settled};
  }
}

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

/** How pages view an order. */
export interface View {
  /** Whether a page has an open socket. If not, all pages read the payment at intervals. */
  readonly listens: boolean;
  /** Whether the page was just opened. */
  readonly opened?: boolean;
}

/** What an order reports when a page views it. */
export interface WatchState extends View {
  readonly service: string;
  readonly order: string;
  /** Whether the order awaits no more money. */
  readonly settled: boolean;
}

/** Reports to one poller whether a page views the order. Sends as few reports as possible. */
export class WatchReporter {
  /** When the last report was sent, and its content. */
  #reportedAt = 0;
  #until = 0;
  #settled = false;
  #listens = false;
  #asOf: number | null = null;

  constructor(private readonly send: SendWatchReport) {}

  /** When the platform was last polled, as far as the order knows; epoch milliseconds. */
  get asOf(): number | null {
    return this.#asOf;
  }

  /** Records that the platform was polled at this time. */
  recordPoll(asOf: number): void {
    this.#asOf = asOf;
  }

  /**
   * Reports that a page views the order. A failure is logged and not thrown, because the order's own data stays
   * correct, and the poller continues at its slower interval.
   */
  async report({service, order, settled, listens, opened = false}: WatchState): Promise<void> {
    const now = Date.now();
    const isOpening = opened && now - this.#reportedAt >= MIN_REPORT_INTERVAL_MS;
    const isOld = now - this.#reportedAt >= RENEW_INTERVAL_MS;
    const isChanged = settled !== this.#settled || listens !== this.#listens;
    if (!isOpening && !isOld && !isChanged) return;
    this.#reportedAt = now;
    this.#until = now + (listens ? SOCKET_WATCH_MS : READ_WATCH_MS);
    this.#settled = settled;
    this.#listens = listens;
    const until = this.#until;
    try {
      const {asOf} = await this.send(service, {order, until, opened, settled});
      if (asOf !== null) this.#asOf = Math.max(asOf, this.#asOf ?? 0);
    } catch (error) {
      log('warn', 'watch_report_failed', {order, error: describeError(error)});
    }
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

export interface WatchReport {
  readonly order: string;
  /** Until when the page counts as viewing the order, epoch milliseconds. */
  readonly until: number;
  /** Whether the page was just opened. A page that returns after a long silence counts as opened anyway. */
  readonly opened: boolean;
  /** Whether the order awaits no more money. */
  readonly settled: boolean;
}
