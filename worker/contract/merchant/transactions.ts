/** Transactions of bank transfers (`docs/spec/orders.md`, sections 2.3 and 4.3). */

import * as z from 'zod/mini';
import {describeFields, describeLimit} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {NullableText, Money, Code, Status, State, pageOf, platformTime} from './answer-fields.ts';
import {AmountOrZero, Id, Service, Day, Instant, Limit, Cursor} from './fields.ts';

const Comparison = z.enum(['<', '>', '<=', '>=', '=']);
if (DESCRIBED)
  describeFields(
    {Comparison},
    // Some generators of clients make an identifier of each value.
    {Comparison: {'x-enum-varnames': ['LESS', 'GREATER', 'AT_MOST', 'AT_LEAST', 'EQUAL']}},
  );
const comparison = <T extends z.ZodMiniType>(value: T) => z.strictObject({operator: Comparison, value});
const valueOrList = <T extends z.ZodMiniType>(value: T) =>
  z.union([value, z.array(value).check(z.minLength(1), z.maxLength(100))]);
const filter = <T extends z.ZodMiniType>(value: T) =>
  z.union([value, z.array(value).check(z.minLength(1), z.maxLength(100)), comparison(value)]);

export const TransactionSearch = z
  .strictObject({
    service: Service,
    start_date: z.optional(Day),
    end_date: z.optional(Day),
    status: z.optional(valueOrList(z.int())),
    bank_id: z.optional(valueOrList(Id)),
    amount: z.optional(filter(AmountOrZero)),
    transaction_date: z.optional(filter(Instant)),
    limit: z.optional(Limit(1000)),
    cursor: z.optional(Cursor),
  })
  .check(
    z.refine(({start_date: start, end_date: end}) => !start || !end || start <= end, {
      path: ['end_date'],
      message: 'This date is before start_date.',
    }),
  );

if (DESCRIBED)
  describeFields(TransactionSearch.shape, {
    start_date: {description: 'The first date to search.'},
    end_date: {description: 'The last date to search.'},
  });
if (DESCRIBED) describeLimit(TransactionSearch.shape.limit, 1000);

const common = DESCRIBED && {
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
  order: NullableText.check(
    z.describe('The merchant’s reference for the order; null when the transfer matches no order.'),
  ),
  amount: Money,
  currency: z.string(),
  user_name: NullableText.check(z.describe('Name of the sender.')),
  remote_bank: NullableText,
  remote_description: NullableText,
  ...platformTime('transaction_date'),
  transaction_type: Code,
  ...platformTime('create_time'),
};

export const Transaction =
  DESCRIBED && z.strictObject({...common, status: Status, state: State}).check(z.meta({id: 'Transaction'}));
/** A transaction in a search's results, for which the platform gives no status. */
export const TransactionItem =
  DESCRIBED && z.strictObject({...common, ref_no: NullableText}).check(z.meta({id: 'TransactionItem'}));

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
  transaction_date_text: null,
  transaction_type: 1,
  create_time: '2026-11-21T15:42:05+03:00',
  create_time_text: null,
};

export const transactions = {
  getTransaction: endpoint({
    method: 'GET',
    path: '/merchant/v1/transactions/{id}',
    operation: 'transactionGet',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({id: Id}),
    docs: DESCRIBED && {
      client: 'transactions.get',
      summary: 'Gets a transaction: money that arrived.',
      answer: Transaction,
      codes: ['not_found'],
      example: {input: {id: '77001'}, answer: {...item, status: 3, state: 'successful'}},
    },
  }),
  searchTransactions: endpoint({
    method: 'POST',
    path: '/merchant/v1/transactions/search',
    operation: 'transactionSearch',
    scope: 'read',
    service: 'code',
    input: TransactionSearch,
    docs: DESCRIBED && {
      client: 'transactions.search',
      summary: 'Searches transactions.',
      description:
        'The search includes both dates. With a start date, the Worker reads one day after the other, from the end date, ' +
        'or tomorrow, to the start date. So a page may have few items, or none, although `next_cursor` leads to more. ' +
        'With dates, `total` is null if there are several pages. A page has at most 100 items by default. The platform numbers the items again for ' +
        'every request, so if a transaction is added between two requests, an item may appear on both pages. Such an ' +
        'item has the same `id` on both pages. Only a request for one transaction returns its status.',
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
    },
  }),
};
