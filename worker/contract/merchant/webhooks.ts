/** The endpoints that change webhooks, and the endpoint that lists deliveries of events to them. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {Cursor} from './fields.ts';

/** Every type of event. `descriptions/events.ts` describes the events, and does not compile if a type is missing. */
export const EVENT_TYPES = [
  'payment.partial',
  'payment.received',
  'payment.overpaid',
  'payment.withdrawn',
  'payment.expired',
  'payment.completed',
  'payment.refunded',
  'payment.changed',
  'payment_notice.created',
  'refund.requested',
  'refund.changed',
  'refund.settled',
  'refund.failed',
  'subscription.started',
  'subscription.cancelled',
  'subscription.changed',
  'charge.changed',
  'command.unknown',
  'command.settled',
  'transaction.unmatched',
  'vendor.registered',
  'webhook.changed',
  'webhook.test',
] as const;

export const DELIVERY_STATES = ['waiting', 'dead'] as const;

export const webhookId = () => z.string().regex(/^wh_(configured|[0-9a-f]{24})$/, 'Expected the id of a webhook.');
const url = () =>
  z
    .string()
    .min(1)
    .max(2000)
    .refine((text) => text.isWellFormed(), 'Expected well-formed text without NUL.');
const types = () => z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length).nullable();

export const webhooks = {
  listWebhooks: endpoint({
    method: 'GET',
    path: '/merchant/v1/webhooks',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({}),
  }),
  createWebhook: endpoint({
    method: 'POST',
    path: '/merchant/v1/webhooks',
    operation: null,
    scope: 'webhooks',
    write: true,
    shownOnce: 'secret',
    status: 201,
    input: z.strictObject({url: url(), types: types().optional(), enabled: z.boolean().optional()}),
  }),
  getWebhook: endpoint({
    method: 'GET',
    path: '/merchant/v1/webhooks/{id}',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({id: webhookId()}),
  }),
  updateWebhook: endpoint({
    method: 'PATCH',
    path: '/merchant/v1/webhooks/{id}',
    operation: null,
    scope: 'webhooks',
    write: true,
    status: 200,
    input: z.strictObject({
      id: webhookId(),
      url: url().optional(),
      types: types().optional(),
      enabled: z.boolean().optional(),
    }),
  }),
  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/merchant/v1/webhooks/{id}',
    operation: null,
    scope: 'webhooks',
    write: true,
    status: 200,
    input: z.strictObject({id: webhookId()}),
  }),
  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/merchant/v1/webhooks/{id}/rotate-secret',
    operation: null,
    scope: 'webhooks',
    write: true,
    shownOnce: 'secret',
    status: 200,
    input: z.strictObject({id: webhookId(), overlap_hours: z.int().min(0).max(168).optional()}),
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/merchant/v1/webhooks/{id}/test',
    operation: null,
    scope: 'webhooks',
    write: true,
    status: 200,
    input: z.strictObject({id: webhookId()}),
  }),
  listDeliveries: endpoint({
    method: 'GET',
    path: '/merchant/v1/deliveries',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({
      webhook: webhookId().optional(),
      state: z.enum(DELIVERY_STATES).optional(),
      cursor: Cursor.optional(),
    }),
  }),
};
