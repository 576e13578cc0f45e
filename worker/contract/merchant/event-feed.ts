/** The endpoints that list or get events, and the endpoint that sends an event to the webhook again. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {Order, Service} from './fields.ts';
import {EVENT_TYPES, webhookId} from './webhooks.ts';

const EventId = z.string().regex(/^evt_[0-9a-f]{32}$/, 'Expected the id of an event.');
const eventCursor = () => z.string().min(1).max(500).optional();

export const events = {
  listEvents: endpoint({
    method: 'GET',
    path: '/merchant/v1/events',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z
      .strictObject({
        after: eventCursor(),
        from: z.literal('now').optional(),
        service: Service.optional(),
        order: Order.optional(),
        type: z.enum(EVENT_TYPES).optional(),
      })
      .refine(({service, order}) => (service === undefined) === (order === undefined), {
        path: ['service'],
        message: 'Expected service and order together.',
      })
      .refine(({after, from}) => after === undefined || from === undefined, {
        path: ['from'],
        message: 'A request with a cursor cannot start from now.',
      }),
  }),
  listDeadEvents: endpoint({
    method: 'GET',
    path: '/merchant/v1/events/dead',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({
      after: eventCursor(),
    }),
  }),
  getEvent: endpoint({
    method: 'GET',
    path: '/merchant/v1/events/{id}',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({id: EventId}),
  }),
  resendEvent: endpoint({
    method: 'POST',
    path: '/merchant/v1/events/{id}/resend',
    operation: null,
    scope: 'webhooks',
    write: true,
    status: 200,
    input: z.strictObject({id: EventId, webhook: webhookId().optional()}),
  }),
};
