/**
 * Mobile billing: subscriptions, their charges and the messages to subscribers. Before the sandbox answers a request,
 * it processes the renewals that are due, one after the other. The date of a renewal is the time at which it was due,
 * even if that time is long past.
 */

import type {Product} from '../config.ts';
import {addDays, addMonth} from '../formats.ts';
import type {MobileNotifications} from '../notifications/mobile.ts';
import {CHARGE_STATUS, isPaid, type Charge, type Charges} from '../records/charges.ts';
import type {Clock} from '../records/clock.ts';
import {type Messages, messageTexts} from '../records/messages.ts';
import type {Readings} from '../records/readings.ts';
import type {NewSubscription, Period, Subscription, Subscriptions} from '../records/subscriptions.ts';
import {chargeStatusOf} from './mobile-numbers.ts';

/** A failed charge is retried every day. After this many consecutive failures, the subscription is suspended. */
const MAX_FAILURES = 3;

interface BillingDependencies {
  readonly clock: Clock;
  readonly subscriptions: Subscriptions;
  readonly charges: Charges;
  readonly messages: Messages;
  readonly readings: Readings;
  readonly mobileNotifications: MobileNotifications;
}

export class Billing {
  constructor(private readonly dependencies: BillingDependencies) {}

  /**
   * Starts a subscription, or makes a payment that does not renew. Without a trial, it charges the number immediately.
   */
  subscribe(request: NewSubscription): Subscription {
    const {clock, subscriptions, messages, readings} = this.dependencies;
    const now = clock.now();
    const hasTrial = request.trialDays > 0;
    const renewsAt = hasTrial ? addDays(now, request.trialDays) : nextRenewal(now, request.period);
    const subscription = subscriptions.create(request, {at: now, renewsAt});
    const isOneTime = request.period === 'once';
    const text = hasTrial ? messageTexts.trialStarted(request, request.trialDays) : messageTexts.subscribed(request);
    if (!isOneTime) messages.send(subscription, text, now);
    const isFree = hasTrial && readings.get('trial_charge') === 'after';
    const isCharged = !isFree && this.#charge(subscription, now);
    if (isOneTime && isCharged) messages.send(subscription, messageTexts.paid(request), now);
    return this.#notifySubscription(subscription);
  }

  /** Starts a subscription to a product of a landing page. */
  subscribeToProduct(product: Product, {msisdn, operator}: Pick<NewSubscription, 'msisdn' | 'operator'>): Subscription {
    const {id, service, item, feeKurus, period, trialDays} = product;
    return this.subscribe({
      serviceId: service.id,
      productId: id,
      msisdn,
      operator,
      item,
      feeKurus,
      period,
      trialDays,
      referenceCode: undefined,
    });
  }

  /** Processes all renewals and retries that are due by now, the earliest first. */
  processDueRenewals(): void {
    const now = this.dependencies.clock.now();
    for (;;) {
      const due = this.dependencies.subscriptions.firstDue(now);
      if (!due) return;
      if (due.subscription.status === 'retry') this.#retryCharge(due.subscription, due.at);
      else this.#renew(due.subscription, due.at);
    }
  }

  /** Cancels all cycles of a subscription. The `subscription` of the call may be any of these cycles. */
  cancel(subscription: Subscription, source: string): Subscription {
    const {clock, subscriptions, messages} = this.dependencies;
    subscriptions.cancel(subscription, source, clock.now());
    messages.send(subscription, messageTexts.cancelled(subscription), clock.now());
    return this.#notifySubscription(subscription);
  }

  refund(charge: Charge): Charge {
    const {clock, charges, subscriptions, messages, mobileNotifications} = this.dependencies;
    charges.refund(charge, clock.now());
    const subscription = subscriptions.find(charge.subscriptionId);
    if (subscription) messages.send(charge, messageTexts.refunded(subscription, charge.amountKurus), clock.now());
    const refunded = charges.find(charge.id) ?? charge;
    mobileNotifications.notifyCharge(refunded);
    return refunded;
  }

  /**
   * Renews a subscription before its time and returns the new cycle. Returns undefined if the subscription does not
   * renew, or if the given cycle is not the newest.
   */
  renewNow(subscription: Subscription): Subscription | undefined {
    const {clock, subscriptions} = this.dependencies;
    return subscriptions.isDueLater(subscription) ? this.#renew(subscription, clock.now()) : undefined;
  }

  /**
   * Starts the next cycle and charges it. The cycle gets a new id (observed.md); the ids of older cycles stay valid.
   * With the reading `renewal_id: same`, the newest cycle is extended instead and keeps its id.
   */
  #renew(subscription: Subscription, at: string): Subscription {
    const {subscriptions, messages, readings} = this.dependencies;
    const next = {at, renewsAt: nextRenewal(at, subscription.period)};
    const cycle =
      readings.get('renewal_id') === 'same'
        ? subscriptions.extend(subscription, next)
        : subscriptions.renew(subscription, next);
    if (this.#charge(cycle, at)) messages.send(cycle, messageTexts.charged(cycle), at);
    return this.#notifySubscription(cycle);
  }

  #retryCharge(subscription: Subscription, at: string): void {
    this.#charge(subscription, at);
    this.#notifySubscription(subscription);
  }

  /** Notifies the merchant of the current record of a subscription, if a URL is configured, and returns this record. */
  #notifySubscription(subscription: Subscription): Subscription {
    const current = this.dependencies.subscriptions.find(subscription.id) ?? subscription;
    this.dependencies.mobileNotifications.notifySubscription(current);
    return current;
  }

  /**
   * Charges the number for a cycle and returns true if the subscriber paid. A failed charge is retried a day later.
   * After `MAX_FAILURES` failures, or if the payment does not renew, the subscription is suspended instead.
   */
  #charge(subscription: Subscription, at: string): boolean {
    const {charges, subscriptions, messages, mobileNotifications} = this.dependencies;
    const status = chargeStatusOf(subscription.msisdn);
    mobileNotifications.notifyCharge(charges.create(subscription, status, at));
    if (isPaid(status) || status === CHARGE_STATUS.waiting) {
      subscriptions.updateCycle(subscription, {
        status: 'active',
        failures: 0,
        at,
        dueAt: isRenewing(subscription) ? subscription.renewsAt : null,
      });
      return isPaid(status);
    }
    const failures = subscription.failures + 1;
    const suspended = failures >= MAX_FAILURES || !isRenewing(subscription);
    const next = {status: suspended ? 'suspend' : 'retry', failures, at, dueAt: suspended ? null : addDays(at, 1)};
    subscriptions.updateCycle(subscription, next);
    if (suspended) messages.send(subscription, messageTexts.suspended(subscription), at);
    return false;
  }
}

function isRenewing({period}: Subscription): boolean {
  return period !== 'once';
}

function nextRenewal(at: string, period: Period): string {
  switch (period) {
    case 'weekly':
      return addDays(at, 7);
    case 'monthly':
      return addMonth(at);
    case 'once':
      return at;
  }
}
