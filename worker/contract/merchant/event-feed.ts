/** The endpoints that list events, and the endpoint that sends an event to the webhook again. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {Cursor} from './fields.ts';
import {webhookId} from './webhooks.ts';

/** Where a list of events begins. The field was called `after`. */
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
    input: z.strictObject(position).check(requireOneCursor),
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
