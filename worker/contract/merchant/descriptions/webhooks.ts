/** Answers of the endpoints of webhooks and deliveries, with examples and descriptions. */

import * as z from 'zod';
import {DELIVERY_STATES, EVENT_TYPES, webhooks} from '../webhooks.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {describeFields} from './input-fields.ts';

const ID = {description: '`wh_configured` is the webhook of `WEBHOOK_URL`.', examples: ['wh_1f0c9a6be2d44f6a8b5a9c1d']};
const TYPES = {
  description: 'The types of events that the webhook receives; null for every type, including types of later versions.',
  examples: [['payment.received', 'payment.overpaid']],
};
const URL_FIELD = {
  description: 'Must begin with `https://`, be reachable from the Internet, and contain no credentials.',
  examples: ['https://shop.example/vezne'],
};
const ENABLED = {description: 'False to send no events for now. A new webhook is on by default.', examples: [true]};

describeFields(webhooks.createWebhook.input.shape, {url: URL_FIELD, types: TYPES, enabled: ENABLED});
describeFields(webhooks.updateWebhook.input.shape, {id: ID, url: URL_FIELD, types: TYPES, enabled: ENABLED});
for (const {input} of [webhooks.getWebhook, webhooks.deleteWebhook, webhooks.testWebhook])
  describeFields(input.shape, {id: ID});
describeFields(webhooks.rotateWebhookSecret.input.shape, {
  id: ID,
  overlap_hours: {
    description: 'For how many hours every event is signed with the previous secret, too. 24 by default.',
    examples: [24],
  },
});
describeFields(webhooks.listDeliveries.input.shape, {
  webhook: ID,
  state: {
    description: '`waiting`: the Worker will try to deliver the event. `dead`: the Worker has stopped trying.',
    examples: ['waiting'],
  },
  cursor: {description: '`next_cursor` of the previous page.', examples: ['MS4xLmFiY2RlZg']},
});

const LastStatus = z.int().nullable().meta({
  description: 'HTTP status of the last answer that did not accept an event; null if no answer came.',
});
export const LastFault = z
  .enum(['timeout', 'connection', 'interrupted', 'secret_unreadable'])
  .nullable()
  .meta({description: 'Why no answer came; null if an answer came.'});

const WEBHOOK = {
  id: z.string().meta(ID),
  url: z.string(),
  types: z.array(z.enum(EVENT_TYPES)).nullable().meta(TYPES),
  enabled: z.boolean(),
  configured: z.boolean().meta({description: 'True for the webhook of `WEBHOOK_URL`, which the API cannot change.'}),
  created_at: z.string().nullable(),
  changed_at: z.string().nullable(),
  previous_secret_until: z.string().nullable().meta({
    description: 'Until when events are signed with the previous secret, too; null if there is no such secret.',
  }),
  last_success_at: z.string().nullable().meta({description: 'Accurate to a minute.'}),
  last_failure_at: z.string().nullable(),
  last_status: LastStatus,
  last_fault: LastFault,
  waiting: z.int().meta({description: 'How many events wait for delivery; 1000 also for any larger number.'}),
};
export const Webhook = z.strictObject(WEBHOOK).meta({id: 'Webhook'});
const Secret = z
  .string()
  .nullable()
  .meta({
    description:
      'The secret that verifies signatures. The Worker shows it only once: null if this answer is repeated for the ' +
      'same `Idempotency-Key`.',
    examples: ['whsec_dmV6bmUgd2ViaG9vayBleGFtcGxlIHNlY3JldCAwMDAx'],
  });
const WebhookWithSecret = z.strictObject({...WEBHOOK, secret: Secret}).meta({id: 'WebhookWithSecret'});

export const WaitingDelivery = z
  .strictObject({
    event_id: z.string(),
    type: z.enum(EVENT_TYPES),
    created_at: z.string().meta({description: 'When the event happened.'}),
    webhook: z.string().meta(ID),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    last_attempt_at: z.string().nullable(),
    last_status: LastStatus,
    last_fault: LastFault,
    next_attempt_at: z.string().nullable().meta({
      description: 'Null for a dead delivery, and while the event waits for an earlier event of the same order.',
    }),
  })
  .meta({id: 'Delivery'});

const webhookExample = {
  id: 'wh_1f0c9a6be2d44f6a8b5a9c1d',
  url: 'https://shop.example/vezne',
  types: null,
  enabled: true,
  configured: false,
  created_at: '2026-11-21T15:40:00+03:00',
  changed_at: '2026-11-21T15:40:00+03:00',
  previous_secret_until: null,
  last_success_at: '2026-11-21T15:42:08+03:00',
  last_failure_at: null,
  last_status: null,
  last_fault: null,
  waiting: 0,
};
const secretExample = {...webhookExample, secret: 'whsec_dmV6bmUgd2ViaG9vayBleGFtcGxlIHNlY3JldCAwMDAx'};
const id = webhookExample.id;

export const webhookDescriptions = describeEndpoints('Webhooks', webhooks, {
  listWebhooks: {
    summary: 'Lists the webhooks, each with the results of its deliveries.',
    answer: z.strictObject({items: z.array(Webhook)}),
    codes: [],
    example: {input: {}, answer: {items: [webhookExample]}},
  },
  createWebhook: {
    summary: 'Creates a webhook, to which the Worker sends the events that happen from now on.',
    description: 'There may be ten webhooks in addition to the webhook of `WEBHOOK_URL`.',
    answer: WebhookWithSecret,
    codes: ['webhook_limit'],
    example: {input: {url: webhookExample.url}, answer: secretExample},
  },
  getWebhook: {
    summary: 'Shows a webhook with the results of its deliveries.',
    answer: Webhook,
    codes: ['not_found'],
    example: {input: {id}, answer: webhookExample},
  },
  updateWebhook: {
    summary: 'Changes the URL or the types of events, or switches the webhook on or off.',
    description: 'Switching a webhook off ends its waiting deliveries. Its events stay listed, and can be sent again.',
    answer: Webhook,
    codes: ['not_found', 'webhook_configured'],
    example: {input: {id, types: ['payment.received']}, answer: {...webhookExample, types: ['payment.received']}},
  },
  deleteWebhook: {
    summary: 'Deletes a webhook and its deliveries. The events stay in the list of events.',
    answer: z.strictObject({id: z.string(), state: z.literal('deleted')}),
    codes: ['not_found', 'webhook_configured'],
    example: {input: {id}, answer: {id, state: 'deleted'}},
  },
  rotateWebhookSecret: {
    summary: 'Gives a webhook a new secret. For a time, events are signed with both secrets.',
    answer: WebhookWithSecret,
    codes: ['not_found', 'webhook_configured'],
    example: {
      input: {id, overlap_hours: 24},
      answer: {...secretExample, previous_secret_until: '2026-11-22T15:42:00+03:00'},
    },
  },
  testWebhook: {
    summary: 'Sends an event of type `webhook.test` to a webhook once, and returns the receiver’s answer.',
    description: 'The event is not in the list of events. The webhook may be switched off.',
    answer: z.strictObject({
      event_id: z.string(),
      accepted: z.boolean().meta({description: 'Whether the receiver answered with 2xx within 15 seconds.'}),
      status: z.int().nullable().meta({description: 'HTTP status of the answer; null if no answer came.'}),
      fault: LastFault,
    }),
    codes: ['not_found'],
    example: {
      input: {id},
      answer: {event_id: 'evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314', accepted: true, status: 204, fault: null},
    },
  },
  listDeliveries: {
    summary: 'Lists events that wait for delivery or could not be delivered, for each webhook.',
    description: 'A page has about 100 deliveries, in the order of the events. Delivered events are not listed.',
    answer: z.strictObject({items: z.array(WaitingDelivery), next_cursor: z.string().nullable()}),
    codes: [],
    example: {
      input: {state: 'waiting'},
      answer: {
        items: [
          {
            event_id: 'evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314',
            type: 'payment.received',
            created_at: '2026-11-21T15:42:07+03:00',
            webhook: id,
            state: 'waiting',
            attempts: 2,
            last_attempt_at: '2026-11-21T15:42:45+03:00',
            last_status: 503,
            last_fault: null,
            next_attempt_at: '2026-11-21T15:44:45+03:00',
          },
        ],
        next_cursor: null,
      },
    },
  },
});
