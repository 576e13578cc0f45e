/** The endpoints that return what the Worker knows about one order, and about the orders of a day. */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {PAYMENT_STATES, text} from '../fields.ts';
import {
  KnownBefore,
  Money,
  NullableText,
  OrderRefund,
  pageOf,
  Refundable,
  State,
  TimeUnknown,
} from './answer-fields.ts';
import {buyerExample, OrderBuyer} from './buyers.ts';
import {Metadata, PageWords, Title} from './events.ts';
import {Cursor, Day, Order, Service} from './fields.ts';

const Amount =
  DESCRIBED && z.string().check(z.meta({description: 'Decimal text with two places.', examples: ['149.90']}));
const Instant = DESCRIBED && z.string().check(z.meta({examples: ['2026-11-21T15:42:00+03:00']}));
const OptionalInstant = DESCRIBED && z.nullable(Instant);

/** Money that arrived, with its own state. */
const OrderTransaction =
  DESCRIBED &&
  z.strictObject({
    id: z.string().check(z.describe('Id of the transaction, or of the charge.')),
    kind: z
      .enum(['transfer', 'charge'])
      .check(
        z.describe(
          'A `transfer` arrived at a bank; a `charge` was charged to a phone bill, on the platform’s payment page.',
        ),
      ),
    amount: Money.check(z.describe('Null when the amount cannot be read.')),
    currency: z.string(),
    bank_name: NullableText.check(z.describe('Name of the bank that received the money; null for a charge.')),
    at: Instant,
    time_unknown: TimeUnknown,
    state: State.check(
      z.describe(
        'The name of the platform’s status; `unknown` until the Worker has read the status, and after the Worker has ' +
          'deleted the order.',
      ),
    ),
    known_before: z.optional(KnownBefore),
  });

const OrderPayment =
  DESCRIBED &&
  z.strictObject({
    state: z.enum(PAYMENT_STATES),
    amount: Amount,
    paid: Amount.check(z.describe('Money that counts and was not refunded: a refund lowers it.')),
    refunded: Amount.check(z.describe('Money that arrived and was sent back.')),
    remaining: Amount,
    currency: z.literal('TRY'),
    late: z
      .boolean()
      .check(z.describe('True when too little money had arrived by `pay_until`, and more arrived afterwards.')),
    refundable: Refundable,
    unclear: z
      .boolean()
      .check(
        z.describe(
          'True when some of the money does not count, because its currency is not `TRY`, its amount cannot be read, or ' +
            'its status is not among `PAID_STATUSES`.',
        ),
      ),
    amount_unclear: z
      .boolean()
      .check(
        z.describe(
          'True while nobody knows which amount the platform has, because it has not answered a change of the order. ' +
            'If it never answers, `amount` is the largest amount that is possible, until it answers another change.',
        ),
      ),
    pay_until: Instant.check(z.describe('Money that arrives afterwards is late.')),
    completed_at: OptionalInstant.check(z.describe('When the platform accepted the order as complete.')),
    cancelled_at: OptionalInstant.check(z.describe('When your server cancelled the order.')),
    transactions: z.array(OrderTransaction),
  });

/** A state that the order's payment reached. */
const ReachedState = DESCRIBED && z.strictObject({state: z.enum(PAYMENT_STATES), at: Instant});

const OrderCheck =
  DESCRIBED &&
  z.strictObject({
    checked_at: OptionalInstant.check(
      z.describe('When the Worker last read the platform’s new payments; null if the Worker has not read them yet.'),
    ),
    next_check_at: OptionalInstant.check(
      z.describe('When the Worker next reads new payments; null if no payment of the order can be found in this way.'),
    ),
    open_pages: z
      .int()
      .check(z.describe('How many pages show the order at this moment. A page without a WebSocket is not counted.')),
  });

const OrderNotice =
  DESCRIBED &&
  z.strictObject({
    notice_code: z.string(),
    bank_code: z.string().check(z.describe('Code of the bank that the notice names.')),
    amount: Amount.check(z.describe('The amount that the notice names.')),
    state: NullableText.check(
      z.meta({
        description:
          '`waiting` until the shopper has submitted the notice on the platform’s page, then `processing`; `approved` ' +
          'or `inactive` at the end. Null if the platform does not show it.',
        examples: ['processing'],
      }),
    ),
    created_at: Instant,
  });

/** One sub-merchant's part of a marketplace's order. */
const OrderPart =
  DESCRIBED &&
  z.strictObject({
    sub_merchant_id: NullableText,
    order_code: NullableText.check(z.meta({description: 'The code with which the platform answered for this part.'})),
    state: z.enum(['waiting', 'unknown', 'created']).check(
      z.meta({
        description:
          '`created`: the platform has the part. `waiting`: it was not asked for the part yet, or refused it. ' +
          '`unknown`: its answer was lost; ask the platform.',
      }),
    ),
    amount: Amount,
    payout: NullableText,
    fee: Money,
    refunded: Amount.check(
      z.meta({description: 'The successful refunds that name this sub-merchant, as far as the Worker has read them.'}),
    ),
  });

export const OrderAnswer =
  DESCRIBED &&
  z
    .strictObject({
      service: z.string(),
      order: z.string(),
      order_code: NullableText.check(z.describe('Null while the order has no order code.')),
      offer: NullableText.check(z.describe('The offer that the shopper buys; null when your server set the terms.')),
      user_id: NullableText.check(z.describe('As given by your server.')),
      title: z.nullable(Title),
      metadata: Metadata,
      page: PageWords,
      buyer: z
        .nullable(OrderBuyer)
        .check(z.describe('What the shopper filled in before the code; null if nothing was asked, or it was deleted.')),
      parts: z
        .array(OrderPart)
        .check(
          z.meta({description: 'How a marketplace’s order is split; empty for another order. Kept with the history.'}),
        ),
      created_at: OptionalInstant,
      deleted_at: OptionalInstant.check(
        z.describe('When the Worker deletes the order. After that, only the history of the order can be read.'),
      ),
      payment: z.nullable(OrderPayment).check(z.describe('Null when only the order’s refunds are known.')),
      check: z.nullable(OrderCheck).check(z.describe('Null after the Worker has deleted the order.')),
      history: z
        .array(ReachedState)
        .check(
          z.describe('The states that the payment reached, oldest first; empty while the order has no order code.'),
        ),
      payment_notices: z
        .array(OrderNotice)
        .check(z.describe('The last ten payment notices, of the shopper and of your server, oldest first.')),
      refunds: z
        .array(OrderRefund)
        .check(
          z.describe(
            'The refunds that were requested through the Worker, or that a notification reported. Oldest first.',
          ),
        ),
    })
    .check(z.meta({id: 'Order'}));
export type OrderAnswer = z.output<typeof OrderAnswer>;

/** One order in a list. */
export const ListedOrder =
  DESCRIBED &&
  z
    .strictObject({
      order: z.string(),
      order_code: NullableText,
      offer: NullableText,
      title: z.nullable(Title),
      metadata: Metadata,
      page: PageWords,
      created_at: Instant,
      changed_at: Instant.check(z.describe('When the order last changed.')),
      pay_until: Instant,
      state: z.enum(PAYMENT_STATES),
      amount: Amount,
      paid: Amount,
      refunded: Amount,
      remaining: Amount,
      currency: z.literal('TRY'),
      late: z.boolean(),
      refundable: Refundable,
    })
    .check(z.meta({id: 'ListedOrder'}));

export const orders = {
  getOrder: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders',
    scope: 'read',
    service: 'code',
    input: z.strictObject({service: Service, order: z.optional(Order), code: z.optional(text(64))}).check(
      z.refine(({order, code}) => (order === undefined) !== (code === undefined), {
        path: ['order'],
        message: 'Expected either order or code.',
      }),
    ),
    docs: DESCRIBED && {
      client: 'orders.get',
      summary: 'Gets all that the Worker knows about an order.',
      description:
        'The request names the order by your reference (`order`) or by its order code (`code`). The answer comes from ' +
        'what the Worker has stored, so the platform is not called. The answer is as new as `check.checked_at`. The ' +
        'Worker deletes an order seven days after its time to pay has ended, but keeps its history and refunds for 400 ' +
        'days. After the deletion, the answer has no `user_id` and no payment notices, and `check` is null. If the ' +
        'Worker knows only refunds of the order, `payment` is null. If the Worker knows nothing, the answer is ' +
        '`unknown_order`. `GET /merchant/v1/order-codes`, `POST /merchant/v1/transactions/search` and ' +
        '`GET /merchant/v1/refunds` ask the platform.',
      fields: {
        code: {
          description: 'The order code that the shopper sees, with or without spaces, in place of `order`.',
          examples: ['881200450017'],
        },
      },
      answer: OrderAnswer,
      codes: ['unknown_service', 'unknown_order'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {
          service: 'DEMO',
          order: 'S-1009',
          order_code: '881200450017',
          offer: null,
          user_id: 'u-31',
          title: {tr: 'Seramik lamba', en: 'Ceramic lamp'},
          metadata: {cart: '8817'},
          buyer: buyerExample,
          parts: [],
          created_at: '2026-11-21T15:30:00+03:00',
          deleted_at: '2026-12-01T15:30:00+03:00',
          payment: {
            state: 'paid',
            amount: '149.90',
            paid: '149.90',
            refunded: '0.00',
            remaining: '0.00',
            currency: 'TRY',
            late: false,
            refundable: {amount: '0.00', reason: null, left: '0.00'},
            unclear: false,
            amount_unclear: false,
            pay_until: '2026-11-24T15:30:00+03:00',
            completed_at: null,
            cancelled_at: null,
            transactions: [
              {
                id: '77001',
                kind: 'transfer',
                amount: '149.90',
                currency: 'TRY',
                bank_name: 'Garanti BBVA',
                at: '2026-11-21T15:42:00+03:00',
                time_unknown: false,
                state: 'successful',
              },
            ],
          },
          check: {
            checked_at: '2026-11-21T16:00:00+03:00',
            next_check_at: '2026-11-21T16:00:15+03:00',
            open_pages: 1,
          },
          history: [
            {state: 'waiting', at: '2026-11-21T15:30:01+03:00'},
            {state: 'paid', at: '2026-11-21T15:42:07+03:00'},
          ],
          payment_notices: [],
          refunds: [
            {
              id: '9001',
              sub_merchant_id: null,
              refund_link_id: null,
              amount: '149.90',
              status: 1,
              state: 'waiting',
              transaction_id: '77001',
              refund_time: null,
              refund_time_text: null,
              bank_receipt_no: null,
              requested_at: '2026-11-21T16:00:00+03:00',
            },
          ],
        },
      },
    },
  }),
  listOrders: endpoint({
    method: 'GET',
    path: '/merchant/v1/orders/days/{day}',
    scope: 'read',
    service: 'code',
    input: z.strictObject({
      service: Service,
      day: Day,
      state: z.optional(z.enum(PAYMENT_STATES)),
      cursor: z.optional(Cursor),
    }),
    docs: DESCRIBED && {
      client: 'orders.list',
      summary: 'Lists the orders of a day, sorted by reference.',
      description:
        'The day is the day on which the order was created, in Turkey. The list has the orders that got an order code ' +
        'or a payment page, or for which money arrived. An order stays in the list for 400 days. A page has about 100 ' +
        'orders. The platform is not called.',
      fields: {
        state: {description: 'Only orders whose payment is in this state.', examples: ['partial']},
      },
      answer: pageOf(ListedOrder),
      codes: ['unknown_service'],
      example: {
        input: {service: 'DEMO', day: '2026-11-21', state: 'partial'},
        answer: {
          items: [
            {
              order: 'S-1009',
              order_code: '881200450017',
              offer: null,
              title: {tr: 'Seramik lamba', en: 'Ceramic lamp'},
              metadata: {cart: '8817'},
              created_at: '2026-11-21T15:30:00+03:00',
              changed_at: '2026-11-21T15:42:07+03:00',
              pay_until: '2026-11-24T15:30:00+03:00',
              state: 'partial',
              amount: '149.90',
              paid: '100.00',
              refunded: '0.00',
              remaining: '49.90',
              currency: 'TRY',
              late: false,
              refundable: {amount: '0.00', reason: null, left: '100.00'},
            },
          ],
          next_cursor: null,
          total: null,
        },
      },
    },
  }),
};
