/** Answers of the landing interface, with examples and descriptions. */

import * as z from 'zod';
import {landing, TrackingId, UserIp} from '../landing.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {NullableText, Time, Code, State} from './fields.ts';
import {describeFields} from './input-fields.ts';

const [visit, click] = landing.addActivity.input.options;
const [withPin, oneClick] = landing.requestSubscription.input.options;

describeFields(
  {TrackingId, UserIp, visit, click, withPin, oneClick},
  {
    TrackingId: {examples: ['t-81c4']},
    UserIp: {description: 'The shopper’s IP address.', examples: ['192.0.2.7']},
    visit: {title: 'A visit'},
    click: {title: 'A click'},
    withPin: {title: 'With a PIN'},
    oneClick: {title: 'One-click'},
  },
);
describeFields(landing.getNumber.input.shape, {number_token: {examples: ['4417']}});

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

export const landingDescriptions = describeEndpoints('Landing', landing, {
  generatePin: {
    summary: 'Sends a PIN to a number.',
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
  },
  requestSubscription: {
    summary: 'Starts a subscription, with a PIN or with a number token.',
    description:
      'The platform returns no id, so the Worker looks up the id in mobile billing for at most two seconds. If the ' +
      'answer has no id, the event `subscription.started`, or a later `subscription.changed` with the same ' +
      '`tracking_id`, has it.',
    answer: z.strictObject({
      state: z.literal('subscribed'),
      service: NullableText.meta({description: 'Service code; null while `subscription_id` is null.'}),
      subscription_id: NullableText.meta({description: 'Id in mobile billing; null while it is unknown.'}),
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
      'subscription_failed',
      'test_mode',
    ],
    example: {
      input: {product: 77, user_ip: '192.0.2.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567', pin: '4821'},
      answer: {state: 'subscribed', service: 'DEMO', subscription_id: '4001'},
    },
  },
  cancelLandingSubscription: {
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
        renewal_date: null,
        cancellation_date: '2026-11-21T15:42:00+03:00',
        cancellation_source: 'mi',
      },
    },
  },
  getNumber: {
    summary: 'Gets the number and the mobile operator that a number token stands for.',
    answer: z.strictObject({msisdn: z.string(), operator: Code}),
    codes: ['number_token_invalid'],
    example: {input: {number_token: '4417'}, answer: {msisdn: '5321234567', operator: 1}},
  },
  addActivity: {
    summary: 'Reports a visit or a click to the platform.',
    answer: z.strictObject({state: z.literal('recorded')}),
    codes: ['landing_not_found'],
    example: {
      input: {type: 'subscribe_clicked', product: 77, tracking_id: 't-81c4'},
      answer: {state: 'recorded'},
    },
  },
});
