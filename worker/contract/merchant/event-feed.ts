/** The endpoints that list or get events, and the endpoint that sends an event to the webhooks again. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {pageOf} from './answer-fields.ts';
import {MerchantEvent} from './events.ts';
import {Cursor, Order, Service} from './fields.ts';
import {EVENT_TYPES, webhookId} from './webhooks.ts';
import {LastFault} from './webhooks.ts';

const EventId = z.string().check(z.regex(/^evt_[0-9a-f]{32}$/, 'Expected the id of an event.'));

export const DeadEvent =
  DESCRIBED &&
  z
    .strictObject({
      event: MerchantEvent,
      webhook: z.string().check(z.describe('Id of the webhook that did not accept the event.')),
      attempts: z.int(),
      last_attempt_at: z.string(),
      last_status: z.nullable(z.int()).check(z.describe('HTTP status of the last answer; null if no answer came.')),
      last_fault: LastFault,
    })
    .check(z.meta({id: 'DeadEvent'}));

export const eventExample: MerchantEvent = {
  id: 'evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314',
  type: 'payment.received',
  created_at: '2026-11-21T15:42:07+03:00',
  data: {
    service: 'DEMO',
    order: 'S-1009',
    order_code: '881200450017',
    offer: null,
    user_id: 'u-1',
    title: null,
    metadata: {cart: '8817'},
    state: 'paid',
    amount: '149.90',
    paid: '149.90',
    refunded: '0.00',
    remaining: '0.00',
    currency: 'TRY',
    late: false,
    refundable: {amount: '0.00', reason: null, left: '149.90'},
    transactions: [
      {
        id: '77001',
        amount: '149.90',
        currency: 'TRY',
        bank_name: 'Garanti BBVA',
        at: '2026-11-21T15:42:00+03:00',
        time_unknown: false,
      },
    ],
  },
};

export const events = {
  listEvents: endpoint({
    method: 'GET',
    path: '/merchant/v1/events',
    scope: 'read',
    service: 'list',
    input: z
      .strictObject({
        cursor: z.optional(Cursor),
        from: z.optional(z.literal('now')),
        service: z.optional(Service),
        order: z.optional(Order),
        type: z.optional(z.enum(EVENT_TYPES)),
      })
      .check(
        z.refine(({service, order}) => (service === undefined) === (order === undefined), {
          path: ['service'],
          message: 'Expected service and order together.',
        }),
        z.refine(({cursor, from}) => from === undefined || cursor === undefined, {
          path: ['from'],
          message: 'A request with a cursor cannot start from now.',
        }),
      ),
    docs: DESCRIBED && {
      client: 'events.list',
      summary: 'Lists events, oldest first.',
      description:
        'The answer contains up to 100 events after a cursor, and the cursor for the next request. Save this cursor, ' +
        'and request further events whenever you like. The events of one order are in the order in which they ' +
        'happened. Events are kept for 30 days.\n\n' +
        'With `service` and `order`, the answer has only the events of this order: of its payment, its notices, its ' +
        'refunds and its commands. With a filter, the Worker reads a limited number of events for each page, so a page ' +
        'may be empty although `more` is true. Use a cursor only with the filter of the request that returned it.',
      fields: {
        cursor: {
          description: '`next_cursor` of the previous answer. Without it, the list starts at the oldest event.',
          examples: ['aGEt1b3_Y8yIuQm0.Xk9pTz5rVw'],
        },
        from: {
          description:
            '`now`: for a new consumer. The answer has no events, only a cursor for the events that happen from now on.',
          examples: ['now'],
        },
        type: {description: 'Only events of this type.', examples: ['payment.received']},
      },
      answer: z.strictObject({
        items: z.array(MerchantEvent),
        next_cursor: z
          .nullable(z.string())
          .check(z.describe('The value of `cursor` for the next request; null only if there has never been an event.')),
        more: z.boolean().check(z.describe('Whether the next page already has events.')),
      }),
      codes: [],
      example: {input: {}, answer: {items: [eventExample], next_cursor: 'aGEt1b3_Y8yIuQm0.Xk9pTz5rVw', more: false}},
    },
  }),
  listDeadEvents: endpoint({
    method: 'GET',
    path: '/merchant/v1/events/dead',
    scope: 'read',
    service: 'list',
    input: z.strictObject({cursor: z.optional(Cursor)}),
    docs: DESCRIBED && {
      client: 'events.listDead',
      summary: 'Lists events that could not be delivered to a webhook within three days.',
      description:
        'A page has about 100 events, oldest first. An event is listed for each webhook that did not accept it.',
      answer: pageOf(DeadEvent),
      codes: [],
      example: {
        input: {},
        answer: {
          items: [
            {
              event: eventExample,
              webhook: 'wh_configured',
              attempts: 15,
              last_attempt_at: '2026-11-24T15:42:07+03:00',
              last_status: 503,
              last_fault: null,
            },
          ],
          next_cursor: null,
          total: 1,
        },
      },
    },
  }),
  getEvent: endpoint({
    method: 'GET',
    path: '/merchant/v1/events/{id}',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({id: EventId}),
    docs: DESCRIBED && {
      client: 'events.get',
      summary: 'Gets an event.',
      answer: MerchantEvent,
      codes: ['not_found'],
      example: {input: {id: eventExample.id}, answer: eventExample},
    },
  }),
  resendEvent: endpoint({
    method: 'POST',
    path: '/merchant/v1/events/{id}/resend',
    scope: 'webhooks',
    service: 'handler',
    write: true,
    input: z.strictObject({id: EventId, webhook: z.optional(webhookId())}),
    docs: DESCRIBED && {
      client: 'events.resend',
      summary: 'Sends an event to the webhooks again.',
      description:
        'For three days, the Worker tries to deliver the event, even if the event was delivered before. Later events ' +
        'of the same order wait for this event.',
      fields: {
        webhook: {
          description: 'The webhook that gets the event. By default, every webhook that takes events of this type.',
          examples: ['wh_configured'],
        },
      },
      answer: z.strictObject({id: z.string(), state: z.literal('waiting')}),
      codes: ['not_found', 'not_configured'],
      example: {input: {id: eventExample.id}, answer: {id: eventExample.id, state: 'waiting'}},
    },
  }),
};
