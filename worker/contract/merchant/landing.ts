/**
 * The landing interface, for merchants who build their own landing pages (`docs/spec/subscriptions.md`, sections 2.7
 * and 4.C).
 */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Id, Msisdn, Operator, Product} from './fields.ts';

export const TrackingId = text(255);
export const UserIp = z.union([z.ipv4(), z.ipv6()]);
const commonFields = {product: Product, user_ip: UserIp, tracking_id: TrackingId};
const LongText = text(2000);

const Activity = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('visit'),
    product: Product,
    tracking_id: TrackingId,
    url: LongText,
    user_ip: UserIp,
    browser: LongText,
    referer: LongText,
  }),
  z.strictObject({
    type: z.enum(['subscribe_clicked', 'confirm_clicked']),
    product: Product,
    tracking_id: TrackingId,
    url: LongText.optional(),
    user_ip: UserIp.optional(),
    browser: LongText.optional(),
    referer: LongText.optional(),
  }),
]);

export const landing = {
  generatePin: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/generate-pin',
    operation: 'generatePin',
    scope: 'sessions',
    write: true,
    status: 200,
    input: z.strictObject({...commonFields, operator: Operator, msisdn: Msisdn}),
  }),
  requestSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/subscription-request',
    operation: 'subscriptionRequest',
    scope: 'sessions',
    write: true,
    status: 201,
    input: z.union([
      z.strictObject({...commonFields, operator: Operator, msisdn: Msisdn, pin: text(32)}),
      z.strictObject({...commonFields, number_token: Id}),
    ]),
  }),
  cancelLandingSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/cancel-subscription',
    operation: 'landingSubscriptionCancel',
    scope: 'money',
    write: true,
    command: true,
    status: 200,
    input: z.strictObject({subscription: Id}),
  }),
  getNumber: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/get-msisdn',
    operation: 'numberGet',
    scope: 'sessions',
    write: false,
    status: 200,
    input: z.strictObject({number_token: text(255)}),
  }),
  addActivity: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/user-activity',
    operation: 'userActivity',
    scope: 'sessions',
    write: true,
    status: 200,
    input: Activity,
  }),
};
