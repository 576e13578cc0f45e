/** Order codes, the token and the bank list: `docs/spec/orders.md` 4.1, 4.2, 4.6 and 4.7. */

import * as z from 'zod';
import {
  Decimal,
  Id,
  OptionalMoney,
  OptionalName,
  OptionalText,
  OrderRef,
  ServiceCode,
  NonEmptyText,
  Time,
  requireCompleteSplit,
} from '../fields.ts';
import {operation} from '../operation.ts';
import {rowsOf} from '../reply-json.ts';
import {PaymentNoticeFields} from './payment-notices.ts';

/** Orders 2.6. A bank without a name is shown by its code. */
const BankItem = z
  .object({
    id: NonEmptyText,
    code: NonEmptyText,
    name: OptionalName,
    company_name: OptionalText,
    branch_no: OptionalText,
    account_no: OptionalText,
    account_iban: OptionalText,
    update_time: Time,
    currency: OptionalText,
    logo: OptionalText,
    bank_no: OptionalText,
  })
  .transform(({name, ...bank}) => ({...bank, name: name ?? bank.code}));
export type BankItem = z.infer<typeof BankItem>;

/** A shopper cannot choose a bank without id or code. Such banks are only counted, and do not hide the others. */
const Banks = z
  .object({banks: rowsOf(BankItem)})
  .transform(({banks: {rows, unreadable}}) => ({banks: rows, unreadable}))
  .refine(({banks, unreadable}) => banks.length > 0 || unreadable === 0);

/** Orders 2.2. Required for marketplaces, optional for other merchants; all three fields or none. */
const split = {payout: Decimal.optional(), sub_merchant_id: Id.optional(), fee: Decimal.optional()};
const orderCode = {code: ServiceCode, order: OrderRef, amount: Decimal, ...split};
const newOrderCode = {...orderCode, user_id: z.string().min(1).max(32).optional()};

export const orderOperations = {
  tokenGet: operation({
    spec: 'orders 4.1',
    interface: 'phs',
    path: '/getToken',
    effect: 'read',
    token: false,
    deadlineMs: 5_000,
    input: z.strictObject({merchant: z.string(), key: z.string()}),
    output: z.object({token: z.string().min(1)}),
  }),
  tokenCheck: operation({
    spec: 'orders 4.1',
    interface: 'phs',
    path: '/getToken/check',
    effect: 'read',
    token: false,
    input: z.strictObject({merchant: z.string(), token: z.string()}),
    output: z.object({}),
  }),
  orderCodeCheck: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/check',
    effect: 'read',
    input: z.strictObject({code: ServiceCode, order: OrderRef}),
    output: z.object({order: NonEmptyText, payout: OptionalMoney, sub_merchant_id: OptionalText, fee: OptionalMoney}),
  }),
  orderCodeCreate: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/create',
    effect: 'write',
    input: z.strictObject(newOrderCode).check(requireCompleteSplit),
    output: z.object({order: NonEmptyText}),
  }),
  orderCodeDirect: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/direct',
    effect: 'write',
    input: z
      .strictObject({...newOrderCode, PaymentNotification: PaymentNoticeFields.optional()})
      .check(requireCompleteSplit),
    output: z.object({code: NonEmptyText}),
  }),
  orderCodeUpdate: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/update',
    effect: 'write',
    input: z.strictObject(orderCode).check(requireCompleteSplit),
    output: z.object({order: NonEmptyText}),
  }),
  vendorForm: operation({
    spec: 'orders 4.6',
    interface: 'phs',
    path: '/marketPlace/get-vendor-form-url',
    effect: 'write',
    input: z.strictObject({
      code: ServiceCode,
      vendor_code: z.string().min(1),
      name: z.string().min(1),
      tc_no: Id.optional(),
      phone: z.string().min(1),
      email: z.string().optional(),
      iban: z.string().min(1),
      // The spec's table says `success_url`, its samples `successUrl`. Both are sent: the platform ignores unknown
      // parameters.
      success_url: z.url(),
      failure_url: z.url(),
      successUrl: z.url(),
      failureUrl: z.url(),
    }),
    output: z.object({redirectUrl: z.url()}),
  }),
  bankGetAll: operation({
    spec: 'orders 4.7',
    interface: 'phs',
    method: 'GET',
    path: '/bank/getAll',
    effect: 'read',
    token: false,
    input: z.strictObject({}),
    output: Banks,
  }),
};
