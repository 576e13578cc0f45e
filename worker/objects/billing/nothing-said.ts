import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';

/** All but the id of a subscription that the platform does not show. */
export const NOTHING_SAID: Omit<SimpleSubscriptionRecord, 'id'> = {
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
