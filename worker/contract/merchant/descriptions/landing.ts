/** Answers of the landing interface, with examples and descriptions. */

import * as z from 'zod';
import {landing} from '../landing.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {NullableText, Time, Code, State} from './fields.ts';

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
    example: {
      input: {product: 77, user_ip: '192.0.2.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567'},
      answer: {expires_at: '2026-11-21T15:52:00+03:00'},
    },
  },
  requestSubscription: {
    summary: 'Starts a subscription, with a PIN or with a number token.',
    answer: z.strictObject({state: z.literal('subscribed')}),
    example: {
      input: {product: 77, user_ip: '192.0.2.7', tracking_id: 't-81c4', operator: 1, msisdn: '5321234567', pin: '4821'},
      answer: {state: 'subscribed'},
    },
  },
  cancelLandingSubscription: {
    summary: 'Cancels a subscription by its id.',
    answer: LandingSubscription,
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
    summary: 'Gets the number and mobile operator behind a number token.',
    answer: z.strictObject({msisdn: z.string(), operator: Code}),
    example: {input: {number_token: '4417'}, answer: {msisdn: '5321234567', operator: 1}},
  },
  addActivity: {
    summary: 'Reports a visit or a click to the platform.',
    answer: z.strictObject({state: z.literal('recorded')}),
    example: {
      input: {type: 'subscribe_clicked', product: 77, tracking_id: 't-81c4'},
      answer: {state: 'recorded'},
    },
  },
});
