/** The endpoints of the books that ask for work: lists of what a person must decide, and forgetting a person. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {Instant, PAYMENT_STATES, text} from '../fields.ts';
import {Money, NullableText, pageOf, Refundable} from './answer-fields.ts';
import {Booking, bookingExample, Numbers, PAGES} from './books.ts';
import {buyerNames} from './buyers.ts';
import {Command} from './commands.ts';
import {Cursor, Day, Id, Order, Service} from './fields.ts';
import {WaitingDelivery} from './webhooks.ts';

export const WORK_KINDS = [
  'waiting',
  'unmatched',
  'partial',
  'late',
  'overpaid',
  'pending',
  'cancelled',
  'refund_failed',
  'refund_unknown',
  'delivery_failed',
  'expired',
] as const;

const Amount = DESCRIBED && z.string().check(z.meta({examples: ['149.90']}));

const WorkItem =
  DESCRIBED &&
  z
    .strictObject({
      booking: z
        .nullable(Booking)
        .check(
          z.describe(
            'The row of the books; null for `waiting`, `refund_unknown` and `delivery_failed`, which have none.',
          ),
        ),
      waiting: z
        .nullable(
          z.strictObject({
            order: z.string(),
            order_code: NullableText,
            offer: NullableText,
            created_at: z.string(),
            pay_until: z.string(),
          }),
        )
        .check(z.describe('The order that waits for money.')),
      payment: z
        .nullable(
          z.strictObject({
            state: z.enum(PAYMENT_STATES),
            amount: Amount,
            paid: Amount,
            remaining: Amount,
            refunded: Amount,
            refundable: Refundable,
          }),
        )
        .check(
          z.describe(
            'The order as it is now; null for money without an order, for refunds and deliveries, and if it is not known.',
          ),
        ),
      proposals: z
        .array(
          z.strictObject({
            order: z.string(),
            order_code: NullableText,
            amount: Money,
            state: z.enum(PAYMENT_STATES),
            because: z.enum(['code', 'amount']),
          }),
        )
        .check(
          z.describe(
            'At most five orders that may belong to money without an order: their code begins with the digits that the ' +
              'sender wrote, or they cost the same and are not paid. Paid ones come last.',
          ),
        ),
      command: z.nullable(Command).check(z.describe('The refund whose outcome is unknown.')),
      delivery: z.nullable(WaitingDelivery).check(z.describe('The delivery that fails.')),
    })
    .check(z.meta({id: 'WorkItem'}));

const Erasure = z
  .strictObject({
    service: Service,
    user_id: z.optional(text(255)),
    ...buyerNames,
    order: z.optional(Order),
    transaction: z.optional(Id),
  })
  .check(
    // The service, and one of the others.
    z.refine((input) => Object.values(input).filter((one) => one !== undefined).length === 2, {
      path: ['user_id'],
      message: 'Expected either user_id, email, phone, order or transaction.',
    }),
  );

export const bookWork = {
  listWork: endpoint({
    method: 'GET',
    path: '/merchant/v1/work',
    scope: 'read',
    service: 'code',
    csv: true,
    input: z.strictObject({
      service: Service,
      kind: z.enum(WORK_KINDS),
      from: z.optional(Day),
      to: z.optional(Day),
      numbers: z.optional(Numbers),
      cursor: z.optional(Cursor),
    }),
    docs: DESCRIBED && {
      client: 'books.work',
      summary: 'Lists what a person has to decide.',
      description:
        'What is done no longer appears. `waiting`: orders that got a code and may still be paid, also those that nobody ' +
        'has opened again. `unmatched`: money without an order. `partial`: orders whose time to pay ended with a part of the amount. ' +
        '`late`: orders whose money came too late. `overpaid`: orders with an excess to send back. ' +
        '`pending`: orders whose time to pay ended and whose money does not count yet. `cancelled`: cancelled orders with money. ' +
        '`refund_failed`: refunds that failed, until a later one of the same amount succeeded or nothing is left to send back. ' +
        '`refund_unknown`: refunds that the platform may have made, as `GET /merchant/v1/commands` lists them. ' +
        '`delivery_failed`: deliveries that failed at least once, as `GET /merchant/v1/deliveries` lists them. These two and `waiting` have the oldest first, ' +
        'and the others the newest. `expired`: orders that expired, yesterday unless `from` or `to` is given. ' +
        `A page has at most 20 rows of the books. ${PAGES} The path with \`.csv\`, or \`Accept: text/csv\`, returns at most ` +
        '900 waiting orders as a file, whose header `link` leads to more.',
      fields: {
        kind: {description: 'What to list.'},
        from: {description: 'The first day of the rows.'},
        to: {description: 'The last day of the rows.'},
        numbers: {description: 'How the file writes numbers.', examples: ['tr']},
      },
      answer: pageOf(WorkItem),
      codes: ['unknown_service'],
      example: {
        input: {service: 'DEMO', kind: 'unmatched'},
        answer: {
          items: [
            {
              booking: {
                ...bookingExample,
                type: 'money.unmatched',
                state: null,
                order: null,
                order_code: null,
                order_amount: null,
                description: '88120045',
              },
              waiting: null,
              payment: null,
              proposals: [
                {order: 'S-1009', order_code: '881200450017', amount: '149.90', state: 'waiting', because: 'code'},
              ],
              command: null,
              delivery: null,
            },
          ],
          next_cursor: null,
          total: null,
        },
      },
    },
  }),
  forgetPerson: endpoint({
    method: 'POST',
    path: '/merchant/v1/erasures',
    scope: 'money',
    service: 'code',
    write: true,
    input: Erasure,
    docs: DESCRIBED && {
      client: 'books.forgetPerson',
      summary:
        'Deletes what names a person: of all orders of a user or a buyer, of one order, or of money and the order that has it.',
      description:
        'Sender’s name, `user_id`, the buyer, `prefill` and what the sender wrote are deleted from orders, books, search and events, also from events that wait for delivery; rows and sums stay. ' +
        'An order that never got a code is not found by its user: name it with `order`. A person whom no order has gets `not_found`. A request forgets at most 100 orders. `left` says how many more the person has, at most some 10,000: until `complete` is true, repeat the request with a new key. ' +
        'After a replacement of `SESSION_SECRET`, no `email` or `phone` finds the orders from before `unknown_before`: name them with `order`.',
      fields: {
        user_id: {description: 'As your server gave it.'},
        transaction: {description: 'Id of money, with or without an order.'},
      },
      answer: z.strictObject({
        orders: z.int(),
        rows: z.int(),
        left: z.int(),
        complete: z.boolean(),
        unknown_before: z.optional(Instant()),
      }),
      codes: ['unknown_service', 'unknown_order', 'not_found'],
      example: {input: {service: 'DEMO', user_id: 'u-7'}, answer: {orders: 2, rows: 4, left: 0, complete: true}},
    },
  }),
};
