/** Subscriptions and test numbers: `docs/spec/subscriptions.md` 2.2 and 4.A. */

import * as z from 'zod';
import {text} from '../fields.ts';
import {Charge, chargeExample, SimpleSubscription, subscriptionExample, BillingSearch} from './billing.ts';
import {endpoint} from './endpoint.ts';
import {BillingService, Id, pageOf} from './fields.ts';

export const Subscription = z
  .strictObject({
    ...SimpleSubscription.shape,
    last_charge: Charge.nullable(),
    last_successful_charge: Charge.nullable(),
  })
  .meta({id: 'Subscription'});

const SubscriptionRef = z.strictObject({service: BillingService, id: Id});

export const subscriptions = {
  getSubscription: endpoint({
    method: 'GET',
    path: '/merchant/v1/subscriptions/{service}/{id}',
    group: 'Subscriptions',
    operation: 'subscriptionGet',
    write: false,
    service: 'billing',
    status: 200,
    summary: 'Gets a subscription with its last charges.',
    input: SubscriptionRef,
    answer: Subscription,
    codes: ['unknown_service', 'subscription_not_found', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', id: '4001'},
      answer: {...subscriptionExample, last_charge: chargeExample, last_successful_charge: chargeExample},
    },
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/subscriptions/{service}/{id}/cancel',
    group: 'Subscriptions',
    operation: 'subscriptionCancel',
    write: true,
    command: true,
    service: 'billing',
    status: 200,
    summary: 'Cancels a subscription.',
    description:
      'An id of ten digits beginning with 5 is refused: the platform would take it for a test number to reset.',
    input: SubscriptionRef,
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
  }),
  searchSubscriptions: endpoint({
    method: 'POST',
    path: '/merchant/v1/subscriptions/search',
    group: 'Subscriptions',
    operation: 'subscriptionSearch',
    write: false,
    service: 'billing',
    status: 200,
    summary: 'Searches subscriptions.',
    input: BillingSearch,
    answer: pageOf(SimpleSubscription),
    codes: ['unknown_service', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', search: [{column: 'modifiedDate', term: '2026-11-01', condition: '>='}], limit: 50},
      answer: {items: [subscriptionExample], next_cursor: null, total: 1},
    },
  }),
  resetTestNumber: endpoint({
    method: 'POST',
    path: '/merchant/v1/test-numbers/{service}/{msisdn}/reset',
    group: 'Subscriptions',
    operation: 'testNumberReset',
    write: true,
    command: true,
    service: 'billing',
    status: 200,
    summary: 'Resets a test number, so that it can subscribe again.',
    input: z.strictObject({
      service: BillingService,
      msisdn: text(32).meta({
        description: 'Ten digits beginning with 5.',
        examples: ['5321234567'],
      }),
    }),
    answer: z.strictObject({service: z.string(), msisdn: z.string(), state: z.literal('reset')}),
    codes: ['unknown_service', 'number_invalid', 'not_found', 'egress_unsafe', 'quota_exhausted', 'rate_limited'],
    example: {
      input: {service: 'DEMO', msisdn: '5321234567'},
      answer: {service: 'DEMO', msisdn: '5321234567', state: 'reset'},
    },
  }),
};
