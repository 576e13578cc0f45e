import {LIMIT_TABLE} from '../../config/limits.ts';
import {type Context, contextOf} from '../../context.ts';
import type {EventData} from '../../contract/merchant/events.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {formatPlatformDay, nextHourInTurkey} from '../../lib/time.ts';
import {isBroken, PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {BillingHint, NotificationOutcome} from '../../platform/notifications.ts';
import type {ChargeRecord, SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {STARTED_STATES, stateOf} from '../../platform/statuses.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import {bringAlarmForward, type DueTime, earliest, endOfRetention, runSafely, scheduleAlarm} from '../alarm.ts';
import type {NewEvent} from '../events/event.ts';
import {PENDING_EVENTS, PendingEvents} from '../events/pending-events.ts';
import {StoredObject} from '../stored-object.ts';
import {
  BILLING_CHANGES,
  BillingChangesStore,
  type KnownRecord,
  type PendingHint,
  type RecordedHint,
} from './billing-changes-store.ts';
import {describeCharge, describeSubscription} from './billing-events.ts';
import {SubscriptionSweep} from './subscription-sweep.ts';

/** A record is read at most once within this time, however often hints name the record. */
const REREAD_DELAY_MS = MINUTE_MS;
/** Delays after the first failed read, after the second, and so on. The last delay repeats. */
const RETRY_DELAYS_MS = [15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];
/** How long reads of a record are retried while the platform does not answer. */
const GIVE_UP_AFTER_MS = 3 * DAY_MS;
/** HTTP statuses that say nothing about the record: our credentials or IP address are refused, or we call too often. */
const NOT_ANSWERED: ReadonlySet<number | undefined> = new Set([401, 403, 429]);
const BATCH_SIZE = 5;
const BATCH_INTERVAL_MS = 5 * SECOND_MS;
const RETENTION_MS = 400 * DAY_MS;
/**
 * How long the sweep holds back the event of a subscription that has just begun. In this time, a `Subscriber` may find
 * out that it started this subscription, and then reports the start.
 */
const HOLD_MS = MINUTE_MS;
/** If a listed subscription began longer ago than this, no `Subscriber` looks for the subscription any more. */
const NEW_FOR_MS = 15 * MINUTE_MS;

/**
 * Reports changes of mobile billing's records as events. There are two sources. Unsigned notifications name records,
 * which this object then reads. The sweep searches for changed subscriptions. A hint is stored before the notification
 * is answered, and stays until the platform has returned the record or the hint expires. The new status, its event and
 * the progress of the sweep are written together. If the process dies before the write, the alarm repeats the read or
 * the search. Both sources compare a record with the same stored status, so a change is reported once.
 */
export class BillingChanges extends StoredObject {
  static override readonly schemas = [BILLING_CHANGES, ...PENDING_EVENTS];

  readonly #store = new BillingChangesStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage, this.versions);
  readonly #sweep = new SubscriptionSweep(
    this.ctx.storage.kv,
    () => this.#context,
    (record, service, now) => this.#reportSwept(record, service, now),
  );

  /** Stores hints that records may have changed; returns `retry` when too many hints are waiting. */
  async record(hints: readonly BillingHint[]): Promise<NotificationOutcome> {
    const now = Date.now();
    const outcomes = new Set<RecordedHint>();
    for (const hint of hints) {
      const readAt = this.#store.known(hint)?.read_at ?? 0;
      outcomes.add(
        this.#store.record(hint, now, Math.max(now, readAt + REREAD_DELAY_MS), LIMIT_TABLE.billing_ids.value),
      );
      // The platform repeats the notification, so the other hints are not lost.
      if (outcomes.has('full')) break;
    }
    const dueAt = this.#nextDueAt();
    if (outcomes.has('added') && dueAt !== null) await bringAlarmForward(this.ctx.storage, dueAt);
    return outcomes.has('full') ? 'retry' : 'accepted';
  }

  /**
   * Starts the sweep of subscriptions, unless it has started. The sweep then continues until the operator switches off
   * the sweep or mobile billing.
   */
  async startSweep(): Promise<void> {
    this.#sweep.start(Date.now());
    await this.#schedule();
  }

  /**
   * Records that a subscription was started through the Worker, and that its `Subscriber` reports the start. The sweep
   * then reports only later changes.
   */
  async claimStarted(service: string, record: SimpleSubscriptionRecord): Promise<void> {
    const target = {kind: 'subscription', service, id: record.id} as const;
    this.#store.dropHeldEvent(service, record.id);
    if (!this.#store.known(target)) this.#store.save(target, toKnown(record, 1));
    await this.startSweep();
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
    // The time of the next batch is stored before the reads. So the next batch does not begin earlier if the process
    // dies during this batch.
    this.#store.setNextBatchAt(now + BATCH_INTERVAL_MS);
    this.#store.deleteBefore(now - RETENTION_MS);
    for (const hint of this.#store.due(now, BATCH_SIZE)) {
      await runSafely(
        {service: hint.service},
        () => this.#process(hint, now),
        () => this.#postpone(hint, retryDelayAfter(hint), hint.tries + 1),
      );
    }
    await runSafely({}, () => this.#sweep.run(now));
    for (const event of this.#store.takeDueEvents(now)) this.#pending.add(event);
    await this.#pending.flush(() => this.#context.objects);
    await this.#schedule();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #process(hint: PendingHint, now: number): Promise<void> {
    const day = formatPlatformDay(now);
    if (!this.#store.countRead(hint.kind, day, LIMIT_TABLE.billing_reads_per_day.value))
      return this.#postpone(hint, nextHourInTurkey(0, now) - now, hint.tries);
    try {
      await this.#read(hint);
      this.#finish(hint);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const {failure} = error;
      // A read that was not sent does not count towards the day's limit, and does not count as a failed try.
      const wasSent = failure.outcome !== 'unsent';
      if (!wasSent) this.#store.uncountRead(hint.kind, day);
      if (isNotFound(failure)) this.#finish(hint);
      else if (wasSent) this.#postpone(hint, retryDelayAfter(hint), hint.tries + 1);
      else this.#postpone(hint, Math.max(MINUTE_MS, failure.retryAfterMs), hint.tries);
    }
  }

  #finish(hint: PendingHint): void {
    const now = Date.now();
    this.#store.finish(hint, now, now + REREAD_DELAY_MS);
  }

  /** Delays a hint, or drops the hint if it has waited too long. */
  #postpone(hint: PendingHint, delayMs: number, tries: number): void {
    const dueAt = Date.now() + delayMs;
    if (dueAt <= hint.since + GIVE_UP_AFTER_MS) return this.#store.postpone(hint, dueAt, tries);
    log('error', 'hint_expired', {service: hint.service, names: [hint.kind]});
    this.#finish(hint);
  }

  async #read({kind, service, id}: BillingHint): Promise<void> {
    const {platform, config} = this.#context;
    const serviceId = config.services.get(service)?.micropaymentId ?? '';
    if (kind === 'charge') {
      const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: id});
      await this.#notifyOrder(service, transaction);
      const subscriptionId = transaction.subscriptionId ?? transaction.subscription?.id ?? null;
      const data = describeCharge({...transaction, subscriptionId}, service, config);
      const key = [service, id, transaction.status].join('\n');
      return this.#saveCharge({kind, service, id}, transaction, {type: 'charge.changed', key, at: Date.now(), data});
    }
    const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id});
    const event = this.#saveSubscription({kind, service, id}, subscription);
    if (event) this.#pending.add(event);
  }

  /**
   * Hands the charge to its order, because the charge may have been made, or refunded, for a purchase on the platform's
   * payment page.
   */
  async #notifyOrder(service: string, record: ChargeRecord): Promise<void> {
    const {config, objects} = this.#context;
    const charge = toPaidCharge(record, config.statuses, Date.now());
    if (charge && record.referenceCode)
      await objects.order(service, record.referenceCode).receiveCharge(charge, Date.now());
  }

  /** Reports a record that the sweep found. */
  #reportSwept(record: SimpleSubscriptionRecord, service: string, now: number): void {
    const target = {kind: 'subscription', service, id: record.id} as const;
    const isNew = this.#store.known(target) === undefined;
    const event = this.#saveSubscription(target, record);
    if (!event) return;
    const hasJustBegun = Date.parse(record.subscriptionDate ?? '') > now - NEW_FOR_MS;
    const {landing, statuses} = this.#context.config;
    if (isNew && hasJustBegun && landing && STARTED_STATES.has(stateOf('subscription', record.status, statuses)))
      this.#store.holdEvent(service, record.id, event, Math.max(now + HOLD_MS, this.#store.claimsUntil()));
    else this.#pending.add(event);
  }

  /** Writes the new status of a charge together with its event, if the status changed. */
  #saveCharge(target: BillingHint, {status}: ChargeRecord, event: NewEvent): void {
    const known = this.#store.known(target);
    const isChanged = !known || known.status !== status;
    const eventCount = (known?.eventCount ?? 0) + (isChanged ? 1 : 0);
    this.#store.save(target, {status, renewal: null, eventCount, read_at: Date.now()});
    if (isChanged) this.#pending.add(event);
  }

  /**
   * Writes the new status of a subscription. The caller must write the returned event before it awaits anything.
   * @returns the event, if the status changed, or if the subscription was renewed.
   */
  #saveSubscription(target: BillingHint, record: SimpleSubscriptionRecord): NewEvent | null {
    const known = this.#store.known(target);
    const eventCount = known?.eventCount ?? 0;
    const data = describeSubscription(record, target.service, this.#context.config);
    const isChanged = !known || known.status !== record.status || isRenewed(known, data);
    this.#store.save(target, toKnown(record, eventCount + (isChanged ? 1 : 0)));
    if (!isChanged) return null;
    const {service, id} = target;
    this.#store.dropHeldEvent(service, id);
    const at = Date.now();
    return data.state === 'cancelled'
      ? {type: 'subscription.cancelled', key: [service, id].join('\n'), at, data}
      : {type: 'subscription.changed', key: [service, id, eventCount, record.status].join('\n'), at, data};
  }

  /** Plans the next alarm. The alarm is never earlier than the next batch, however many hints arrive. */
  async #schedule(): Promise<void> {
    await scheduleAlarm(this.ctx.storage, this.#nextDueAt());
  }

  #nextDueAt(): DueTime {
    const due = earliest(
      this.#store.dueAt(),
      this.#pending.dueAt(),
      this.#sweep.dueAt(),
      this.#store.heldEventDueAt(),
      endOfRetention(this.#store.oldestReadAt(), RETENTION_MS),
    );
    return due === null ? null : Math.max(this.#store.nextBatchAt(), due);
  }
}

function toKnown({status, renewalDate}: SimpleSubscriptionRecord, eventCount: number): KnownRecord {
  return {status, renewal: renewalDate, eventCount, read_at: Date.now()};
}

/** Whether the platform renewed a subscription without giving it a new id. */
function isRenewed(known: KnownRecord, {state, renewal_date}: EventData<'subscription.changed'>): boolean {
  return state !== 'cancelled' && Date.parse(renewal_date ?? '') > Date.parse(known.renewal ?? '');
}

/** Whether a retry is useless: the platform answered that there is no such record, or mobile billing is not set up. */
function isNotFound(failure: PlatformFailure): boolean {
  return (
    failure.outcome === 'unconfigured' ||
    (failure.outcome === 'refused' && !isBroken(failure) && !NOT_ANSWERED.has(failure.httpStatus))
  );
}

function retryDelayAfter({tries}: PendingHint): number {
  return RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? HOUR_MS;
}
