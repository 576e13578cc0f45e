/** A charge and a subscription as they stand in searches and in each other: `docs/spec/subscriptions.md` 2.2 and 2.3. */

import * as z from 'zod';
import {Code, Money, Said, State, Status, Time} from './fields.ts';

/** What both say of whom they are about. */
const about = {
  service: Said.meta({description: 'Service code; the numeric id where no service of ours has it.'}),
  service_id: Said,
  msisdn: Said,
  operator: Code,
  reference: Said,
};

export const Charge = z
  .strictObject({
    id: z.string(),
    ...about,
    status: Status,
    state: State,
    amount: Money,
    error: Said,
    error_detail: Said.meta({description: '`<code>|<text>`.'}),
    transaction_date: Time,
    subscription_id: Said,
  })
  .meta({id: 'Charge'});

/** A subscription without its charges. */
export const SimpleSubscription = z
  .strictObject({
    id: z.string(),
    ...about,
    status: Said.meta({description: 'The platform’s own word.'}),
    state: State,
    subscription_fee: Money,
    period: Said,
    subscription_date: Time,
    renewal_date: Time,
    cancellation_date: Time,
    cancellation_source: Said,
    has_trial_period: z.boolean().nullable(),
    trial_days: z.int().nullable(),
  })
  .meta({id: 'SimpleSubscription'});

const aboutExample = {service: 'DEMO', service_id: '1', msisdn: '532***4567', operator: 1, reference: null};

export const chargeExample = {
  id: '31001',
  ...aboutExample,
  status: 3,
  state: 'successful',
  amount: '12.00',
  error: null,
  error_detail: null,
  transaction_date: '2026-11-21T15:42:00+03:00',
  subscription_id: '4001',
};

export const subscriptionExample = {
  id: '4001',
  ...aboutExample,
  status: 'active',
  state: 'active',
  subscription_fee: '12.00',
  period: 'weekly',
  subscription_date: '2026-11-14T15:42:00+03:00',
  renewal_date: '2026-11-28T15:42:00+03:00',
  cancellation_date: null,
  cancellation_source: null,
  has_trial_period: false,
  trial_days: 0,
};
