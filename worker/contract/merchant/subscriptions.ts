/** Subscriptions and test numbers (`docs/spec/subscriptions.md`, sections 2.2 and 4.A). */

import * as z from 'zod';
import {text} from '../fields.ts';
import {BillingSearch} from './billing.ts';
import {endpoint} from './endpoint.ts';
import {Id, BillingService} from './fields.ts';

const Address = z.union([z.ipv4(), z.ipv6()]);
/** The tracking id that the page sent, or that the event of the subscription names. */
const ConsentTrackingId = text(255);

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
  getConsent: endpoint({
    method: 'GET',
    path: '/merchant/v1/subscriptions/{service}/{id}/consent',
    operation: null,
    scope: 'read',
    write: false,
    service: 'billing',
    status: 200,
    input: z.strictObject({service: BillingService, id: Id, address: Address.optional()}),
  }),
  listConsents: endpoint({
    method: 'GET',
    path: '/merchant/v1/consents',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({tracking_id: ConsentTrackingId, address: Address.optional()}),
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
