/** The endpoints that change webhooks, and the endpoint that lists deliveries of events to them. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {sensibleLine} from '../fields.ts';
import {NullableText} from './answer-fields.ts';
import {Cursor, ServiceList} from './fields.ts';

/** Every type of event. `events.ts` describes the events, and does not compile if a type is missing. */
export const EVENT_TYPES = [
  'payment.partial',
  'payment.pending',
  'payment.received',
  'payment.overpaid',
  'payment.withdrawn',
  'payment.expired',
  'payment.cancelled',
  'payment.completed',
  'payment.refunded',
  'payment.changed',
  'payment_notice.created',
  'payment_notice.changed',
  'refund.requested',
  'refund.changed',
  'refund.settled',
  'refund.failed',
  'subscription.started',
  'subscription.cancelled',
  'subscription.changed',
  'subscription.renewed',
  'charge.changed',
  'command.unknown',
  'command.settled',
  'transaction.unmatched',
  'vendor.registered',
  'quota.low',
  'quota.queued',
  'webhook.changed',
  'webhook.test',
] as const;

export const DELIVERY_STATES = ['waiting', 'dead'] as const;

export const webhookId = () =>
  z.string().check(z.regex(/^wh_(configured|[0-9a-f]{24})$/, 'Expected the id of a webhook.'));
const url = () => z.string().check(z.minLength(1), z.maxLength(2000), sensibleLine());
const types = () => z.nullable(z.array(z.enum(EVENT_TYPES)).check(z.minLength(1), z.maxLength(EVENT_TYPES.length)));

const ID = {description: '`wh_configured` is the webhook of `WEBHOOK_URL`.', examples: ['wh_1f0c9a6be2d44f6a8b5a9c1d']};
const TYPES = {
  description: 'The types of events that the webhook receives; null for every type, including types of later versions.',
  examples: [['payment.received', 'payment.overpaid']],
};
const SERVICES = {
  description:
    'The services whose events the webhook receives; null for all events, also those that name no service. A webhook ' +
    'that a key with `services` creates or changes has no others.',
  examples: [['DEMO']],
};
const URL_FIELD = {
  description: 'Must begin with `https://`, be reachable from the Internet, and contain no credentials.',
  examples: ['https://shop.example/vezne'],
};
const ENABLED = {description: 'False to send no events for now. A new webhook is on by default.', examples: [true]};

const LastStatus =
  DESCRIBED &&
  z
    .nullable(z.int())
    .check(z.describe('HTTP status of the last answer that did not accept an event; null if no answer came.'));
export const LastFault =
  DESCRIBED &&
  z
    .nullable(z.enum(['timeout', 'connection', 'interrupted', 'secret_unreadable']))
    .check(z.describe('Why no answer came; null if an answer came.'));

const WEBHOOK = DESCRIBED && {
  id: z.string().check(z.meta(ID)),
  url: z.string(),
  types: z.nullable(z.array(z.enum(EVENT_TYPES))).check(z.meta(TYPES)),
  services: z.nullable(z.array(z.string())).check(z.meta(SERVICES)),
  enabled: z.boolean(),
  configured: z.boolean().check(z.describe('True for the webhook of `WEBHOOK_URL`, which the API cannot change.')),
  created_at: z.nullable(z.string()),
  changed_at: z.nullable(z.string()),
  previous_secret_until: z
    .nullable(z.string())
    .check(
      z.describe(
        'Until when events are signed with the secret that the last rotation replaced, or else with the next older one ' +
          'that still signs; null if only the current secret signs.',
      ),
    ),
  last_success_at: z.nullable(z.string()).check(z.describe('Accurate to a minute.')),
  last_failure_at: z.nullable(z.string()),
  last_status: LastStatus,
  last_fault: LastFault,
  waiting: z.int().check(z.describe('How many events wait for delivery; 1000 also for any larger number.')),
};
export const Webhook = DESCRIBED && z.strictObject(WEBHOOK).check(z.meta({id: 'Webhook'}));
const Secret =
  DESCRIBED &&
  z.nullable(z.string()).check(
    z.meta({
      description:
        'The secret that verifies signatures. The Worker shows it only once: null if this answer is repeated for the ' +
        'same `Idempotency-Key`.',
      examples: ['whsec_dmV6bmUgd2ViaG9vayBleGFtcGxlIHNlY3JldCAwMDAx'],
    }),
  );
const WebhookWithSecret =
  DESCRIBED && z.strictObject({...WEBHOOK, secret: Secret}).check(z.meta({id: 'WebhookWithSecret'}));

export const WaitingDelivery =
  DESCRIBED &&
  z
    .strictObject({
      event_id: z.string(),
      type: z.enum(EVENT_TYPES),
      created_at: z.string().check(z.describe('When the event happened.')),
      service: NullableText,
      order: NullableText,
      webhook: z.string().check(z.meta(ID)),
      state: z.enum(DELIVERY_STATES),
      attempts: z.int(),
      last_attempt_at: z.nullable(z.string()),
      last_status: LastStatus,
      last_fault: LastFault,
      next_attempt_at: z
        .nullable(z.string())
        .check(
          z.describe('Null for a dead delivery, and while the event waits for an earlier event of the same order.'),
        ),
    })
    .check(z.meta({id: 'Delivery'}));

const id = 'wh_1f0c9a6be2d44f6a8b5a9c1d';
const webhookExample = {
  id,
  url: 'https://shop.example/vezne',
  types: null,
  services: null,
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
const secretExample = DESCRIBED && {...webhookExample, secret: 'whsec_dmV6bmUgd2ViaG9vayBleGFtcGxlIHNlY3JldCAwMDAx'};

export const webhooks = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/merchant/v1/webhooks',
    scope: 'read',
    service: 'list',
    input: z.strictObject({}),
    docs: DESCRIBED && {
      client: 'webhooks.list',
      summary: 'Lists the webhooks, each with the results of its deliveries.',
      answer: z.strictObject({items: z.array(Webhook)}),
      codes: [],
      example: {input: {}, answer: {items: [webhookExample]}},
    },
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/merchant/v1/webhooks',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    shownOnce: 'secret',
    status: 201,
    input: z.strictObject({
      url: url(),
      types: z.optional(types()),
      services: z.optional(z.nullable(ServiceList)),
      enabled: z.optional(z.boolean()),
    }),
    docs: DESCRIBED && {
      client: 'webhooks.create',
      summary: 'Creates a webhook, to which the Worker sends the events that happen from now on.',
      description:
        'Store the `secret`, because it is shown only once. If the answer was lost, give the webhook a new secret. There ' +
        'may be ten webhooks in addition to the webhook of `WEBHOOK_URL`. An API key that is limited to services may make ' +
        'one while fewer than five are limited to its services.',
      fields: {
        url: URL_FIELD,
        types: TYPES,
        services: SERVICES,
        enabled: ENABLED,
      },
      answer: WebhookWithSecret,
      codes: ['webhook_limit', 'unknown_service'],
      example: {input: {url: webhookExample.url}, answer: secretExample},
    },
  }),
  getWebhook: endpoint({
    method: 'GET',
    path: '/merchant/v1/webhooks/{id}',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({id: webhookId()}),
    docs: DESCRIBED && {
      client: 'webhooks.get',
      summary: 'Shows a webhook with the results of its deliveries.',
      fields: {id: ID},
      answer: Webhook,
      codes: ['not_found'],
      example: {input: {id}, answer: webhookExample},
    },
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/merchant/v1/webhooks/{id}',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    input: z.strictObject({
      id: webhookId(),
      url: z.optional(url()),
      types: z.optional(types()),
      services: z.optional(z.nullable(ServiceList)),
      enabled: z.optional(z.boolean()),
    }),
    docs: DESCRIBED && {
      client: 'webhooks.update',
      summary: 'Changes the URL, the types or the services of events, or switches the webhook on or off.',
      description:
        'Switching a webhook off ends its waiting deliveries. Its events stay listed, and can be sent again.',
      fields: {
        id: ID,
        url: URL_FIELD,
        types: TYPES,
        services: SERVICES,
        enabled: ENABLED,
      },
      answer: Webhook,
      codes: ['not_found', 'webhook_configured', 'unknown_service'],
      example: {input: {id, types: ['payment.received']}, answer: {...webhookExample, types: ['payment.received']}},
    },
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/merchant/v1/webhooks/{id}',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    input: z.strictObject({id: webhookId()}),
    docs: DESCRIBED && {
      client: 'webhooks.delete',
      summary: 'Deletes a webhook and its deliveries. The events stay in the list of events.',
      fields: {id: ID},
      answer: z.strictObject({id: z.string(), state: z.literal('deleted')}),
      codes: ['not_found', 'webhook_configured'],
      example: {input: {id}, answer: {id, state: 'deleted'}},
    },
  }),
  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/merchant/v1/webhooks/{id}/rotate-secret',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    shownOnce: 'secret',
    input: z.strictObject({id: webhookId(), overlap_hours: z.optional(z.int().check(z.minimum(0), z.maximum(168)))}),
    docs: DESCRIBED && {
      client: 'webhooks.rotateSecret',
      summary: 'Gives a webhook a new secret. For a time, events are signed with the replaced secret, too.',
      description:
        'Each replaced secret signs until its own time, the `previous_secret_until` of the answer, whatever happens ' +
        'afterwards. So a receiver that missed a rotation goes on verifying. At most five secrets sign at the same time.',
      fields: {
        id: ID,
        overlap_hours: {
          description:
            'For how many hours every event is signed with the replaced secret, too. 24 by default. With 0, the ' +
            'replaced secret ends at once; earlier ones keep their time.',
          examples: [24],
        },
      },
      answer: WebhookWithSecret,
      codes: ['not_found', 'webhook_configured', 'rotation_limit'],
      example: {
        input: {id, overlap_hours: 24},
        answer: {...secretExample, previous_secret_until: '2026-11-22T15:42:00+03:00'},
      },
    },
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/merchant/v1/webhooks/{id}/test',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    input: z.strictObject({id: webhookId()}),
    docs: DESCRIBED && {
      client: 'webhooks.test',
      summary: 'Sends an event of type `webhook.test` to a webhook once, and returns the receiver’s answer.',
      description: 'The event is not in the list of events. The webhook may be switched off.',
      fields: {id: ID},
      answer: z.strictObject({
        event_id: z.string(),
        accepted: z.boolean().check(z.describe('Whether the receiver answered with 2xx within 15 seconds.')),
        status: z.nullable(z.int()).check(z.describe('HTTP status of the answer; null if no answer came.')),
        fault: LastFault,
      }),
      codes: ['not_found'],
      example: {
        input: {id},
        answer: {event_id: 'evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314', accepted: true, status: 204, fault: null},
      },
    },
  }),
  resendDeliveries: endpoint({
    method: 'POST',
    path: '/merchant/v1/deliveries/resend',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    input: z.strictObject({webhook: z.optional(webhookId())}),
    docs: DESCRIBED && {
      client: 'webhooks.resendDeliveries',
      summary: 'Delivers now what waits for a later attempt, for example after your receiver failed.',
      description:
        'The Worker sends no more events at the same time than otherwise, and events of one order one after another. ' +
        'Dead events stay dead; `POST /merchant/v1/events/{id}/resend` sends one of them again.',
      fields: {webhook: {...ID, description: 'Only deliveries to this webhook; by default, to all webhooks.'}},
      answer: z.strictObject({
        resumed: z
          .int()
          .check(
            z.describe('How many orders, subscriptions and other subjects of events had to wait, and no longer do.'),
          ),
      }),
      codes: ['not_found'],
      example: {input: {}, answer: {resumed: 12}},
    },
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/merchant/v1/deliveries',
    scope: 'read',
    service: 'list',
    input: z.strictObject({
      webhook: z.optional(webhookId()),
      state: z.optional(z.enum(DELIVERY_STATES)),
      cursor: z.optional(Cursor),
    }),
    docs: DESCRIBED && {
      client: 'webhooks.listDeliveries',
      summary: 'Lists events that wait for delivery or could not be delivered, for each webhook.',
      description: 'A page has about 100 deliveries, in the order of the events. Delivered events are not listed.',
      fields: {
        webhook: ID,
        state: {
          description: '`waiting`: the Worker will try to deliver the event. `dead`: the Worker has stopped trying.',
          examples: ['waiting'],
        },
        cursor: {description: '`next_cursor` of the previous page.', examples: ['aGEt1b3_Y8yIuQm0.Xk9pTz5rVw']},
      },
      answer: z.strictObject({items: z.array(WaitingDelivery), next_cursor: z.nullable(z.string())}),
      codes: [],
      example: {
        input: {state: 'waiting'},
        answer: {
          items: [
            {
              event_id: 'evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314',
              type: 'payment.received',
              created_at: '2026-11-21T15:42:07+03:00',
              service: 'DEMO',
              order: 'S-1009',
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
  }),
};
