import {type Context, contextOf} from '../../context.ts';
import type {BillingHint, NotificationOutcome} from '../../platform/notifications.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {bringAlarmForward, earliest, runSafely, scheduleAlarm} from '../alarm.ts';
import {PENDING_EVENTS, PendingEvents} from '../events/pending-events.ts';
import type {WatchReport} from '../order/order-watchers.ts';
import {StoredObject} from '../stored-object.ts';
import {Poller, type PollTimes} from '../sweep/poller.ts';
import {BILLING_CHANGES, BillingChangesStore} from './billing-changes-store.ts';
import {BillingChanges} from './billing-changes.ts';
import {ChargeReader} from './charge-reader.ts';
import {type AwaitedOrder, CHARGES, ChargeStore} from './charge-store.ts';
import {HintReader} from './hint-reader.ts';
import {SubscriptionSweep} from './subscription-sweep.ts';

/**
 * Reads the records of mobile billing: the charges that shoppers pay on the platform's payment page, the subscriptions
 * that changed, and the records that notifications name. There is one object per service. All readers compare a record
 * with the same known status, so a change is reported once. The progress of a search is written together with what it
 * found, or after an order has stored its charge. If the process dies before, the alarm repeats the read or the search.
 */
export class MobileBilling extends StoredObject {
  static override readonly schemas = [CHARGES, BILLING_CHANGES, ...PENDING_EVENTS];

  readonly #charges = new ChargeStore(this.ctx.storage);
  readonly #store = new BillingChangesStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage, this.versions);
  readonly #context = (): Context => contextOf(this.env);
  readonly #changes = new BillingChanges(this.#store, this.#pending, this.#context);
  readonly #hints = new HintReader(this.#store, this.#changes, this.#context);
  readonly #sweep = new SubscriptionSweep(this.ctx.storage.kv, this.#changes, this.#context);
  readonly #poller = new Poller(
    this.ctx.storage,
    this.#charges,
    new ChargeReader(this.#charges, this.#changes, this.#context),
  );

  protected override readonly restoreAlarm = () => this.#schedule();

  /** From now on, looks for a charge of this order. The order's shopper is about to open the payment page. */
  async trackOrder(service: string, order: AwaitedOrder): Promise<void> {
    this.#charges.setService(service);
    this.#charges.trackOrder(order, Date.now());
    await this.#poller.schedule();
  }

  /** Records that a page views an order. @returns when the platform was last polled for charges. */
  reportWatch(report: WatchReport): Promise<{asOf: number | null}> {
    return this.#poller.reportWatch(report);
  }

  /** Whether a search that began at `since`, or after the last payment page had closed, has read the order's charges. */
  hasSearched(order: string, since: number): boolean {
    return !this.#charges.isTracked(order) || (this.#charges.asOf() ?? 0) >= since;
  }

  /** When the platform was last polled for charges, and when it will be polled next. */
  pollTimes(): PollTimes {
    return this.#poller.times();
  }

  /**
   * How long ago the charges of open payment pages were last read, in ms; null while no page is open. If every page is
   * newer than the last complete search, the result is the age of the oldest page.
   */
  age(): number | null {
    const oldest = this.#charges.oldestSince();
    return oldest === null ? null : Math.max(0, Date.now() - Math.max(oldest, this.#charges.asOf() ?? 0));
  }

  /** Stores hints that records may have changed; returns `retry` when too many hints wait. See `HintReader.record`. */
  async record(hints: readonly BillingHint[], network: string | null): Promise<NotificationOutcome> {
    const {isNew, outcome} = this.#hints.record(hints, network);
    const dueAt = this.#hints.dueAt();
    if (isNew && dueAt !== null) await bringAlarmForward(this.ctx.storage, dueAt);
    return outcome;
  }

  /**
   * Starts the sweep of subscriptions, unless it has started. The sweep then continues until the operator switches off
   * the sweep or mobile billing.
   */
  async startSweep(service: string): Promise<void> {
    this.#sweep.start(service, Date.now());
    await this.#schedule();
  }

  /**
   * Records that a subscription was started through the Worker, and that its `Subscriber` reports the start. The sweep
   * then reports only later changes.
   */
  async claimStarted(service: string, record: SimpleSubscriptionRecord): Promise<void> {
    this.#changes.claimStarted(await this.#changes.inSeries(record), service);
    await this.startSweep(service);
  }

  /**
   * Announces that a `Subscriber` looks for a subscription that it has started. Until the search ends, the sweep holds
   * back the events of new subscriptions.
   * @param until - When the search ends at the latest, epoch milliseconds.
   */
  async awaitClaims(until: number): Promise<void> {
    this.#store.awaitClaims(until);
    await this.#schedule();
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    await Promise.all([
      (this.#poller.dueAt() ?? Infinity) <= now ? this.#poller.poll() : undefined,
      this.#hints.readDue(now),
      runSafely({}, () => this.#sweep.run(now)),
    ]);
    this.#changes.carryOutDue(now);
    await this.#pending.flush(() => this.#context().objects);
    await this.#schedule();
  }

  async #schedule(): Promise<void> {
    await scheduleAlarm(
      this.ctx.storage,
      earliest(
        this.#poller.dueAt(),
        this.#hints.dueAt(),
        this.#sweep.dueAt(),
        this.#changes.dueAt(),
        this.#pending.dueAt(),
      ),
    );
  }
}
