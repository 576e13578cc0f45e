/** The endpoints that list events, and the endpoint that sends an event to the webhook again. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {webhookId} from './webhooks.ts';

const eventCursor = () => z.string().min(1).max(500).optional();

export const events = {
  listEvents: endpoint({
    method: 'GET',
    path: '/merchant/v1/events',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({
      after: eventCursor(),
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
  resendEvent: endpoint({
    method: 'POST',
    path: '/merchant/v1/events/{id}/resend',
    operation: null,
    scope: 'webhooks',
    write: true,
    status: 200,
    input: z.strictObject({
      id: z.string().regex(/^evt_[0-9a-f]{32}$/, 'Expected the id of an event.'),
      webhook: webhookId().optional(),
    }),
  }),
};
