/** Answers about subscriptions and test numbers, with examples and descriptions. */

import * as z from 'zod';
import {subscriptions} from '../subscriptions.ts';
import {Charge, chargeExample, SimpleSubscription, subscriptionExample} from './billing.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {pageOf} from './fields.ts';
import {describeFields} from './input-fields.ts';

describeFields(subscriptions.resetTestNumber.input.shape, {
  msisdn: {description: 'Ten digits beginning with 5.', examples: ['5321234567']},
});

export const Subscription = z
  .strictObject({
    ...SimpleSubscription.shape,
    last_charge: Charge.nullable(),
    last_successful_charge: Charge.nullable(),
  })
  .meta({id: 'Subscription'});

export const subscriptionDescriptions = describeEndpoints('Subscriptions', subscriptions, {
  getSubscription: {
    summary: 'Gets a subscription with its last charges.',
    answer: Subscription,
    codes: ['unknown_service', 'subscription_not_found', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', id: '4001'},
      answer: {...subscriptionExample, last_charge: chargeExample, last_successful_charge: chargeExample},
    },
  },
  cancelSubscription: {
    summary: 'Cancels a subscription.',
    description:
      'An id of ten digits that begins with 5 is refused, because the platform would reset a test number instead.',
    answer: SimpleSubscription,
    codes: [
      'unknown_service',
      'subscription_not_found',
      'already_cancelled',
      'cannot_cancel',
      'test_number_refused',
      'egress_unsafe',
      'quota_exhausted',
      'rate_limited',
    ],
    example: {
      input: {service: 'DEMO', id: '4001'},
      answer: {
        ...subscriptionExample,
        status: 'cancelled',
        state: 'cancelled',
        cancellation_date: '2026-11-21T15:42:00+03:00',
        cancellation_source: 'mi',
      },
    },
  },
  searchSubscriptions: {
    summary: 'Searches subscriptions.',
    answer: pageOf(SimpleSubscription),
    codes: ['unknown_service', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', search: [{column: 'modifiedDate', term: '2026-11-01', condition: '>='}], limit: 50},
      answer: {items: [subscriptionExample], next_cursor: null, total: 1},
    },
  },
  resetTestNumber: {
    summary: 'Resets a test number, so that it can subscribe again.',
    answer: z.strictObject({service: z.string(), msisdn: z.string(), state: z.literal('reset')}),
    codes: ['unknown_service', 'number_invalid', 'not_found', 'egress_unsafe', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', msisdn: '5321234567'},
      answer: {service: 'DEMO', msisdn: '5321234567', state: 'reset'},
    },
  },
});
