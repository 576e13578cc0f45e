/** Subscriptions and test numbers (`docs/spec/subscriptions.md`, sections 2.2 and 4.A). */

import * as z from 'zod';
import {text} from '../fields.ts';
import {BillingSearch} from './billing.ts';
import {endpoint} from './endpoint.ts';
import {Id, BillingService} from './fields.ts';

const SubscriptionRef = z.strictObject({service: BillingService, id: Id});

export const subscriptions = {
  getSubscription: endpoint({
    method: 'GET',
    path: '/merchant/v1/subscriptions/{service}/{id}',
    operation: 'subscriptionGet',
    scope: 'read',
    write: false,
    service: 'billing',
    status: 200,
    input: SubscriptionRef,
  }),
  cancelSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/subscriptions/{service}/{id}/cancel',
    operation: 'subscriptionCancel',
    scope: 'money',
    write: true,
    command: true,
    service: 'billing',
    status: 200,
    input: SubscriptionRef,
  }),
  searchSubscriptions: endpoint({
    method: 'POST',
    path: '/merchant/v1/subscriptions/search',
    operation: 'subscriptionSearch',
    scope: 'read',
    write: false,
    service: 'billing',
    status: 200,
    input: BillingSearch,
  }),
  resetTestNumber: endpoint({
    method: 'POST',
    path: '/merchant/v1/test-numbers/{service}/{msisdn}/reset',
    operation: 'testNumberReset',
    scope: 'money',
    write: true,
    command: true,
    service: 'billing',
    status: 200,
    input: z.strictObject({
      service: BillingService,
      msisdn: text(32),
    }),
  }),
};
