/** Converts mobile billing's records to the data of events. */

import type {Config} from '../../config/config.ts';
import type {EventData} from '../../contract/merchant/events.ts';
import {maskMsisdn} from '../../contract/readers/mobile-number.ts';
import {timeFields} from '../../platform/habits.ts';
import type {ChargeRecord, SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {stateOf, numberOrText} from '../../platform/statuses.ts';

/** @param service - Code of the service. */
export function describeSubscription(
  record: SimpleSubscriptionRecord,
  service: string | null,
  {statuses}: Pick<Config, 'statuses'>,
): EventData<'subscription.changed'> {
  const {id, status, operator, msisdn, referenceCode, subscriptionDate, renewalDate, cancellationDate} = record;
  return {
    service,
    product: null,
    subscription_id: id,
    status,
    state: stateOf('subscription', status, statuses),
    operator: numberOrText(operator),
    msisdn: maskMsisdn(msisdn ?? ''),
    tracking_id: null,
    reference: referenceCode,
    ...timeFields('subscription_date', subscriptionDate),
    ...timeFields('renewal_date', renewalDate),
    ...timeFields('cancellation_date', cancellationDate),
  };
}

/** @param service - Code of the service. */
export function describeCharge(
  record: ChargeRecord,
  service: string,
  {statuses}: Pick<Config, 'statuses'>,
): EventData<'charge.changed'> {
  const {id, status, amount, operator, referenceCode, transactionDate, subscriptionId} = record;
  return {
    service,
    charge_id: id,
    subscription_id: subscriptionId,
    amount,
    status: numberOrText(status),
    state: stateOf('charge', status, statuses),
    operator: numberOrText(operator),
    reference: referenceCode,
    ...timeFields('transaction_date', transactionDate),
  };
}

/** A subscription's record without values and without the id, for use when the platform returns no record. */
export const EMPTY_SUBSCRIPTION: Omit<SimpleSubscriptionRecord, 'id'> = {
  service: null,
  status: null,
  msisdn: null,
  operator: null,
  subscriptionFee: null,
  period: null,
  subscriptionDate: null,
  renewalDate: null,
  cancellationDate: null,
  cancellationSource: null,
  referenceCode: null,
  hasTrialPeriod: null,
  trialPeriodDay: null,
};
