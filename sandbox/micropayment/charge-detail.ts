import {toIsoLocal} from '../formats.ts';
import {describeError} from '../records/charge-statuses.ts';
import type {Charge} from '../records/charges.ts';
import type {Subscription} from '../records/subscriptions.ts';
import type {Answer} from '../visit.ts';
import {toSubscriptionFields} from './subscription-fields.ts';

/** A transaction with the subscription it belongs to (subscriptions 2.3). */
export function toChargeDetail(charge: Charge, subscription: Subscription | undefined): Answer {
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
    ...describeError(charge.status),
    subscription: subscription ? toSubscriptionFields(subscription) : null,
  };
}
