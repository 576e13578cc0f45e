/**
 * The landing interface, for merchants who build their own landing pages (`docs/spec/subscriptions.md`, sections 2.7
 * and 4.C).
 */

import * as z from 'zod/mini';
import {ipAddress} from '../../lib/formats.ts';
import {describeFields} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {NUMBER_TOKEN, text} from '../fields.ts';
import {NullableText, Code, State, platformTime} from './answer-fields.ts';
import {Id, Msisdn, Operator, Product} from './fields.ts';

export const TrackingId = text(255);
export const UserIp = ipAddress();
const commonFields = {product: Product, user_ip: UserIp, tracking_id: TrackingId};
const LongText = text(2000);

const visit = z.strictObject({
  type: z.literal('visit'),
  product: Product,
  tracking_id: TrackingId,
  url: LongText,
  user_ip: UserIp,
  browser: LongText,
  referer: LongText,
});
const click = z.strictObject({
  type: z.enum(['subscribe_clicked', 'confirm_clicked']),
  product: Product,
  tracking_id: TrackingId,
  url: z.optional(LongText),
  user_ip: z.optional(UserIp),
  browser: z.optional(LongText),
  referer: z.optional(LongText),
});

/** A number token as the network gave it. It may be a number, if the number is exact. */
const NumberToken = z.pipe(
  z.union([
    text(1000).check(z.refine((token) => NUMBER_TOKEN.test(token), 'Expected visible text without spaces.')),
    z.int().check(z.nonnegative()),
  ]),
  z.transform(String),
);
const withPin = z.strictObject({
  ...commonFields,
  operator: Operator,
  msisdn: Msisdn,
  pin: text(32),
  number_token: z.optional(NumberToken),
});
const oneClick = z.strictObject({
  ...commonFields,
  number_token: NumberToken,
  operator: z.optional(Operator),
  msisdn: z.optional(Msisdn),
});

if (DESCRIBED)
  describeFields(
    {TrackingId, UserIp, NumberToken, visit, click, withPin, oneClick},
    {
      TrackingId: {examples: ['t-81c4']},
      UserIp: {description: 'The shopper’s IP address.', examples: ['192.0.2.7']},
      NumberToken: {description: 'The network’s token for a number: any visible text.', examples: ['4417']},
      visit: {title: 'A visit'},
      click: {title: 'A click'},
      withPin: {title: 'With a PIN'},
      oneClick: {title: 'One-click'},
    },
  );

export const LandingSubscription =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      product: NullableText,
      status: NullableText,
      state: State,
      ...platformTime('subscription_date'),
      ...platformTime('renewal_date'),
      ...platformTime('cancellation_date'),
      cancellation_source: NullableText,
    })
    .check(z.meta({id: 'LandingSubscription'}));

export const landing = {
  generatePin: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/generate-pin',
    operation: 'generatePin',
    scope: 'sessions',
    service: 'all',
    write: true,
    input: z.strictObject({...commonFields, operator: Operator, msisdn: Msisdn}),
    docs: DESCRIBED && {
      client: 'landing.generatePin',
      summary: 'Sends a PIN to a number.',
      answer: z.strictObject({
        expires_at: z.string().check(z.describe('When the PIN expires: ten minutes after it was sent.')),
      }),
      codes: [
        'landing_not_found',
        'number_invalid',
        'operator_invalid',
        'not_eligible',
        'already_subscribed',
        'billing_cap_reached',
        'daily_cap_reached',
        'subscription_failed',
        'test_mode',
      ],
      example: {
        input: {product: 77, user_ip: '192.0.2.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567'},
        answer: {expires_at: '2026-11-21T15:52:00+03:00'},
      },
    },
  }),
  requestSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/subscription-request',
    operation: 'subscriptionRequest',
    scope: 'sessions',
    service: 'all',
    write: true,
    status: 201,
    input: z.union([withPin, oneClick]),
    docs: DESCRIBED && {
      client: 'landing.requestSubscription',
      summary: 'Starts a subscription, with a PIN or with a number token.',
      description:
        'The platform returns no id, so the Worker looks up the id in mobile billing for at most two seconds. If the ' +
        'answer has no id, the event `subscription.started`, or a later `subscription.changed` with the same ' +
        '`tracking_id`, has it.',
      answer: z.strictObject({
        state: z.literal('subscribed'),
        service: NullableText.check(z.describe('Service code; null while `subscription_id` is null.')),
        subscription_id: NullableText.check(z.describe('Id in mobile billing; null while it is unknown.')),
      }),
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
        'daily_cap_reached',
        'subscription_failed',
        'test_mode',
      ],
      example: {
        input: {
          product: 77,
          user_ip: '192.0.2.7',
          tracking_id: 't-81c4',
          operator: 1,
          msisdn: '5321234567',
          pin: '4821',
        },
        answer: {state: 'subscribed', service: 'DEMO', subscription_id: '4001'},
      },
    },
  }),
  cancelLandingSubscription: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/cancel-subscription',
    operation: 'landingSubscriptionCancel',
    scope: 'money',
    service: 'all',
    write: true,
    command: true,
    input: z.strictObject({subscription: Id}),
    docs: DESCRIBED && {
      client: 'landing.cancelSubscription',
      summary: 'Cancels a subscription by its id.',
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
          subscription_date_text: null,
          renewal_date: null,
          renewal_date_text: null,
          cancellation_date: '2026-11-21T15:42:00+03:00',
          cancellation_date_text: null,
          cancellation_source: 'mi',
        },
      },
    },
  }),
  getNumber: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/get-msisdn',
    operation: 'numberGet',
    scope: 'sessions',
    service: 'all',
    input: z.strictObject({number_token: NumberToken}),
    docs: DESCRIBED && {
      client: 'landing.getNumber',
      summary: 'Gets the number and the mobile operator that a number token stands for.',
      answer: z.strictObject({msisdn: z.string(), operator: Code}),
      codes: ['number_token_invalid'],
      example: {input: {number_token: '4417'}, answer: {msisdn: '5321234567', operator: 1}},
    },
  }),
  addActivity: endpoint({
    method: 'POST',
    path: '/merchant/v1/landing/user-activity',
    operation: 'userActivity',
    scope: 'sessions',
    service: 'all',
    write: true,
    input: z.discriminatedUnion('type', [visit, click]),
    docs: DESCRIBED && {
      client: 'landing.addActivity',
      summary: 'Reports a visit or a click to the platform.',
      answer: z.strictObject({state: z.literal('recorded')}),
      codes: ['landing_not_found'],
      example: {
        input: {type: 'subscribe_clicked', product: 77, tracking_id: 't-81c4'},
        answer: {state: 'recorded'},
      },
    },
  }),
};
