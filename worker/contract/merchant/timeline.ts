/** The endpoint that tells everything that happened to one order, and what happens next. */

import * as z from 'zod/mini';
import {BOOKING_TYPES} from '../booking-types.ts';
import {endpoint} from '../endpoint.ts';
import {Money, NullableText} from './answer-fields.ts';
import {Order, Service} from './fields.ts';

const Instant = DESCRIBED && z.string().check(z.meta({examples: ['2026-11-21T15:42:00+03:00']}));

/** What a timeline has besides the rows of the books. */
export const HAPPENINGS =
  DESCRIBED &&
  ([
    ...BOOKING_TYPES,
    'code.created',
    'code.changed',
    'code.change_failed',
    'code.failed',
    'bank_page.opened',
    'payment_page.opened',
    'payment_page.failed',
    'handed_over',
    'notice.failed',
    'refund_link.created',
    'refund_link.opened',
    'refund_link.used',
    'refund_link.withdrawn',
    'refund_link.expired',
    'event',
    'delivery.accepted',
    'delivery.failed',
    'command',
  ] as const);
/** The operation of the platform that created an order's code. */
export type CodeOrigin = 'create' | 'direct' | 'unknown';
export const ACTORS = ['shopper', 'merchant', 'platform', 'worker'] as const;
export const NEXT_STEPS = [
  'expires',
  'search',
  'status_check',
  'notice_check',
  'refund_check',
  'refund_link_end',
  'delivery',
  'delivery_end',
  'command_check',
  'deletion',
] as const;

const Happening =
  DESCRIBED &&
  z
    .strictObject({
      at: Instant,
      what: z.enum(HAPPENINGS),
      by: z.enum(ACTORS).check(z.describe('Who did it.')),
      key: NullableText.check(z.describe('The id of the API key with which your server did it.')),
      name: NullableText.check(
        z.describe(
          'The type of an event, the operation of a command, how a code was made, or the bank of money and notices.',
        ),
      ),
      id: NullableText.check(
        z.describe('The order code, or the id of the transaction, refund, notice, link, event or command.'),
      ),
      state: NullableText.check(
        z.describe('The state that the order reached, or that the notice, link, delivery or command has now.'),
      ),
      amount: Money,
      sender: NullableText,
      webhook: NullableText,
      attempt: z
        .nullable(z.int())
        .check(z.describe('Which attempt to deliver the event this was; failed: the last one.')),
      reason: NullableText.check(z.describe('Why it failed: an error code, an HTTP status or a fault.')),
      booked_at: z.nullable(Instant).check(z.describe('When the Worker learnt of it, if the books have it.')),
    })
    .check(z.meta({id: 'Happening'}));

const Timeline =
  DESCRIBED &&
  z
    .strictObject({
      service: z.string(),
      order: z.string(),
      items: z.array(Happening).check(z.describe('Oldest first.')),
      next: z
        .array(z.strictObject({what: z.enum(NEXT_STEPS), at: Instant, id: NullableText}))
        .check(z.describe('What the Worker does next for the order, earliest first.')),
    })
    .check(z.meta({id: 'Timeline'}));

const none = {
  key: null,
  name: null,
  id: null,
  state: null,
  amount: null,
  sender: null,
  webhook: null,
  attempt: null,
  reason: null,
  booked_at: null,
};

export const timeline = {
  showTimeline: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders/timeline',
    scope: 'read',
    service: 'code',
    input: z.strictObject({service: Service, order: Order}),
    docs: DESCRIBED && {
      client: 'orders.timeline',
      summary: 'Tells everything that happened to an order, with its failures, and what happens next.',
      description:
        'Built from the order, the books, refunds, commands, events and deliveries: the books are kept for 400 days, events for 30, ' +
        'settled commands for 7, refund links for 30 after their end. Codes, hand-offs, pages and the last ten failed calls are kept until the order ' +
        'is deleted, and with the books as they were when the order changed last. An event without a delivery was not sent yet, or no webhook takes it. A code that the platform refused is told for 7 days, also if there is no order.',
      answer: Timeline,
      codes: ['unknown_service', 'unknown_order'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {
          service: 'DEMO',
          order: 'S-1009',
          items: [
            {
              ...none,
              at: '2026-11-21T15:40:00+03:00',
              what: 'order.placed',
              by: 'merchant',
              key: 'root',
              state: 'waiting',
              amount: '149.90',
              booked_at: '2026-11-21T15:40:00+03:00',
            },
            {
              ...none,
              at: '2026-11-21T15:42:20+03:00',
              what: 'delivery.failed',
              by: 'merchant',
              name: 'payment.received',
              id: 'evt_0123456789abcdef0123456789abcdef',
              state: 'waiting',
              webhook: 'wh_configured',
              attempt: 2,
              reason: '503',
            },
          ],
          next: [
            {what: 'delivery', at: '2026-11-21T15:43:20+03:00', id: 'evt_0123456789abcdef0123456789abcdef'},
            {what: 'delivery_end', at: '2026-11-24T15:42:15+03:00', id: 'evt_0123456789abcdef0123456789abcdef'},
          ],
        },
      },
    },
  }),
};
