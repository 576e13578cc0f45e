/** Transactions of bank transfers: `docs/spec/orders.md` 2.3 and 4.3. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {
  AmountOrZero,
  Code,
  Cursor,
  Day,
  Id,
  Instant,
  Limit,
  Money,
  pageOf,
  NullableText,
  Service,
  State,
  Status,
  Time,
} from './fields.ts';

const common = {
  id: z.string(),
  merchant: NullableText,
  merchant_name: NullableText,
  bank_id: NullableText,
  bank_code: NullableText,
  bank_name: NullableText,
  service_id: NullableText,
  service: NullableText,
  service_name: NullableText,
  order_code: NullableText,
  order: NullableText.meta({
    description: 'The merchant’s reference of the order; null when the transfer matches no order.',
  }),
  amount: Money,
  currency: z.string(),
  user_name: NullableText.meta({description: 'Name of the sender.'}),
  remote_bank: NullableText,
  remote_description: NullableText,
  transaction_date: Time,
  transaction_type: Code,
  create_time: Time,
};

export const Transaction = z.strictObject({...common, status: Status, state: State}).meta({id: 'Transaction'});
/** An item of a search. The platform gives no status there. */
export const TransactionItem = z.strictObject({...common, ref_no: NullableText}).meta({id: 'TransactionItem'});

const Comparison = z.enum(['<', '>', '<=', '>=', '=']);
const comparison = <T extends z.ZodType>(value: T) => z.strictObject({operator: Comparison, value});
const valueOrList = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(1).max(100)]);
const filter = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(1).max(100), comparison(value)]);

export const TransactionSearch = z
  .strictObject({
    service: Service,
    start_date: Day.optional().meta({description: 'First date to include.'}),
    end_date: Day.optional().meta({description: 'Last date to include.'}),
    status: valueOrList(z.int()).optional(),
    bank_id: valueOrList(Id).optional(),
    amount: filter(AmountOrZero).optional(),
    transaction_date: filter(Instant).optional(),
    limit: Limit(1000).optional(),
    cursor: Cursor.optional(),
  })
  .refine(({start_date: start, end_date: end}) => !start || !end || start <= end, {
    path: ['end_date'],
    message: 'This date is before start_date.',
  });

const item = {
  id: '77001',
  merchant: '123',
  merchant_name: 'Demo',
  bank_id: '6',
  bank_code: 'garanti',
  bank_name: 'Garanti BBVA',
  service_id: '1',
  service: 'DEMO',
  service_name: 'Demo',
  order_code: '881200450017',
  order: 'S-1009',
  amount: '149.90',
  currency: 'TRY',
  user_name: 'Deniz Örnek',
  remote_bank: null,
  remote_description: '881200450017',
  transaction_date: '2026-11-21T15:42:00+03:00',
  transaction_type: 1,
  create_time: '2026-11-21T15:42:05+03:00',
};

export const transactions = {
  getTransaction: endpoint({
    method: 'GET',
    path: '/merchant/v1/transactions/{id}',
    group: 'Transactions',
    operation: 'transactionGet',
    write: false,
    status: 200,
    summary: 'Gets a transaction: money that arrived.',
    input: z.strictObject({id: Id}),
    answer: Transaction,
    codes: ['not_found'],
    example: {input: {id: '77001'}, answer: {...item, status: 3, state: 'successful'}},
  }),
  searchTransactions: endpoint({
    method: 'POST',
    path: '/merchant/v1/transactions/search',
    group: 'Transactions',
    operation: 'transactionSearch',
    write: false,
    service: 'code',
    status: 200,
    summary: 'Searches transactions.',
    description:
      'Both dates are included. A page has 100 items by default. The platform numbers the items anew for every ' +
      'request: if a transaction is added between two requests, an item may appear on both pages. Recognize it by ' +
      'its `id`.',
    input: TransactionSearch,
    answer: pageOf(TransactionItem),
    codes: ['unknown_service'],
    example: {
      input: {
        service: 'DEMO',
        start_date: '2026-11-01',
        end_date: '2026-11-21',
        amount: {operator: '>=', value: '100.00'},
        limit: 50,
      },
      answer: {items: [{...item, ref_no: null}], next_cursor: null, total: 1},
    },
  }),
};
