/**
 * Reports subscriptions that have begun, with their ids in mobile billing. The event `subscription.started` waits for
 * the first lookup of the id, but at most ten seconds. If the id is found later, a second event reports the id. The id
 * is also added to the receipt of the shopper's consent. If the id cannot be added to the receipt, this is repeated as
 * often as a lookup would be repeated.
 */

import type {Context} from '../../context.ts';
import type {EventData} from '../../contract/merchant/events.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {formatInstant} from '../../lib/time.ts';
import {readTime} from '../../platform/habits.ts';
import {runSafely} from '../alarm.ts';
import type {BilledSubscription} from '../archive/consent-store.ts';
import {assignSubscription} from '../archive/find-in-archive.ts';
import {describeSubscription} from '../billing/billing-events.ts';
import type {PendingEvents} from '../events/pending-events.ts';
import {
  type AttemptOutcomes,
  type ConsentReceipts,
  RequestList,
  type StartedSubscription,
  type WaitingRequest,
} from './subscription-attempts.ts';
import {findStartedSubscriptions, type FoundSubscription, type Lookup} from './subscription-lookup.ts';

/** After this time, no lookup that mobile billing answers is made any more. */
const LOOKUPS_END_AFTER_MS = 15 * MINUTE_MS;

interface SubscriptionStart {
  /** The request's id in `AttemptOutcomes`. */
  readonly request: string;
  /** When the first attempt was made, epoch milliseconds. */
  readonly since: number;
  readonly started: StartedSubscription;
  /** The data with which the subscription can be looked up; null if there is no such data. */
  readonly identity: Lookup | null;
}

/**
 * A subscription that has begun, until its id in mobile billing is known and is added to the receipt of the shopper's
 * consent.
 */
interface UnidentifiedStart extends WaitingRequest {
  /** The key of the event `subscription.started`. */
  readonly eventKey: string;
  /** When the subscription started, epoch milliseconds. */
  readonly at: number;
  readonly started: StartedSubscription;
  /** The subscription; absent until mobile billing shows its id. If it is present, only the receipt lacks the id. */
  readonly found?: BilledSubscription;
  /** Whether the event may have left this object. Then the event can no longer be changed. */
  readonly reported: boolean;
}

/** Delay until the next lookup if the object dies during the first lookup. The delay is longer than a lookup takes. */
const WATCHDOG_MS = MINUTE_MS;

class UnidentifiedStarts extends RequestList<UnidentifiedStart> {
  constructor(kv: SyncKvStorage) {
    super(kv, 'unidentifiedStarts');
  }

  /** Stores a start whose first lookup is about to be made. */
  add(start: Omit<UnidentifiedStart, 'reported' | 'checks' | 'dueAt'>): void {
    this.put([...this.all(), {...start, reported: false, checks: 0, dueAt: start.at + WATCHDOG_MS}]);
  }

  /** Records that all events are about to leave the object. */
  setReported(): void {
    this.put(this.all().map((start) => Object.assign(start, {reported: true})));
  }
}

export class StartedSubscriptions {
  readonly #unidentified: UnidentifiedStarts;
  /** The first lookups, by the ids of their requests. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    kv: SyncKvStorage,
    private readonly pending: PendingEvents,
    private readonly outcomes: AttemptOutcomes,
    private readonly receipts: ConsentReceipts,
    private readonly context: () => Context,
  ) {
    this.#unidentified = new UnidentifiedStarts(kv);
  }

  /** Stores the event. It is handed over by `report`, or by the alarm. */
  add({request, since, started, identity}: SubscriptionStart): void {
    const at = Date.now();
    // The key is random. A counter would start again when the object deletes its data, and give two events the same
    // key.
    const key = crypto.randomUUID();
    this.pending.add({type: 'subscription.started', key, at, data: startedData(started, since)});
    if (identity && this.context().config.micropayment)
      this.#unidentified.add({request, eventKey: key, at, started, sought: {...identity, since, until: at}});
  }

  /**
   * Announces that a subscription will be looked up. The objects that read subscriptions then do not report the
   * subscription first. If the announcement is lost, the merchant gets two events: one about the subscription's
   * record and one about its start.
   */
  announceLookups(): Promise<void> {
    const {objects, config} = this.context();
    const until = Date.now() + LOOKUPS_END_AFTER_MS;
    return runSafely({}, async () => {
      const services = [...config.billedServices.values()];
      await Promise.all(services.map((service) => objects.service(service).awaitClaims(until)));
    });
  }

  /** Whether the id of the subscription is still looked up. */
  isLookedUp(request: string): boolean {
    const start = this.#unidentified.find(request);
    return start !== undefined && !start.found;
  }

  /** Hands over the receipt, looks up the id, if that is possible, and hands over the event. */
  report(request: string): Promise<void> {
    const reporting = this.receipts
      .handOver(request)
      .then(() => this.#identifySafely(request))
      .then(() => this.flush())
      .finally(() => this.#running.delete(request));
    this.#running.set(request, reporting);
    return reporting;
  }

  /** Waits until the first lookup has ended, but not longer than `timeoutMs`. */
  async awaitLookup(request: string, timeoutMs: number): Promise<void> {
    const running = this.#running.get(request);
    if (running) await Promise.race([running, scheduler.wait(timeoutMs)]);
  }

  /** Repeats the lookups that are due, and hands over all events. */
  async checkDue(): Promise<void> {
    for (const {request} of this.#unidentified.due(Date.now())) await this.#identifySafely(request);
    await this.flush();
  }

  nextDueAt(): number | null {
    return this.#unidentified.nextDueAt();
  }

  /** Hands over the events. From now on, they can no longer be changed. */
  async flush(): Promise<void> {
    this.#unidentified.setReported();
    await this.pending.flush(() => this.context().objects);
  }

  #identifySafely(request: string): Promise<void> {
    return runSafely(
      {},
      () => this.#identify(request),
      () => this.#unidentified.scheduleCheck(request, {isAnswered: !this.isLookedUp(request)}),
    );
  }

  async #checkLater(request: string, isAnswered: boolean): Promise<void> {
    this.#unidentified.scheduleCheck(request, {isAnswered});
    if (this.isLookedUp(request)) await this.announceLookups();
  }

  async #identify(request: string): Promise<void> {
    const start = this.#unidentified.find(request);
    if (!start) return;
    if (start.found) return this.#completeReceipt(request, start.found);
    const {sought} = start;
    const {matching, isComplete} = await findStartedSubscriptions(sought, this.context());
    const foundIds = this.outcomes.foundIds();
    const [found, ...others] = matching.filter(({record}) => !foundIds.has(record.id));
    if (!found) return this.#checkLater(request, isComplete);
    // If several subscriptions match, no later lookup can find out which subscription is the right one.
    if (others.length > 0) return this.#unidentified.delete(request);
    await this.context().objects.service(found.service).claimStarted(found.service, found.record);
    const billed = this.#setIdentified(request, found);
    if (billed) await this.#completeReceipt(request, billed);
  }

  /** Adds the id to the receipt. If the receipt is not stored yet, a later check tries again. */
  async #completeReceipt(request: string, billed: BilledSubscription): Promise<void> {
    if (await assignSubscription(this.context().objects, billed)) this.#unidentified.delete(request);
    else this.#unidentified.scheduleCheck(request);
  }

  /** Adds the id to the event. If the event may have left this object, a second event reports the id. */
  #setIdentified(request: string, {service, record}: FoundSubscription): BilledSubscription | null {
    const start = this.#unidentified.find(request);
    if (!start) return null;
    const {started, at, eventKey: key, reported} = start;
    const described = describeSubscription(record, service, this.context().config);
    const isMissing = described.subscription_date === null && described.subscription_date_text === null;
    const subscription_date = isMissing ? formatInstant(at) : described.subscription_date;
    const data = {...described, ...started, subscription_date};
    if (reported) this.pending.add({type: 'subscription.changed', key: `identified ${key}`, at: Date.now(), data});
    else this.pending.replace({type: 'subscription.started', key, at, data});
    this.outcomes.setFound(request, {service, id: record.id});
    const trackingId = started.tracking_id;
    if (trackingId === null) {
      this.#unidentified.delete(request);
      return null;
    }
    const startedAt = readTime(subscription_date);
    const billed = {trackingId, service, subscription: record.id, startedAt};
    this.#unidentified.change(request, (one) => ({...one, found: billed}));
    return billed;
  }
}

/** What the event says about a subscription whose id is unknown. */
function startedData(started: StartedSubscription, at: number): EventData<'subscription.started'> {
  return {
    service: null,
    subscription_id: null,
    status: null,
    state: 'active',
    reference: null,
    ...started,
    subscription_date: formatInstant(at),
    subscription_date_text: null,
    renewal_date: null,
    renewal_date_text: null,
    cancellation_date: null,
    cancellation_date_text: null,
  };
}
