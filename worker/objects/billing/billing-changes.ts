/**
 * Compares the records of mobile billing with their last known statuses, and reports each change once, whoever found it:
 * a read of the record, or a search. A new status and its event are written together.
 */

import type {Context} from '../../context.ts';
import {readMsisdn} from '../../contract/readers/mobile-number.ts';
import {hmac} from '../../lib/crypto.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {retryDelayMs} from '../../lib/retry.ts';
import {isBroken, isRateLimited, PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import {instantOf, readTime} from '../../platform/habits.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import type {
  ChargeRecord,
  SimpleSubscriptionRecord,
  SubscriptionRecord,
} from '../../platform/operations/micropayment.ts';
import {STARTED_STATES, stateOf} from '../../platform/statuses.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import type {EventQueue} from '../events/event-queue.ts';
import type {NewEvent} from '../events/event.ts';
import {endOfRetention, type Schedule, type StandingTask, type TaskKind} from '../schedule.ts';
import type {Settle} from '../service/poller.ts';
import {DELIVERY_HOLD} from '../sweep/sweep-progress.ts';
import type {BillingChangesStore, BillingRecord, KnownRecord} from './billing-changes-store.ts';
import {describeCharge, describeSubscription} from './billing-events.ts';
import {deliverCharge} from './charge-delivery.ts';

const RETENTION_MS = 400 * DAY_MS;
/**
 * How long the sweep holds back the event of a subscription that has just begun. In this time, a `Subscriber` may find
 * out that it started this subscription, and then reports the start.
 */
const HOLD_MS = MINUTE_MS;
/** If a listed subscription began longer ago than this, its event does not wait for a `Subscriber` any more. */
const NEW_FOR_MS = 15 * MINUTE_MS;
/** A new record that begins at most so long before or after the renewal of a similar one may be its next cycle. */
const RENEWAL_TOLERANCE_MS = HOUR_MS;
/** States of a charge that took no money. The shopper may try again while the payment page is open. */
const FAILED: ReadonlySet<string> = new Set(['failed', 'expired', 'cancelled']);

/** The event of a new subscription, which waits for whoever started the subscription. */
interface HeldEvent {
  readonly event: NewEvent;
  readonly service: string;
  /** When it is reported at the earliest, epoch milliseconds. */
  readonly until: number;
  /** Whether the record must be read, because it may name a payment page. */
  readonly isUnread: boolean;
}

/** A charge whose order could not be reached. */
interface UndeliveredCharge {
  /** Without the mobile number. */
  readonly record: ChargeRecord;
  readonly service: string;
}

/** The name of the kind `heldEvents` in the object. */
const HELD_EVENTS = 'heldEvents';
/** The name of the kind `undeliveredCharges` in the object. */
const UNDELIVERED = 'undeliveredCharges';
/** Delays between two reads of a record that may name a payment page. */
const REFERENCE_RETRY = {firstMs: MINUTE_MS, maxMs: 5 * MINUTE_MS};

export class BillingChanges {
  /** The events that are held back, by the ids of their subscriptions. */
  readonly heldEvents: TaskKind<HeldEvent> = {
    retry: REFERENCE_RETRY,
    run: (held, {key}) => this.#release(key, held),
  };

  /** Hands over charges whose orders could not be reached, by the ids of the charges. */
  readonly undeliveredCharges: TaskKind<UndeliveredCharge> = {
    retry: DELIVERY_HOLD,
    run: (undelivered, {since}) => this.#deliverAgain(undelivered, since),
  };

  /** Forgets what was read too long ago. */
  readonly retention: StandingTask = {
    retry: REFERENCE_RETRY,
    dueAt: () => endOfRetention(this.store.oldestReadAt(), RETENTION_MS),
    run: async () => this.store.deleteBefore(Date.now() - RETENTION_MS),
  };

  constructor(
    private readonly store: BillingChangesStore,
    private readonly schedule: Schedule,
    private readonly events: EventQueue,
    private readonly settle: Settle,
    private readonly context: () => Context,
  ) {}

  /** Receives a charge that a search found. If its order cannot be reached, the charge waits apart from the list. */
  async receiveSearched(record: ChargeRecord, service: string): Promise<void> {
    const {id, status} = record;
    const waiting = this.schedule.find<UndeliveredCharge>(UNDELIVERED, id);
    if (waiting?.payload.record.status === status) return;
    // Deliveries of a charge follow each other, the newest last.
    if (waiting) this.#putAside(record, service, Date.now());
    else if (!(await this.#deliver(record, service)))
      this.#putAside(record, service, Date.now() + retryDelayMs(DELIVERY_HOLD, 1));
  }

  /** Whether a charge of the order waits, because the order could not be reached. */
  hasUndelivered(order: string): boolean {
    return this.schedule
      .list<UndeliveredCharge>(UNDELIVERED)
      .some(({payload: {record}}) => record.referenceCode === order);
  }

  countUndelivered(): number {
    return this.schedule.count(UNDELIVERED);
  }

  #putAside(record: ChargeRecord, service: string, dueAt: number): void {
    this.schedule.add(UNDELIVERED, record.id, {record: {...record, msisdn: null}, service}, dueAt);
  }

  /** @param since - When the charge was put aside. */
  async #deliverAgain({record, service}: UndeliveredCharge, since: number): Promise<'retry' | void> {
    const target = {kind: 'charge', id: record.id} as const;
    const readAt = this.store.known(target)?.readAt ?? 0;
    // After another read it is unknown which of both is newer.
    const isDone =
      readAt > since ? (await this.readNamed(target, service)) !== 'retry' : await this.#deliver(record, service);
    if (!isDone) return 'retry';
  }

  /** Hands over a charge unless its status is known. @returns false if its order could not be reached. */
  async #deliver(record: ChargeRecord, service: string): Promise<boolean> {
    const {id, status, referenceCode: order} = record;
    if (this.store.known({kind: 'charge', id})?.status === status) return true;
    try {
      await this.#receiveCharge(record, service);
      return true;
    } catch (error) {
      log('error', 'delivery_failed', {service, ...(order !== null && {order}), error: describeError(error)});
      return false;
    }
  }

  /**
   * Hands a charge to its order, because the shopper may have paid or got back money, and reports a new status. Without
   * notifications, only failures and money for a deleted order are reported, because the order reports its money.
   * @throws if the order cannot be reached.
   */
  async #receiveCharge(record: ChargeRecord, service: string): Promise<void> {
    const {config, objects} = this.context();
    const {id, status, referenceCode} = record;
    const target = {kind: 'charge', id} as const;
    const now = Date.now();
    const charge = toPaidCharge(record, config.statuses, now);
    const result = charge && referenceCode ? await deliverCharge(objects, service, referenceCode, charge) : null;
    if (result && referenceCode) this.settle(referenceCode, result.settled);
    const known = this.store.known(target);
    const isChanged = !known || known.status !== status;
    const isLost = charge !== null && result?.createdAt === null;
    const isFailed = FAILED.has(stateOf('charge', status, config.statuses));
    const isReported = isChanged && (config.notifications.has('billing') || isFailed || isLost);
    const eventCount = (known?.eventCount ?? 0) + (isReported ? 1 : 0);
    this.store.save(target, {status, renewal: null, series: null, eventCount, readAt: Date.now()});
    if (isReported) {
      const key = [service, id, status].join('\n');
      this.events.add({type: 'charge.changed', key, at: now, data: describeCharge(record, service, config)});
    }
  }

  /** Adds the series to a record. It waits, and what follows must not, so callers do this first. */
  async inSeries<T extends SimpleSubscriptionRecord>(record: T): Promise<T & RecordInSeries> {
    return {...record, series: await seriesOf(record, this.context().config.sessionSecrets[0])};
  }

  /**
   * Reads a record from the platform, and reports what changed.
   * @returns how a notification that names the record is answered.
   */
  async readNamed({kind, id}: BillingRecord, service: string): Promise<NotificationOutcome> {
    const {platform, config} = this.context();
    const serviceId = config.services.get(service)?.micropaymentId ?? '';
    try {
      if (kind === 'charge') {
        const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: id});
        const subscriptionId = transaction.subscriptionId ?? transaction.subscription?.id ?? null;
        await this.#receiveCharge({...transaction, subscriptionId}, service);
      } else {
        const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id});
        this.#receiveSubscription(await this.inSeries(subscription), service);
      }
      return 'accepted';
    } catch (error) {
      if (error instanceof PlatformError) return isNotFound(error.failure) ? 'invalid' : 'retry';
      log('error', 'internal_error', {service, error: describeError(error)});
      return 'retry';
    }
  }

  #receiveSubscription(record: SubscriptionRecord & RecordInSeries, service: string): void {
    const {lastSuccessfulTransaction: last} = record;
    const saved = this.#saveSubscription(record, service, last ? [{...last, subscriptionId: record.id}] : []);
    if (saved) this.events.add(saved.event);
    else if (record.referenceCode !== null) this.#addReference(record.referenceCode, record.id);
  }

  /** Reports a subscription that is held back, with the reference of the payment page on which it began. */
  #addReference(reference: string, id: string): void {
    const held = this.#takeHeldEvent(id);
    if (held) this.events.add(withReference(held, reference));
  }

  /** Removes and returns the event that is held back about a subscription. */
  #takeHeldEvent(id: string): NewEvent | undefined {
    const held = this.schedule.find<HeldEvent>(HELD_EVENTS, id)?.payload;
    if (held) this.schedule.delete(HELD_EVENTS, id);
    return held?.event;
  }

  /** Reports an event that need not be held back any longer. */
  async #release(id: string, held: HeldEvent): Promise<'retry' | {at: number} | void> {
    const {event, service, until, isUnread} = held;
    if (isUnread && Date.now() < until) {
      if ((await this.readNamed({kind: 'subscription', id}, service)) === 'retry') return 'retry';
      // If the record names a payment page, the event was reported with its reference.
      if (this.schedule.find(HELD_EVENTS, id)) this.schedule.add(HELD_EVENTS, id, {...held, isUnread: false}, until);
      return;
    }
    // A `Subscriber` that may have started the subscription reports it.
    const at = Math.max(until, this.store.claimsUntil());
    if (Date.now() < at) return {at};
    this.events.add(event);
  }

  /**
   * Reports a subscription that the sweep found. Nothing is awaited, so the caller's writes are stored together.
   * @param charges - The newest charges, if the charge of a renewal may be among them.
   */
  receiveSwept(record: RecordInSeries, service: string, charges: readonly ChargeRecord[], now: number): void {
    const saved = this.#saveSubscription(record, service, charges);
    if (!saved) return;
    const {event, isNew} = saved;
    const {landing, paymentPage, statuses} = this.context().config;
    const hasJustBegun =
      isNew &&
      (readTime(record.subscriptionDate) ?? 0) > now - NEW_FOR_MS &&
      STARTED_STATES.has(stateOf('subscription', record.status, statuses));
    // It may have begun on a payment page with a trial, whose reference only a read of the subscription shows.
    const isTrial = hasJustBegun && paymentPage !== null && record.hasTrialPeriod === true;
    const until = now + (isTrial ? NEW_FOR_MS : HOLD_MS);
    if (isTrial || (hasJustBegun && landing !== null))
      this.schedule.add(HELD_EVENTS, record.id, {event, service, until, isUnread: isTrial}, isTrial ? now : until);
    else this.events.add(event);
  }

  /** Whether the record shows a renewal that was not reported. */
  isRenewal(record: RecordInSeries): boolean {
    return this.#renewalOf(record).isRenewed;
  }

  /** Records that a subscription's `Subscriber` reports its start, so that only later changes are reported here. */
  claimStarted(record: RecordInSeries): void {
    const target = {kind: 'subscription', id: record.id} as const;
    this.#takeHeldEvent(record.id);
    if (!this.store.known(target)) this.store.save(target, toKnown(record, 1));
  }

  /**
   * Writes the new status of a subscription. The caller must write the returned event before it awaits anything.
   * @returns the event, if the status changed, or if the subscription was renewed; and whether the record was unknown.
   */
  #saveSubscription(
    record: RecordInSeries,
    service: string,
    charges: readonly ChargeRecord[],
  ): {readonly event: NewEvent; readonly isNew: boolean} | null {
    const {config} = this.context();
    const target = {kind: 'subscription', id: record.id} as const;
    const known = this.store.known(target);
    const eventCount = known?.eventCount ?? 0;
    const {isRenewed, previous, paidUntil} = this.#renewalOf(record);
    const isChanged = !known || known.status !== record.status || isRenewed;
    const saved = {...toKnown(record, eventCount + (isChanged ? 1 : 0)), ...(!isRenewed && {renewal: paidUntil})};
    this.store.save(target, saved);
    if (!isChanged) return null;
    this.#takeHeldEvent(record.id);
    const data = describeSubscription(record, service, config);
    const at = Date.now();
    const isNew = !known && !isRenewed;
    if (data.state === 'cancelled')
      return {event: {type: 'subscription.cancelled', key: [service, record.id].join('\n'), at, data}, isNew};
    if (!isRenewed) {
      const key = [service, record.id, eventCount, record.status].join('\n');
      return {event: {type: 'subscription.changed', key, at, data}, isNew};
    }
    const charge = chargeOf([record.id, ...(previous === null ? [] : [previous])], charges, readTime(paidUntil));
    const renewal = {
      ...data,
      previous_subscription_id: previous,
      charge: charge && describeCharge(charge, service, config),
    };
    const key = [service, record.id, 'renewed', record.renewalDate].join('\n');
    return {event: {type: 'subscription.renewed', key, at, data: renewal}, isNew};
  }

  /**
   * What the record says about a renewal, compared with what is known of its subscription. A renewal gives the record a
   * later `renewalDate`, or is a new record that begins when a similar one was to be renewed.
   * @returns `previous` - Id of the record of the previous cycle; null if the record is the same, or if several fit.
   * `paidUntil` - When the last paid cycle ends.
   */
  #renewalOf(record: RecordInSeries) {
    const {statuses} = this.context().config;
    const known = this.store.known({kind: 'subscription', id: record.id});
    const begunAt = readTime(record.subscriptionDate);
    const isBefore = ({status, renewal}: Pick<KnownRecord, 'status' | 'renewal'>) =>
      stateOf('subscription', status, statuses) !== 'cancelled' &&
      areWithin(RENEWAL_TOLERANCE_MS, readTime(renewal), begunAt);
    const series = known ? null : record.series;
    const cycles = series === null ? [] : this.store.ofSeries(series).filter(isBefore);
    // A time that could not be read says nothing about a renewal.
    const paidUntil = instantOf(known?.renewal ?? null) ?? cycles[0]?.renewal ?? null;
    const isActive = stateOf('subscription', record.status, statuses) === 'active';
    const [renewsAt, paidUntilMs] = [readTime(record.renewalDate), readTime(paidUntil)];
    const isRenewed = isActive && renewsAt !== null && paidUntilMs !== null && renewsAt > paidUntilMs;
    const previous = cycles.length === 1 ? (cycles[0]?.id ?? null) : null;
    return {isRenewed, previous, paidUntil: paidUntil ?? record.renewalDate};
  }
}

/** HTTP statuses that say nothing about the record: our credentials or IP address are refused. */
const NOT_ANSWERED: ReadonlySet<number | undefined> = new Set([401, 403]);

/** Whether a retry is useless: the platform answered that there is no such record, or mobile billing is not set up. */
function isNotFound(failure: PlatformFailure): boolean {
  if (failure.outcome !== 'refused') return failure.outcome === 'unconfigured';
  return !isBroken(failure) && !isRateLimited(failure) && !NOT_ANSWERED.has(failure.httpStatus);
}

function withReference(event: NewEvent, reference: string): NewEvent {
  return {...event, data: {...event.data, reference}} as NewEvent;
}

function toKnown(record: RecordInSeries, eventCount: number): KnownRecord {
  const {status, renewalDate, series} = record;
  return {status, renewal: renewalDate, series, eventCount, readAt: Date.now()};
}

/** A record, and what all cycles of its subscription share: an HMAC; null if the number is masked. */
export type RecordInSeries = SimpleSubscriptionRecord & {readonly series: string | null};

/** Many numbers look the same when they are masked, so a masked number says nothing about other records. */
async function seriesOf(
  {msisdn, operator, subscriptionFee, period}: SimpleSubscriptionRecord,
  secret: string,
): Promise<string | null> {
  const number = readMsisdn(msisdn ?? '');
  return number === undefined ? null : hmac(secret, ['series', number, operator, subscriptionFee, period].join('\n'));
}

/** Whether both times are known, and at most so far apart. */
function areWithin(toleranceMs: number, one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= toleranceMs;
}

/** The newest charge that paid for a cycle, if it is among these. @param ids - Ids of the subscription. */
function chargeOf(
  ids: readonly string[],
  charges: readonly ChargeRecord[],
  begunAt: number | null,
): ChargeRecord | null {
  const isOfCycle = ({subscriptionId, transactionDate}: ChargeRecord) => {
    const at = readTime(transactionDate);
    const isLater = at !== null && begunAt !== null && at >= begunAt - RENEWAL_TOLERANCE_MS;
    return isLater && subscriptionId !== null && ids.includes(subscriptionId);
  };
  return charges.find(isOfCycle) ?? null;
}
