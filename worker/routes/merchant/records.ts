/** Converts the platform's mobile-billing records to the merchant API's format. */

import type {Config} from '../../config/config.ts';
import {log} from '../../lib/log.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {ConsentAnswer} from '../../objects/archive/consent-store.ts';
import {timeFields} from '../../platform/habits.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {ChargeRecord, MessageRecord, SubscriptionRecord} from '../../platform/operations/micropayment.ts';
import type {Rows} from '../../platform/reply-json.ts';
import {stateOf, numberOrText} from '../../platform/statuses.ts';
import {findBilledService} from '../services.ts';

/** @param serviceId - Number of the requested service, which is the record's. */
export function toMerchantCharge(record: ChargeRecord, config: Config, serviceId: string) {
  return {
    id: record.id,
    ...serviceFields(config, serviceId),
    status: numberOrText(record.status),
    state: stateOf('charge', record.status, config.statuses),
    msisdn: record.msisdn,
    operator: numberOrText(record.operator),
    amount: record.amount,
    error: record.error,
    error_detail: record.errorDetail,
    ...timeFields('transaction_date', record.transactionDate),
    reference: record.referenceCode,
    subscription_id: record.subscriptionId,
  };
}

/** Converts a subscription without its charges. */
export function toMerchantSubscription(
  record: Omit<SubscriptionRecord, 'lastTransaction' | 'lastSuccessfulTransaction'>,
  config: Config,
  serviceId: string,
) {
  return {
    id: record.id,
    ...serviceFields(config, serviceId),
    status: record.status,
    state: stateOf('subscription', record.status, config.statuses),
    msisdn: record.msisdn,
    operator: numberOrText(record.operator),
    subscription_fee: record.subscriptionFee,
    period: record.period,
    ...timeFields('subscription_date', record.subscriptionDate),
    ...timeFields('renewal_date', record.renewalDate),
    ...timeFields('cancellation_date', record.cancellationDate),
    cancellation_source: record.cancellationSource,
    reference: record.referenceCode,
    has_trial_period: record.hasTrialPeriod,
    trial_days: record.trialPeriodDay,
  };
}

export function toMerchantMessage(
  {id, msisdn, operator, type, message, date}: MessageRecord,
  config: Config,
  serviceId: string,
) {
  return {
    id,
    ...serviceFields(config, serviceId),
    msisdn,
    operator: numberOrText(operator),
    type,
    message,
    ...timeFields('date', date),
  };
}

/** Converts the receipt of a consent. */
export function toMerchantConsent(consent: ConsentAnswer) {
  const {id, product, offer, origin, period, outcome, network} = consent;
  return {
    id,
    tracking_id: consent.trackingId,
    service: consent.service,
    subscription_id: consent.subscription,
    product,
    offer,
    origin,
    title: consent.texts?.title ?? null,
    terms: consent.texts?.terms ?? null,
    texts_digest: consent.textsDigest,
    language: consent.language,
    price: formatAmount(consent.price),
    currency: 'TRY' as const,
    period,
    trial_days: consent.trialDays,
    confirmed_by: consent.confirmedBy,
    confirmed_at: formatInstant(consent.at),
    outcome,
    network,
    network_matches: consent.isNetwork,
  };
}

function serviceFields(config: Config, id: string) {
  return {service: findBilledService(config, {serviceId: id})?.service ?? id, service_id: id};
}

/** Returns the readable rows of a list, and logs how many were unreadable. */
export function readableRows<T>(operation: OperationName, {rows, unreadable}: Rows<T>): readonly T[] {
  if (unreadable > 0) log('error', 'rows_unreadable', {operation, rows: unreadable});
  return rows;
}
