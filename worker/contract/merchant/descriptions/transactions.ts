/** Answers about transactions of bank transfers, with examples and descriptions. */

import * as z from 'zod';
import {transactions, TransactionSearch} from '../transactions.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {NullableText, Money, Time, Code, Status, State, pageOf} from './fields.ts';
import {describeFields, describeLimit} from './input-fields.ts';

describeFields(TransactionSearch.shape, {
  start_date: {description: 'The first date to search.'},
  end_date: {description: 'The last date to search.'},
});
describeLimit(TransactionSearch.shape.limit, 1000);

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
    description: 'The merchant’s reference for the order; null when the transfer matches no order.',
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
/** A transaction in a search's results, for which the platform gives no status. */
export const TransactionItem = z.strictObject({...common, ref_no: NullableText}).meta({id: 'TransactionItem'});

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

export const transactionDescriptions = describeEndpoints('Transactions', transactions, {
  listUnmatchedTransactions: {
    summary: 'Lists the money of a day that matches no order.',
    description:
      'The Worker reads the transactions of the day from the platform, and leaves out those that name an order or an ' +
      'order code. A page covers up to 1000 transactions, so it may be empty although `next_cursor` leads to further ' +
      'transactions. While the Worker looks for the money of open orders, the event `transaction.unmatched` reports ' +
      'such money.',
    answer: pageOf(TransactionItem),
    codes: ['unknown_service'],
    example: {
      input: {service: 'DEMO', day: '2026-11-21'},
      answer: {
        items: [{...item, order: null, order_code: null, remote_description: 'lamba', ref_no: null}],
        next_cursor: null,
        total: null,
      },
    },
  },
  getTransaction: {
    summary: 'Gets a transaction: money that arrived.',
    answer: Transaction,
    codes: ['not_found'],
    example: {input: {id: '77001'}, answer: {...item, status: 3, state: 'successful'}},
  },
  searchTransactions: {
    summary: 'Searches transactions.',
    description:
      'The search includes both dates. A page has 100 items by default. The platform numbers the items again for ' +
      'every request, so if a transaction is added between two requests, an item may appear on both pages. Such an ' +
      'item has the same `id` on both pages.',
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
});
