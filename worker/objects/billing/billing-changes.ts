/**
 * Compares the records of mobile billing with their last known statuses, and reports each change once, whoever found it:
 * a notification, or a search. A new status and its event are written together.
 */

import type {Context} from '../../context.ts';
import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {ChargeRecord, SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {STARTED_STATES, stateOf, subscriptionState} from '../../platform/statuses.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import {type DueTime, earliest, endOfRetention} from '../alarm.ts';
import type {NewEvent} from '../events/event.ts';
import type {PendingEvents} from '../events/pending-events.ts';
import type {ReceiveResult} from '../order/order-watchers.ts';
import type {BillingChangesStore, KnownRecord} from './billing-changes-store.ts';
import {describeCharge, describeSubscription} from './billing-events.ts';

const RETENTION_MS = 400 * DAY_MS;
/**
 * How long the sweep holds back the event of a subscription that has just begun. In this time, a `Subscriber` may find
 * out that it started this subscription, and then reports the start.
 */
const HOLD_MS = MINUTE_MS;
/** If a listed subscription began longer ago than this, no `Subscriber` looks for the subscription any more. */
const NEW_FOR_MS = 15 * MINUTE_MS;
/** States of a charge that took no money. The shopper may try again while the payment page is open. */
const FAILED: ReadonlySet<string> = new Set(['failed', 'expired', 'cancelled']);

export class BillingChanges {
  constructor(
    private readonly store: BillingChangesStore,
    private readonly pending: PendingEvents,
    private readonly context: () => Context,
  ) {}

  /**
   * Hands a charge to its order, because the shopper may have paid or got back money, and reports a new status.
   * @param found - How the charge was found: a notification named it, or a search for the payments of orders found it.
   * Of the latter, only failures are reported, because the order reports its money.
   * @returns the order's answer; null if nothing is new. @throws if the order cannot be reached.
   */
  async receiveCharge(
    record: ChargeRecord,
    service: string,
    found: 'named' | 'searched',
  ): Promise<ReceiveResult | null> {
    const {config, objects} = this.context();
    const {id, status, referenceCode} = record;
    const target = {kind: 'charge', service, id} as const;
    if (found === 'searched' && this.store.known(target)?.status === status) return null;
    const now = Date.now();
    const charge = toPaidCharge(record, config.statuses, now);
    const result =
      charge && referenceCode ? await objects.order(service, referenceCode).receiveCharge(charge, now) : null;
    const known = this.store.known(target);
    const isChanged = !known || known.status !== status;
    const isReported = isChanged && (found === 'named' || FAILED.has(stateOf('charge', status, config.statuses)));
    const eventCount = (known?.eventCount ?? 0) + (isReported ? 1 : 0);
    this.store.save(target, {status, renewal: null, eventCount, read_at: Date.now()});
    if (isReported) {
      const key = [service, id, status].join('\n');
      this.pending.add({type: 'charge.changed', key, at: now, data: describeCharge(record, service, config)});
    }
    return result;
  }

  /** Reports a subscription that a notification named. */
  receiveSubscription(record: SimpleSubscriptionRecord, service: string): void {
    const event = this.#saveSubscription(record, service);
    if (event) this.pending.add(event);
  }

  /** Reports a subscription that the sweep found. Nothing is awaited, so the caller's writes are stored together. */
  receiveSwept(record: SimpleSubscriptionRecord, service: string, now: number): void {
    const isNew = this.store.known({kind: 'subscription', service, id: record.id}) === undefined;
    const event = this.#saveSubscription(record, service);
    if (!event) return;
    const hasJustBegun = Date.parse(record.subscriptionDate ?? '') > now - NEW_FOR_MS;
    if (isNew && hasJustBegun && this.context().config.landing && STARTED_STATES.has(subscriptionState(record.status)))
      this.store.holdEvent(service, record.id, event, Math.max(now + HOLD_MS, this.store.claimsUntil()));
    else this.pending.add(event);
  }

  /** Records that a subscription's `Subscriber` reports its start, so that only later changes are reported here. */
  claimStarted(record: SimpleSubscriptionRecord, service: string): void {
    const target = {kind: 'subscription', service, id: record.id} as const;
    this.store.dropHeldEvent(service, record.id);
    if (!this.store.known(target)) this.store.save(target, toKnown(record, 1));
  }

  /** Reports what need not be held back any longer, and forgets what was read too long ago. */
  carryOutDue(now: number): void {
    for (const event of this.store.takeDueEvents(now)) this.pending.add(event);
    this.store.deleteBefore(now - RETENTION_MS);
  }

  dueAt(): DueTime {
    return earliest(this.store.heldEventDueAt(), endOfRetention(this.store.oldestReadAt(), RETENTION_MS));
  }

  /**
   * Writes the new status of a subscription. The caller must write the returned event before it awaits anything.
   * @returns the event, if the status changed, or if the subscription was renewed.
   */
  #saveSubscription(record: SimpleSubscriptionRecord, service: string): NewEvent | null {
    const target = {kind: 'subscription', service, id: record.id} as const;
    const known = this.store.known(target);
    const eventCount = known?.eventCount ?? 0;
    const isChanged = !known || known.status !== record.status || isRenewed(known, record);
    this.store.save(target, toKnown(record, eventCount + (isChanged ? 1 : 0)));
    if (!isChanged) return null;
    this.store.dropHeldEvent(service, record.id);
    const data = describeSubscription(record, service);
    const at = Date.now();
    return data.state === 'cancelled'
      ? {type: 'subscription.cancelled', key: [service, record.id].join('\n'), at, data}
      : {type: 'subscription.changed', key: [service, record.id, eventCount, record.status].join('\n'), at, data};
  }
}

function toKnown({status, renewalDate}: SimpleSubscriptionRecord, eventCount: number): KnownRecord {
  return {status, renewal: renewalDate, eventCount, read_at: Date.now()};
}

/** Whether the platform renewed a subscription without giving it a new id. */
function isRenewed(known: KnownRecord, {status, renewalDate}: SimpleSubscriptionRecord): boolean {
  return subscriptionState(status) !== 'cancelled' && Date.parse(renewalDate ?? '') > Date.parse(known.renewal ?? '');
}
