/**
 * What is done for an attempt after its request: `Archive` gets the receipt of the shopper's consent, and mobile billing
 * is searched for the subscription. The event `subscription.started` waits for the first lookup of the id, but only some
 * seconds. If the id is found later, a second event reports it. The id is also added to the receipt.
 */

import type {Context} from '../../context.ts';
import type {EventData} from '../../contract/merchant/events.ts';
import {maskMsisdn} from '../../contract/readers/mobile-number.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatInstant, formatMonth} from '../../lib/time.ts';
import {readTime} from '../../platform/habits.ts';
import type {BilledSubscription} from '../archive/consent-store.ts';
import {assignSubscription} from '../archive/find-in-archive.ts';
import {describeSubscription} from '../billing/billing-events.ts';
import type {EventQueue} from '../events/event-queue.ts';
import {type AttemptName, type Attempts, idOf, type Start, type StartedSubscription} from './attempts.ts';
import {
  findStartedSubscriptions,
  type FoundSubscription,
  type Lookup,
  type SubscriptionSearch,
} from './subscription-lookup.ts';

/** After this time, no lookup that mobile billing answers is made any more. */
const LOOKUPS_END_AFTER_MS = 15 * MINUTE_MS;

export class AttemptWork {
  readonly #running = new Map<string, Promise<void>>();

  /** @param subscriber - The id of the number's object, which does not reveal the number. */
  constructor(
    private readonly attempts: Attempts,
    private readonly events: EventQueue,
    private readonly subscriber: string,
    private readonly context: () => Context,
  ) {}

  /**
   * Does what is due for an attempt. Never throws. What failed is planned again.
   * @param until - What is due until this time, epoch milliseconds; `Infinity` for everything.
   * @param search - A search that has just found the subscription.
   */
  advance(id: string, until: number, search?: SubscriptionSearch): Promise<void> {
    let running = this.#running.get(id);
    if (!running)
      this.#running.set(id, (running = this.#advance(id, until, search).finally(() => this.#running.delete(id))));
    return running;
  }

  /** Waits until the work that runs for an attempt has ended, but not longer than `timeoutMs`. */
  async wait(id: string, timeoutMs: number): Promise<void> {
    const running = this.#running.get(id);
    if (running) await Promise.race([running, scheduler.wait(timeoutMs)]);
  }

  /**
   * Records that the subscription has started, with its event. There is one event and one receipt, whether a request or a
   * lookup finds the start first.
   */
  recordStarted(name: AttemptName, data: StartedSubscription, identity: Lookup | null): void {
    if (this.attempts.get(idOf(name))?.outcome === 'subscribed') return;
    const at = Date.now();
    // The key is random. A counter would start again when the object deletes its data, and give two events the same
    // key.
    const key = crypto.randomUUID();
    this.events.add({type: 'subscription.started', key, at, data: startedData(data, name.since)});
    const isSought = identity !== null && this.context().config.micropayment !== null;
    this.attempts.setStarted(name, isSought ? {key, at, data, identity} : null);
  }

  /**
   * Announces that a subscription will be looked up. The objects that read subscriptions then do not report the
   * subscription first. If the announcement is lost, the merchant gets two events: one about the subscription's
   * record and one about its start.
   */
  async announceLookups(): Promise<void> {
    const {objects, config} = this.context();
    const until = Date.now() + LOOKUPS_END_AFTER_MS;
    const announced = [...config.billedServices.values()].map((service) => objects.service(service).awaitClaims(until));
    try {
      await Promise.all(announced);
    } catch (error) {
      log('error', 'internal_error', {error: describeError(error)});
    }
  }

  /** Hands the receipt to `Archive`, which stores it for 400 days, and ignores a receipt that it gets twice. */
  async handOverReceipt(id: string): Promise<void> {
    const attempt = this.attempts.get(id);
    if (!attempt?.receipt) return;
    const {since, outcome, lookup, receipt} = attempt;
    if (receipt.isStored)
      // The outcome stays unknown, unless a lookup still finds it.
      return lookup ? this.attempts.keepReceipt(attempt) : this.attempts.change(id, {receipt: null});
    try {
      // A retry after midnight belongs to the same month as the first attempt, so that there is one receipt.
      const archive = this.context().objects.archivedConsents(formatMonth(since));
      await archive.addReceipt({...receipt.consent, attempt: `${this.subscriber} ${id}`, outcome});
      this.attempts.setReceiptStored(attempt);
    } catch (error) {
      this.attempts.setReceiptFailed(id);
      log('warn', 'receipt_waiting', {error: describeError(error)});
    }
  }

  async #advance(id: string, until: number, search?: SubscriptionSearch): Promise<void> {
    const found = search ?? (await this.#safely(id, () => this.#findStart(id, until)));
    const due = (at: number | undefined) => at !== undefined && (at <= until || found !== undefined);
    if (due(this.attempts.get(id)?.receipt?.retryAt)) await this.handOverReceipt(id);
    if (due(this.attempts.get(id)?.lookup?.dueAt)) await this.#safely(id, () => this.#identify(id, found));
  }

  async #safely<T>(id: string, lookUp: () => Promise<T>): Promise<T | undefined> {
    try {
      return await lookUp();
    } catch (error) {
      log('error', 'internal_error', {error: describeError(error)});
      this.attempts.lookUpLater(id, false);
      return undefined;
    }
  }

  /**
   * Looks up a subscription whose outcome is unknown, so that the merchant gets the event even if the shopper never
   * retries.
   */
  async #findStart(id: string, until: number): Promise<SubscriptionSearch | undefined> {
    const attempt = this.attempts.get(id);
    if (attempt?.outcome !== 'unknown' || !attempt.lookup || attempt.lookup.dueAt > until) return undefined;
    const {product, lookup} = attempt;
    const {since: _since, until: _until, ...identity} = lookup.sought;
    const search = await findStartedSubscriptions(lookup.sought, this.context());
    // A retry may have settled the attempt during the lookup.
    const now = this.attempts.get(id);
    if (now?.outcome !== 'unknown' || !now.lookup) return undefined;
    if (search.matching.length === 0) this.attempts.lookUpLater(id, search.isComplete);
    else if (this.attempts.isStartedByAnother(attempt)) this.attempts.change(id, {lookup: null});
    else {
      const {operator, msisdn} = identity;
      const data = {product, tracking_id: lookup.trackingId, operator, msisdn: maskMsisdn(msisdn)};
      this.recordStarted(attempt, data, identity);
      return search;
    }
    return undefined;
  }

  async #identify(id: string, search?: SubscriptionSearch): Promise<void> {
    const attempt = this.attempts.get(id);
    if (!attempt?.start || !attempt.lookup) return;
    const {billed} = attempt.start;
    if (billed) {
      if (await this.#assign(billed)) this.attempts.change(id, {lookup: null, start: null});
      else this.attempts.lookUpLater(id, true);
      return;
    }
    const {matching, isComplete} = search ?? (await findStartedSubscriptions(attempt.lookup.sought, this.context()));
    const foundIds = this.attempts.foundIds();
    const [found, ...others] = matching.filter(({record}) => !foundIds.has(record.id));
    if (!found) {
      this.attempts.lookUpLater(id, isComplete);
      return this.attempts.isIdSought(id) ? this.announceLookups() : undefined;
    }
    // If several subscriptions match, no later lookup can find out which subscription is the right one.
    if (others.length > 0) return this.attempts.change(id, {lookup: null, start: null});
    await this.context().objects.service(found.service).claimStarted(found.service, found.record);
    return this.#setIdentified(id, attempt.start, found);
  }

  /** Adds the id to the receipt, and to the event. If the event may have left this object, a second event reports it. */
  async #setIdentified(id: string, {data: started, at, key}: Start, {service, record}: FoundSubscription) {
    const described = describeSubscription(record, service, this.context().config);
    const isMissing = described.subscription_date === null && described.subscription_date_text === null;
    const subscription_date = isMissing ? formatInstant(at) : described.subscription_date;
    const {tracking_id: trackingId} = started;
    const named = {service, subscription: record.id, startedAt: readTime(subscription_date)};
    const billed = trackingId === null ? null : {trackingId, ...named};
    const isDone = billed === null || (await this.#assign(billed));
    // Receipts and events are handed over meanwhile.
    const start = this.attempts.get(id)?.start;
    if (!start) return;
    const data = {...described, ...started, subscription_date};
    if (start.isReported)
      this.events.add({type: 'subscription.changed', key: `identified ${key}`, at: Date.now(), data});
    else this.events.replace({type: 'subscription.started', key, at, data});
    const found = {service, id: record.id};
    if (isDone) return this.attempts.change(id, {found, lookup: null, start: null});
    this.attempts.change(id, {found, start: {...start, billed}});
    this.attempts.lookUpLater(id, true);
  }

  /** Adds the id to the receipt. @returns false if the receipt is not stored yet; then a later lookup tries again. */
  async #assign(billed: BilledSubscription): Promise<boolean> {
    try {
      return await assignSubscription(this.context().objects, billed);
    } catch (error) {
      log('error', 'internal_error', {error: describeError(error)});
      return false;
    }
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
