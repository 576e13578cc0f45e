/** Transactions of bank transfers (`docs/spec/orders.md`, sections 2.3 and 4.3). */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
import {AmountOrZero, Id, Service, Day, Instant, Limit, Cursor} from './fields.ts';

const Comparison = z.enum(['<', '>', '<=', '>=', '=']);
const comparison = <T extends z.ZodType>(value: T) => z.strictObject({operator: Comparison, value});
const valueOrList = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(1).max(100)]);
const filter = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(1).max(100), comparison(value)]);

export const TransactionSearch = z
  .strictObject({
    service: Service,
    start_date: Day.optional(),
    end_date: Day.optional(),
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

export const transactions = {
  getTransaction: endpoint({
    method: 'GET',
    path: '/merchant/v1/transactions/{id}',
    operation: 'transactionGet',
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({id: Id}),
  }),
  searchTransactions: endpoint({
    method: 'POST',
    path: '/merchant/v1/transactions/search',
    operation: 'transactionSearch',
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: TransactionSearch,
  }),
  listUnmatchedTransactions: endpoint({
    method: 'GET',
    path: '/merchant/v1/transactions/unmatched',
    operation: 'transactionSearch',
    scope: 'read',
    write: false,
    service: 'code',
    status: 200,
    input: z.strictObject({service: Service, day: Day, cursor: Cursor.optional()}),
  }),
};
