/** The landing interface, for merchants who build their own landing pages: `docs/spec/subscriptions.md` 2.7 and 4.C. */

import * as z from 'zod';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Code, Id, Msisdn, Operator, Product, NullableText, State, Time} from './fields.ts';

const TrackingId = text(255).meta({examples: ['t-81c4']});
const UserIp = z.union([z.ipv4(), z.ipv6()]).meta({description: 'The shopper’s IP address.', examples: ['192.0.2.7']});
const commonFields = {product: Product, user_ip: UserIp, tracking_id: TrackingId};
const LongText = text(2000);

export const LandingSubscription = z
  .strictObject({
    id: z.string(),
    product: NullableText,
    status: NullableText,
    state: State,
    subscription_date: Time,
    renewal_date: Time,
    cancellation_date: Time,
    cancellation_source: NullableText,
  })
  .meta({id: 'LandingSubscription'});

const Activity = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('visit'),
      product: Product,
      tracking_id: TrackingId,
      url: LongText,
      user_ip: UserIp,
      browser: LongText,
      referer: LongText,
    })
    .meta({title: 'A visit'}),
  z
    .strictObject({
      type: z.enum(['subscribe_clicked', 'confirm_clicked']),
      product: Product,
      tracking_id: TrackingId,
      url: LongText.optional(),
      user_ip: UserIp.optional(),
      browser: LongText.optional(),
      referer: LongText.optional(),
    })
    .meta({title: 'A click'}),
]);

export const landing = {
  generatePin: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/generate-pin',
    group: 'Landing',
    operation: 'generatePin',
    write: true,
    status: 200,
    summary: 'Sends a PIN to a number.',
    input: z.strictObject({...commonFields, operator: Operator, msisdn: Msisdn}),
    answer: z.strictObject({
      expires_at: z.string().meta({description: 'When the PIN expires: ten minutes after it was sent.'}),
    }),
    codes: [
      'landing_not_found',
      'number_invalid',
      'operator_invalid',
      'not_eligible',
      'already_subscribed',
      'billing_cap_reached',
      'subscription_failed',
      'test_mode',
    ],
    example: {
      input: {product: 77, user_ip: '192.0.2.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567'},
      answer: {expires_at: '2026-11-21T15:52:00+03:00'},
    },
  }),
  requestSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/subscription-request',
    group: 'Landing',
    operation: 'subscriptionRequest',
    write: true,
    status: 201,
    summary: 'Starts a subscription, with a PIN or with a number token.',
    input: z.union([
      z.strictObject({...commonFields, operator: Operator, msisdn: Msisdn, pin: text(32)}).meta({title: 'With a PIN'}),
      z.strictObject({...commonFields, number_token: Id}).meta({title: 'One-click'}),
    ]),
    answer: z.strictObject({state: z.literal('subscribed')}),
    codes: [
      'landing_not_found',
      'pin_wrong',
      'pin_expired',
      'number_invalid',
      'operator_invalid',
      'number_token_invalid',
      'not_eligible',
      'already_subscribed',
      'billing_cap_reached',
      'subscription_failed',
      'test_mode',
    ],
    example: {
      input: {product: 77, user_ip: '192.0.2.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567', pin: '4821'},
      answer: {state: 'subscribed'},
    },
  }),
  cancelLandingSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/cancel-subscription',
    group: 'Landing',
    operation: 'landingSubscriptionCancel',
    write: true,
    command: true,
    status: 200,
    summary: 'Cancels a subscription by its id.',
    input: z.strictObject({subscription: Id}),
    answer: LandingSubscription,
    codes: ['subscription_not_found', 'already_cancelled', 'cannot_cancel'],
    example: {
      input: {subscription: '4001'},
      answer: {
        id: '4001',
        product: '77',
        status: 'cancelled',
        state: 'cancelled',
        subscription_date: '2026-11-14T15:42:00+03:00',
        renewal_date: null,
        cancellation_date: '2026-11-21T15:42:00+03:00',
        cancellation_source: 'mi',
      },
    },
  }),
  getNumber: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/get-msisdn',
    group: 'Landing',
    operation: 'numberGet',
    write: false,
    status: 200,
    summary: 'Gets the number and mobile operator behind a number token.',
    input: z.strictObject({number_token: text(255).meta({examples: ['4417']})}),
    answer: z.strictObject({msisdn: z.string(), operator: Code}),
    codes: ['number_token_invalid'],
    example: {input: {number_token: '4417'}, answer: {msisdn: '5321234567', operator: 1}},
  }),
  addActivity: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/user-activity',
    group: 'Landing',
    operation: 'userActivity',
    write: true,
    status: 200,
    summary: 'Reports a visit or a click to the platform.',
    input: Activity,
    answer: z.strictObject({state: z.literal('recorded')}),
    codes: ['landing_not_found'],
    example: {
      input: {type: 'subscribe_clicked', product: 77, tracking_id: 't-81c4'},
      answer: {state: 'recorded'},
    },
  }),
};
