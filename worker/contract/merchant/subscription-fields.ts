/** A subscription without its charges, as it stands in searches, cancellations and charges. */
import * as z from 'zod';
import {Code, Money, Said, State, Time} from './fields.ts';

export const simpleSubscription = {
  id: z.string(),
  service: Said.meta({description: 'Service code; the numeric id where no service of ours has it.'}),
  service_id: Said,
  status: Said.meta({description: 'The platform’s own word.'}),
  state: State,
  msisdn: Said,
  operator: Code,
  subscription_fee: Money,
  period: Said,
  subscription_date: Time,
  renewal_date: Time,
  cancellation_date: Time,
  cancellation_source: Said,
  reference: Said,
  has_trial_period: z.boolean().nullable(),
  trial_days: z.int().nullable(),
};

export const subscriptionExample = {
  id: '4001', service: 'DEMO', service_id: '1', status: 'active', state: 'active', msisdn: '532***4567', operator: 1, subscription_fee: '12.00',
  period: 'weekly', subscription_date: '2026-11-14T15:42:00+03:00', renewal_date: '2026-11-28T15:42:00+03:00', cancellation_date: null,
  cancellation_source: null, reference: null, has_trial_period: false, trial_days: 0,
};
