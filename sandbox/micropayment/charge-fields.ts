import {toIsoLocal} from '../formats.ts';
import {describeError} from '../records/charge-statuses.ts';
import type {Charge} from '../records/charges.ts';
import type {Answer} from '../visit.ts';

/** A simple transaction (subscriptions 2.3). */
export function toChargeFields(charge: Charge): Answer {
  return {
    id: charge.id,
    service: charge.serviceId,
    status: charge.status,
    msisdn: charge.msisdn,
    operator: charge.operator,
    amount: charge.amountKurus / 100,
    ...describeError(charge.status),
    transactionDate: toIsoLocal(charge.chargedAt),
    referenceCode: charge.referenceCode ?? null,
    subscriptionId: charge.subscriptionId,
  };
}

/** An item of a search: a missing reference is the text "null" there (observed, "Shapes and spellings"). */
export function toChargeItem(charge: Charge): Answer {
  return {...toChargeFields(charge), referenceCode: charge.referenceCode ?? 'null'};
}
