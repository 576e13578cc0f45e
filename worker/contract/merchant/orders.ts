/** Order codes and the bank list: `docs/spec/orders.md` 2.6, 4.2, 4.3 and 4.7. */

import * as z from 'zod';
import {requireCompleteSplit} from '../../platform/fields.ts';
import {BankList} from '../browser/answers.ts';
import {text} from '../fields.ts';
import {endpoint} from './endpoint.ts';
import {Amount, AmountOrZero, Id, Money, Order, NullableText, Service, Url} from './fields.ts';
import {Notice} from './payment-notices.ts';

/** Required for marketplaces, optional for other merchants: all three or none, as `requireCompleteSplit` checks. */
export const split = {
  payout: AmountOrZero.optional().meta({
    description: 'Marketplace: the amount paid to the sub-merchant. Requires `sub_merchant_id` and `fee`.',
    examples: ['140.00'],
  }),
  sub_merchant_id: Id.optional().meta({
    description: 'Marketplace: the sub-merchant. Requires `payout` and `fee`.',
    examples: ['31'],
  }),
  fee: AmountOrZero.optional().meta({
    description: 'Marketplace: the amount that the marketplace keeps. Requires `payout` and `sub_merchant_id`.',
    examples: ['9.90'],
  }),
};

export const UserId = text(32).meta({description: 'The merchant’s own id of the shopper.', examples: ['u-31']});

const terms = {service: Service, order: Order, amount: Amount, ...split};

export const OrderCode = z
  .strictObject({
    order_code: z
      .string()
      .meta({description: 'The shopper writes it into the transfer’s description.', examples: ['881200450017']}),
    service: z.string(),
    order: z.string(),
    amount: Money,
    currency: z.literal('TRY'),
  })
  .meta({id: 'OrderCode'});

export const FoundOrderCode = z
  .strictObject({
    order_code: z.string(),
    service: z.string(),
    order: z.string(),
    payout: Money,
    sub_merchant_id: NullableText,
    fee: Money,
  })
  .meta({id: 'FoundOrderCode'});

export const HostedOrderCode = z
  .strictObject({
    ...OrderCode.shape,
    url: z.string().meta({description: 'The platform’s bank page to send the shopper to.'}),
  })
  .meta({id: 'HostedOrderCode'});

export const CompletedOrder = z
  .strictObject({service: z.string(), order: z.string(), state: z.literal('completed')})
  .meta({id: 'CompletedOrder'});

const orderCodeExample = {
  order_code: '881200450017',
  service: 'DEMO',
  order: 'S-1009',
  amount: '149.90',
  currency: 'TRY',
} as const;

export const orderCodes = {
  findOrderCode: endpoint({
    method: 'GET',
    path: '/merchant/v1/order-codes',
    group: 'Order codes',
    operation: 'orderCodeCheck',
    write: false,
    service: 'code',
    status: 200,
    summary: 'Finds the code of an order.',
    input: z.strictObject({service: Service, order: Order}),
    answer: FoundOrderCode,
    codes: ['unknown_service', 'unknown_order'],
    example: {
      input: {service: 'DEMO', order: 'S-1009'},
      answer: {
        order_code: '881200450017',
        service: 'DEMO',
        order: 'S-1009',
        payout: null,
        sub_merchant_id: null,
        fee: null,
      },
    },
  }),
  createOrderCode: endpoint({
    method: 'POST',
    path: '/merchant/v1/order-codes',
    group: 'Order codes',
    operation: 'orderCodeCreate',
    write: true,
    service: 'code',
    status: 201,
    summary: 'Creates the code of an order.',
    input: z.strictObject({...terms, user_id: UserId.optional()}).check(requireCompleteSplit),
    answer: OrderCode,
    codes: ['unknown_service', 'order_exists', 'amount_invalid'],
    example: {input: {service: 'DEMO', order: 'S-1009', amount: '149.90'}, answer: orderCodeExample},
  }),
  createHostedOrderCode: endpoint({
    method: 'POST',
    path: '/merchant/v1/order-codes/hosted',
    group: 'Order codes',
    operation: 'orderCodeDirect',
    write: true,
    service: 'code',
    status: 201,
    summary: 'Creates an order code that the platform’s own bank page shows.',
    input: z
      .strictObject({
        ...terms,
        user_id: UserId.optional(),
        notice: Notice.optional(),
        redirect_url: Url.optional(),
        back_url: Url.optional(),
      })
      .check(requireCompleteSplit),
    answer: HostedOrderCode,
    codes: ['unknown_service', 'order_exists', 'amount_invalid', 'return_url_not_allowed'],
    example: {
      input: {service: 'DEMO', order: 'S-1009', amount: '149.90', redirect_url: 'https://shop.example/thanks'},
      answer: {
        ...orderCodeExample,
        url: 'https://pay.platform.example/phs/banks/881200450017?redirect=https%3A%2F%2Fshop.example%2Fthanks',
      },
    },
  }),
  updateOrderCode: endpoint({
    method: 'PATCH',
    path: '/merchant/v1/order-codes',
    group: 'Order codes',
    operation: 'orderCodeUpdate',
    write: true,
    service: 'code',
    status: 200,
    summary: 'Changes the amount or the split of an order.',
    description: 'An omitted split stays as it is.',
    input: z.strictObject(terms).check(requireCompleteSplit),
    answer: OrderCode,
    codes: ['unknown_service', 'unknown_order', 'order_completed', 'amount_invalid'],
    example: {
      input: {service: 'DEMO', order: 'S-1009', amount: '129.90'},
      answer: {...orderCodeExample, amount: '129.90'},
    },
  }),
  completeOrder: endpoint({
    method: 'POST',
    path: '/merchant/v1/orders/complete',
    group: 'Order codes',
    operation: 'orderComplete',
    write: true,
    command: true,
    service: 'code',
    status: 200,
    summary: 'Reports to the platform that the goods or services were supplied.',
    description: 'Open pages show `completed` immediately. From then on the platform refuses refunds of this order.',
    input: z.strictObject({service: Service, order: Order}),
    answer: CompletedOrder,
    codes: ['unknown_service', 'unknown_order', 'order_completed'],
    example: {
      input: {service: 'DEMO', order: 'S-1009'},
      answer: {service: 'DEMO', order: 'S-1009', state: 'completed'},
    },
  }),
};

export const banks = {
  listBanks: endpoint({
    method: 'GET',
    path: '/merchant/v1/banks',
    group: 'Banks',
    operation: 'bankGetAll',
    write: false,
    status: 200,
    summary: 'Lists the bank accounts that shoppers pay into.',
    description:
      'The list is at most a minute old. `stale` is true when the platform does not answer and this is its last ' +
      'known list.',
    input: z.strictObject({}),
    answer: BankList,
    codes: [],
    example: {
      input: {},
      answer: {
        banks: [
          {
            id: '6',
            code: 'garanti',
            name: 'Garanti BBVA',
            account_holder: 'Demo A.Ş.',
            iban: 'TR330006100519786457841326',
            branch_no: '1',
            account_no: '2',
            currency: 'TRY',
            logo: null,
            bank_no: '62',
            updated_at: '2026-11-21T15:42:00+03:00',
          },
        ],
        stale: false,
        arrival: {same_bank: null, other_bank: null},
      },
    },
  }),
};
