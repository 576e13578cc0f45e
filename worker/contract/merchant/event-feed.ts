/** The endpoints that list or get events, and the endpoint that sends an event to the webhooks again. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {Cursor, Order, Service} from './fields.ts';
import {EVENT_TYPES, webhookId} from './webhooks.ts';

const EventId = z.string().regex(/^evt_[0-9a-f]{32}$/, 'Expected the id of an event.');

/** Where a list of events begins. `after` is the old name of `cursor`. */
const position = {cursor: Cursor.optional(), after: Cursor.optional()};

interface Position {
  readonly cursor?: string | undefined;
  readonly after?: string | undefined;
}

function requireOneCursor({value: {cursor, after}, issues}: z.core.ParsePayload<Position>): void {
  if (cursor !== undefined && after !== undefined)
    issues.push({code: 'custom', path: ['after'], message: 'Send only `cursor`.', input: after});
}

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
        ...position,
        from: z.literal('now').optional(),
        service: Service.optional(),
        order: Order.optional(),
        type: z.enum(EVENT_TYPES).optional(),
      })
      .check(requireOneCursor)
      .refine(({service, order}) => (service === undefined) === (order === undefined), {
        path: ['service'],
        message: 'Expected service and order together.',
      })
      .refine(({cursor, after, from}) => from === undefined || (cursor ?? after) === undefined, {
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
    input: z.strictObject(position).check(requireOneCursor),
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
