import {DAY_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';
import {describePayment, isSettled} from './payment.ts';

/** Who asks the platform for an order's money: its service's sweep for transfers, and the list of charges while the common payment page is open. */
export type PollerName = 'sweep' | 'charges';

/** What an asker is told of an order that it told of money. */
export interface ReceiveResult {
  /** Whether nothing more is awaited. */
  readonly settled: boolean;
}

/** Keeps those who ask the platform for an order's money in the picture: whether somebody looks, and whether anything is awaited still. */
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

  /** When the platform was last asked for this order, as far as is known; epoch milliseconds. */
  asOf({createdAt}: OrderRecord): number {
    return Math.max(this.#reporters.sweep.asOf ?? createdAt, this.#reporters.charges.asOf ?? 0);
  }

  recordPoll(poller: PollerName, asOf: number): void {
    this.#reporters[poller].recordPoll(asOf);
  }

  /** Somebody looks, or nobody any more. */
  async reportView(record: OrderRecord, view: View): Promise<void> {
    const state = {...this.#describe(record), ...view};
    if (record.code !== null) await this.#reporters.sweep.report(state);
    if ((record.pageUntil ?? 0) > Date.now()) await this.#reporters.charges.report(state);
  }

  /** The order changed, and this poller does not know. */
  async reportChange(poller: PollerName, view: View): Promise<void> {
    const record = this.store.record();
    if (record) await this.#reporters[poller].reportChange({...this.#describe(record), ...view});
  }

  /** What one hears who told of money. */
  receiveResult(poller: PollerName): ReceiveResult {
    const record = this.store.record();
    const settled = record !== undefined && this.#describe(record).settled;
    this.#reporters[poller].recordSettled(settled);
    return {settled};
  }

  #describe(record: OrderRecord): Omit<WatchState, keyof View> {
    const now = Date.now();
    const settled = isSettled(describePayment(this.store.facts(record), now, now));
    return {service: record.service, order: record.order, settled};
  }
}

/** Tells the sweep, which says when the platform was last asked. */
type SendWatchReport = (service: string, report: WatchReport) => Promise<{asOf: number | null}>;

/** How long after a read a page counts as still looking. */
const READ_WATCH_MS = 90_000;
/** A page with a socket looks until the socket closes; this bounds a close that was never heard. */
const SOCKET_WATCH_MS = DAY_MS;
/** The sweep is everybody's: it is not told more often than this that somebody looks. */
const MIN_REPORT_INTERVAL_MS = 2_000;

/** How pages look at an order. */
export interface View {
  /** Whether a page listens, and does not only read. */
  readonly listens: boolean;
  /** Whether that page was just opened. */
  readonly opened?: boolean;
}

/** What is known of an order when somebody looks. */
export interface WatchState extends View {
  readonly service: string;
  readonly order: string;
  /** Whether the order awaits nothing more. */
  readonly settled: boolean;
}

/** Reports to one poller whether a page views the order, as seldom as possible. */
export class WatchReporter {
  /** When the sweep was last told that somebody looks, and what. */
  #reportedAt = 0;
  #until = 0;
  #settled = false;
  #asOf: number | null = null;

  constructor(private readonly send: SendWatchReport) {}

  /** When the platform was last asked, as far as is known; epoch milliseconds. */
  get asOf(): number | null {
    return this.#asOf;
  }

  /** The platform was asked. */
  recordPoll(asOf: number): void {
    this.#asOf = asOf;
  }

  /** Somebody looks. What the order knows is true also where the sweep cannot be told, and that goes on at its slower pace. */
  async report({service, order, settled, listens, opened = false}: WatchState): Promise<void> {
    const now = Date.now();
    const until = now + (listens ? SOCKET_WATCH_MS : READ_WATCH_MS);
    // A page that reads again and again tells nothing new.
    const isChanged = settled !== this.#settled || Math.abs(until - this.#until) >= MIN_REPORT_INTERVAL_MS;
    if (now - this.#reportedAt < MIN_REPORT_INTERVAL_MS && !isChanged) return;
    this.#reportedAt = now;
    this.#until = until;
    this.#settled = settled;
    try {
      const {asOf} = await this.send(service, {order, until, opened, settled});
      if (asOf !== null) this.#asOf = Math.max(asOf, this.#asOf ?? 0);
    } catch (error) {
      log('warn', 'watch_report_failed', {order, error: describeError(error)});
    }
  }

  /** The order changed without the sweep: those who look may have less to wait for, or more. */
  async reportChange(state: WatchState): Promise<void> {
    const isViewed = state.listens || this.#until > Date.now();
    if (isViewed && state.settled !== this.#settled) await this.report(state);
  }

  /** The sweep hears it with the answer to what it told. */
  recordSettled(settled: boolean): void {
    this.#settled = settled;
  }
}

export interface WatchReport {
  readonly order: string;
  /** Until when the page counts as looking, epoch milliseconds. */
  readonly until: number;
  /** Whether the page was just opened; one that comes back after a while counts as opened anyway. */
  readonly opened: boolean;
  /** Whether the order awaits nothing more. */
  readonly settled: boolean;
}
