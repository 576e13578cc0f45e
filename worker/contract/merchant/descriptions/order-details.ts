/** The answer about one order, with an example and descriptions. */

import * as z from 'zod';
import {PAYMENT_STATES} from '../../browser/answers.ts';
import {orders} from '../order-details.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {Money, NullableText, oldNameOf, State, Status, Time} from './fields.ts';

const Amount = z.string().meta({description: 'Decimal text with two places.', examples: ['149.90']});
const Instant = z.string().meta({examples: ['2026-11-21T15:42:00+03:00']});
const OptionalInstant = Instant.nullable();

/** Money that arrived, with its own state. */
const OrderTransaction = z.strictObject({
  id: z.string().meta({description: 'Id of the transaction, or of the charge.'}),
  kind: z.enum(['transfer', 'charge']).meta({
    description:
      'A `transfer` arrived at a bank; a `charge` was charged to a phone bill, on the platform’s payment page.',
  }),
  amount: Money.meta({description: 'Null when the amount cannot be read.'}),
  currency: z.string(),
  bank_name: NullableText.meta({description: 'Name of the bank that received the money; null for a charge.'}),
  bank: NullableText.meta(oldNameOf('bank_name')),
  at: Instant,
  state: State.meta({description: 'The name of the platform’s status; `unknown` until the Worker has read it.'}),
});

const OrderPayment = z.strictObject({
  state: z.enum(PAYMENT_STATES),
  amount: Amount,
  paid: Amount.meta({description: 'Money that arrived and was not refunded: a refund lowers it.'}),
  refunded: Amount.meta({description: 'Money that arrived and was sent back.'}),
  remaining: Amount,
  currency: z.literal('TRY'),
  late: z.boolean().meta({
    description: 'True when too little money had arrived by `pay_until`, and more arrived afterwards.',
  }),
  unclear: z.boolean().meta({
    description:
      'True when some of the money does not count, because its currency is not `TRY` or its amount cannot be read.',
  }),
  pay_until: Instant.meta({description: 'Money that arrives afterwards is late.'}),
  completed_at: OptionalInstant.meta({description: 'When the platform accepted the order as complete.'}),
  transactions: z.array(OrderTransaction),
});

const OrderNotice = z.strictObject({
  notice_code: z.string(),
  bank_code: z.string().meta({description: 'Code of the bank that the shopper named.'}),
  bank: z.string().meta(oldNameOf('bank_code')),
  amount: Amount.meta({description: 'The amount that the shopper named.'}),
  sent: z.boolean().nullable().meta({
    description:
      'Whether the shopper submitted the notice on the platform’s page; null if the platform does not show it.',
  }),
  created_at: Instant,
});

const OrderRefund = z.strictObject({
  id: z.string(),
  amount: Money,
  status: Status.meta({description: 'The platform’s own status; null until the Worker has read the refund.'}),
  state: State,
  transaction_id: NullableText,
  refund_time: Time,
  bank_receipt_no: NullableText,
  requested_at: Instant.meta({description: 'When the Worker requested the refund or learnt of it.'}),
});

export const Order = z
  .strictObject({
    service: z.string(),
    order: z.string(),
    order_code: NullableText.meta({description: 'Null while the order has no order code.'}),
    offer: NullableText.meta({description: 'The offer that the shopper buys; null when your server set the terms.'}),
    user_id: NullableText.meta({description: 'As given by your server.'}),
    created_at: OptionalInstant,
    deleted_at: OptionalInstant.meta({description: 'When the Worker will delete the order.'}),
    payment: OrderPayment.nullable().meta({
      description: 'Null when the Worker has deleted the order, so that only its refunds are known.',
    }),
    payment_notices: z.array(OrderNotice).meta({
      description: 'The last payment notice that the shopper sent from a page. Empty if the shopper sent no notice.',
    }),
    refunds: z.array(OrderRefund).meta({
      description: 'The refunds that were requested through the Worker, or that a notification reported. Oldest first.',
    }),
  })
  .meta({id: 'Order'});

export const orderDescriptions = describeEndpoints('Orders', orders, {
  getOrder: {
    summary: 'Gets all that the Worker knows about an order.',
    description:
      'The answer comes from what the Worker has stored, so the platform is not called. It is as new as the last event ' +
      'of the order. The Worker deletes an order seven days after its time to pay has ended. Refunds stay for 400 days. ' +
      'An order of which the Worker knows only refunds has no `payment`. If the Worker knows nothing, the answer is ' +
      '`unknown_order`; `GET /merchant/v1/order-codes`, `POST /merchant/v1/transactions/search` and ' +
      '`GET /merchant/v1/refunds` ask the platform.',
    answer: Order,
    codes: ['unknown_service', 'unknown_order'],
    example: {
      input: {service: 'DEMO', order: 'S-1009'},
      answer: {
        service: 'DEMO',
        order: 'S-1009',
        order_code: '881200450017',
        offer: null,
        user_id: 'u-31',
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
          unclear: false,
          pay_until: '2026-11-24T15:30:00+03:00',
          completed_at: null,
          transactions: [
            {
              id: '77001',
              kind: 'transfer',
              amount: '149.90',
              currency: 'TRY',
              bank_name: 'Garanti BBVA',
              bank: 'Garanti BBVA',
              at: '2026-11-21T15:42:00+03:00',
              state: 'successful',
            },
          ],
        },
        payment_notices: [],
        refunds: [
          {
            id: '9001',
            amount: '149.90',
            status: 1,
            state: 'waiting',
            transaction_id: '77001',
            refund_time: null,
            bank_receipt_no: null,
            requested_at: '2026-11-21T16:00:00+03:00',
          },
        ],
      },
    },
  },
});
