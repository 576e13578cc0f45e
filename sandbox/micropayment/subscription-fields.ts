import type {Context} from '../context.ts';
import {fromLocalTime, toIsoLocal} from '../formats.ts';
import type {Subscription} from '../records/subscriptions.ts';
import type {Answer} from '../visit.ts';
import {toChargeFields} from './charge-fields.ts';

/** The simple detail: the result of a cancellation, and what a transaction belongs to (subscriptions 2.2). */
export function toSubscriptionFields(subscription: Subscription): Answer {
  return {id: subscription.id, service: subscription.serviceId, ...toItemFields(subscription)};
}

/** The whole detail, whose renewal date is in epoch milliseconds as in one sample (subscriptions 2.2). */
export function toSubscriptionDetail(subscription: Subscription, {charges}: Context): Answer {
  const {last, lastPaid} = charges.lastOf(subscription);
  return {
    ...toSubscriptionFields(subscription),
    renewalDate: fromLocalTime(subscription.renewsAt),
    referenceCode: subscription.referenceCode ?? null,
    ...(last ? {lastTransaction: toChargeFields(last)} : {}),
    lastSuccessfulTransaction: lastPaid ? toChargeFields(lastPaid) : null,
  };
}

/** An item of a search: without the service (subscriptions 2.2). */
export function toSubscriptionItem(subscription: Subscription): Answer {
  return {id: subscription.id, ...toItemFields(subscription)};
}

function toItemFields(subscription: Subscription): Answer {
  return {
    status: subscription.status,
    msisdn: subscription.msisdn,
    operator: subscription.operator,
    subscriptionFee: subscription.feeKurus / 100,
    period: subscription.period,
    subscriptionDate: toIsoLocal(subscription.subscribedAt),
    renewalDate: toIsoLocal(subscription.renewsAt),
    cancellationDate: subscription.cancelledAt ? toIsoLocal(subscription.cancelledAt) : null,
    cancellationSource: subscription.cancellationSource ?? null,
    hasTrialPeriod: subscription.trialDays > 0,
    trialPeriodDay: subscription.trialDays,
  };
}
