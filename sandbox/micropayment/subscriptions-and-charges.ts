/** The operations of mobile billing on one subscription or charge, and the fields of their answers. */

import {isMobileNumber, isTestNumber} from '../billing/mobile-numbers.ts';
import type {Context} from '../context.ts';
import {fromLocalTime, toIsoLocal} from '../formats.ts';
import {CHARGE_STATUS, type Charge, describeChargeError} from '../records/charges.ts';
import {cancellability, type Subscription} from '../records/subscriptions.ts';
import type {AnswerFields} from '../request.ts';
import {type RecordTarget, MicropaymentRefusal} from './envelope.ts';

/** The `cancellationSource` of a subscription that was cancelled through this interface (subscriptions.md 2.2). */
const SOURCE = 'mi';

/** /subscription/detail (subscriptions.md 4.A). */
export function getSubscription(target: RecordTarget, context: Context): AnswerFields {
  return {subscription: toSubscriptionDetail(requireSubscription(target, context), context)};
}

/** /subscription/cancel. The same path with a mobile number resets a test number (subscriptions.md 4.A). */
export function cancelSubscription(target: RecordTarget, context: Context): AnswerFields {
  if (isMobileNumber(target.id)) return resetTestNumber(target, context);
  const subscription = requireSubscription(target, context);
  const state = cancellability(subscription);
  if (state !== 'cancellable') {
    const echo = {subscription: toSubscriptionFields(subscription)};
    const code = state === 'cancelled' ? 'API_ERR_2005' : 'API_ERR_2006';
    throw new MicropaymentRefusal(code, {detail: `Current status: ${subscription.status}`, echo});
  }
  return {subscription: toSubscriptionFields(context.billing.cancel(subscription, SOURCE))};
}

/** Cancels all subscriptions of a test number, so that it can subscribe again. Sends no messages or notifications. */
function resetTestNumber({serviceId, id}: RecordTarget, {clock, subscriptions}: Context): AnswerFields {
  if (!isTestNumber(id)) throw new MicropaymentRefusal('API_ERR_2007');
  const ofNumber = {sql: 'msisdn = ? AND service_id = ?', bindings: [id, serviceId]};
  for (const subscription of subscriptions.page(ofNumber, 'id', -1, 0))
    subscriptions.cancel(subscription, 'test', clock.now());
  return {};
}

function requireSubscription(target: RecordTarget, {subscriptions, readings}: Context): Subscription {
  const subscription = subscriptions.find(Number(target.id));
  if (!subscription || !isNamed(subscription, target, readings)) throw new MicropaymentRefusal('API_ERR_2001');
  return subscription;
}

/** /transaction/detail (subscriptions.md 4.A). The record is in the field `transaction`, as in the spec's sample. */
export function getCharge(target: RecordTarget, context: Context): AnswerFields {
  const charge = requireCharge(target, context);
  return {transaction: toChargeDetail(charge, context.subscriptions.find(charge.subscriptionId))};
}

/**
 * /transaction/refund (subscriptions.md 4.A). The refund succeeds as the reading `charge_refund` says. The record is in
 * the field `subscription`, as in the spec's definition.
 */
export function refundCharge(target: RecordTarget, context: Context): AnswerFields {
  const charge = requireCharge(target, context);
  if (charge.status === CHARGE_STATUS.refunded) throw new MicropaymentRefusal('API_ERR_3005');
  if (charge.status !== CHARGE_STATUS.success)
    throw new MicropaymentRefusal(context.readings.get('unrefundable_charge'), {
      detail: `Current status: ${charge.status}`,
    });
  if (context.readings.get('charge_refund') === 'at_once')
    return {subscription: toChargeFields(context.billing.refund(charge))};
  context.charges.setStatus(charge, CHARGE_STATUS.refundInProgress, context.clock.now());
  return {subscription: toChargeFields({...charge, status: CHARGE_STATUS.refundInProgress})};
}

function requireCharge(target: RecordTarget, {charges, readings}: Context): Charge {
  const charge = charges.find(Number(target.id));
  if (!charge || !isNamed(charge, target, readings)) throw new MicropaymentRefusal('API_ERR_3001');
  return charge;
}

/** Whether a path names this record; see the reading `record_service`. */
function isNamed(record: Subscription | Charge, {serviceId}: RecordTarget, readings: Context['readings']): boolean {
  return readings.get('record_service') === 'ignored' || record.serviceId === serviceId;
}

/**
 * The simple detail of a subscription (subscriptions.md 2.2). A cancellation returns this simple detail, and the detail
 * of a charge contains it.
 */
export function toSubscriptionFields(subscription: Subscription): AnswerFields {
  return {id: subscription.id, service: subscription.serviceId, ...toItemFields(subscription)};
}

/**
 * The full detail of a subscription. Its renewal date is in epoch milliseconds, as in one sample (subscriptions.md
 * 2.2).
 */
export function toSubscriptionDetail(subscription: Subscription, {charges, readings}: Context): AnswerFields {
  const {last, lastPaid} = charges.lastOf(subscription);
  return {
    ...toSubscriptionFields(subscription),
    renewalDate: fromLocalTime(subscription.renewsAt),
    referenceCode: subscription.referenceCode ?? null,
    lastTransaction: readings.orAbsent(last && toChargeFields(last)),
    lastSuccessfulTransaction: readings.orAbsent(lastPaid && toChargeFields(lastPaid)) ?? null,
  };
}

/** An item of a search for subscriptions. It does not name the service (subscriptions.md 2.2). */
export function toSubscriptionItem(subscription: Subscription): AnswerFields {
  return {id: subscription.id, ...toItemFields(subscription)};
}

function toItemFields(subscription: Subscription): AnswerFields {
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

/** The simple detail of a charge, which the spec calls a transaction (subscriptions.md 2.3). */
export function toChargeFields(charge: Charge): AnswerFields {
  return {
    id: charge.id,
    service: charge.serviceId,
    status: charge.status,
    msisdn: charge.msisdn,
    operator: charge.operator,
    amount: charge.amountKurus / 100,
    ...describeChargeError(charge.status),
    transactionDate: toIsoLocal(charge.chargedAt),
    referenceCode: charge.referenceCode ?? null,
    subscriptionId: charge.subscriptionId,
  };
}

/** An item of a search for charges. A missing reference is the text "null" (observed.md, "Shapes and spellings"). */
export function toChargeItem(charge: Charge): AnswerFields {
  return {...toChargeFields(charge), referenceCode: charge.referenceCode ?? 'null'};
}

/** The full detail of a charge, with its subscription (subscriptions.md 2.3). */
export function toChargeDetail(charge: Charge, subscription: Subscription | undefined): AnswerFields {
  return {
    id: charge.id,
    status: charge.status,
    service: charge.serviceId,
    msisdn: charge.msisdn,
    operator: charge.operator,
    item: charge.item,
    amount: charge.amountKurus / 100,
    transactionDate: toIsoLocal(charge.chargedAt),
    refundDate: charge.refundedAt ? toIsoLocal(charge.refundedAt) : null,
    referenceCode: charge.referenceCode ?? null,
    ...describeChargeError(charge.status),
    subscription: subscription ? toSubscriptionFields(subscription) : null,
  };
}
