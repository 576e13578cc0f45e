/** Transactions of bank transfers (`docs/spec/orders.md`, sections 2.3 and 4.3). */

import * as z from 'zod/mini';
import {
  comparison,
  Day,
  Decimal,
  Id,
  oneOrMore,
  OptionalCount,
  OptionalMoney,
  OptionalName,
  OptionalText,
  OrderRef,
  PlatformTime,
  ServiceCode,
  Text,
  Time,
} from '../fields.ts';
import {operation} from '../operation.ts';
import {countRows, rowsOf} from '../reply-json.ts';

/** A transaction (section 2.3). Search results have `ref_no` and lack `status`. */
const transaction = {
  id: Text,
  merchant: OptionalText,
  merchant_name: OptionalText,
  bank_id: OptionalText,
  bank_code: OptionalText,
  bank_name: OptionalText,
  service_id: OptionalText,
  service_name: OptionalText,
  service_code: OptionalText,
  code: OptionalName,
  // The amount is optional, so that one transaction without an amount does not hide all the others.
  amount: OptionalMoney,
  currency: OptionalText,
  user_name: OptionalText,
  order_refno: OptionalName,
  remote_bank: OptionalText,
  remote_description: OptionalText,
  transaction_date: Time,
  transaction_type: OptionalText,
  create_time: Time,
  ref_no: OptionalText,
};
const TransactionItem = z.object(transaction);
export type TransactionItem = z.infer<typeof TransactionItem>;

const Status = z.int();

export const transactionOperations = {
  transactionGet: operation({
    spec: 'orders 4.3',
    interface: 'phs',
    path: '/transaction/get',
    effect: 'read',
    input: z.strictObject({id: Id}),
    names: {id: 'id', merchant: 'merchant'},
    output: z.object({transaction: z.object({...transaction, status: OptionalText})}),
  }),
  transactionSearch: operation({
    spec: 'orders 4.3',
    interface: 'phs',
    path: '/transaction/search',
    effect: 'read',
    deadlineMs: 15_000,
    maxReplyBytes: 16_000_000,
    input: z.strictObject({
      code: ServiceCode,
      start: z.optional(z.int().check(z.nonnegative())),
      length: z.optional(z.int().check(z.positive())),
      Transaction: z.optional(
        z.strictObject({
          startDate: z.optional(Day),
          endDate: z.optional(Day),
          status: z.optional(oneOrMore(Status)),
          bank_id: z.optional(oneOrMore(Id)),
          amount: z.optional(z.union([oneOrMore(Decimal), comparison(Decimal)])),
          // The spec's table shows only a comparison here. A list of dates is sent like the lists of the other fields.
          transaction_date: z.optional(z.union([oneOrMore(PlatformTime), comparison(PlatformTime)])),
        }),
      ),
    }),
    names: {service_code: 'code', merchant: 'merchant'},
    // Without a count, the rows of the page are counted, as some platforms do.
    output: z.pipe(
      z.object({recordsTotal: OptionalCount, recordsFiltered: OptionalCount, data: rowsOf(TransactionItem)}),
      z.transform((found) => ({...found, recordsFiltered: found.recordsFiltered ?? countRows(found.data)})),
    ),
  }),
  orderComplete: operation({
    spec: 'orders 4.3',
    interface: 'phs',
    path: '/transaction/order-complete',
    effect: 'money',
    input: z.strictObject({code: ServiceCode, order: OrderRef}),
    output: z.object({}),
  }),
};
