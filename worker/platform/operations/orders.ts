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
  SomeText,
  Time,
  requireCompleteSplit,
} from '../fields.ts';
import {operation} from '../operation.ts';
import {rowsOf} from '../rows.ts';
import {PaymentNotification} from './payment-notices.ts';

/** Orders 2.6. What has no name is called by its code. */
const BankItem = z
  .object({
    id: SomeText,
    code: SomeText,
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

/** A bank without an id or a code is nothing to choose, and must not hide the rest: such are counted. */
const Banks = z
  .object({banks: rowsOf(BankItem)})
  .transform(({banks: {rows, unreadable}}) => ({banks: rows, unreadable}))
  .refine(({banks, unreadable}) => banks.length > 0 || unreadable === 0);

/** Orders 2.2. Required for marketplaces, optional for everyone else: whole, or not at all. */
const split = {payout: Decimal.optional(), sub_merchant_id: Id.optional(), fee: Decimal.optional()};
const orderCode = {code: ServiceCode, order: OrderRef, amount: Decimal, ...split};
const newOrderCode = {...orderCode, user_id: z.string().min(1).max(32).optional()};

export const orders = {
  tokenGet: operation({
    spec: 'orders 4.1',
    family: 'phs',
    path: '/getToken',
    effect: 'read',
    token: false,
    deadlineMs: 5_000,
    input: z.strictObject({merchant: z.string(), key: z.string()}),
    output: z.object({token: z.string().min(1)}),
  }),
  tokenCheck: operation({
    spec: 'orders 4.1',
    family: 'phs',
    path: '/getToken/check',
    effect: 'read',
    token: false,
    input: z.strictObject({merchant: z.string(), token: z.string()}),
    output: z.object({}),
  }),
  orderCodeCheck: operation({
    spec: 'orders 4.2',
    family: 'phs',
    path: '/orderToReference/check',
    effect: 'read',
    input: z.strictObject({code: ServiceCode, order: OrderRef}),
    output: z.object({order: SomeText, payout: OptionalMoney, sub_merchant_id: OptionalText, fee: OptionalMoney}),
  }),
  orderCodeCreate: operation({
    spec: 'orders 4.2',
    family: 'phs',
    path: '/orderToReference/create',
    effect: 'write',
    input: z.strictObject(newOrderCode).check(requireCompleteSplit),
    output: z.object({order: SomeText}),
  }),
  orderCodeDirect: operation({
    spec: 'orders 4.2',
    family: 'phs',
    path: '/orderToReference/direct',
    effect: 'write',
    input: z
      .strictObject({...newOrderCode, PaymentNotification: PaymentNotification.optional()})
      .check(requireCompleteSplit),
    output: z.object({code: SomeText}),
  }),
  orderCodeUpdate: operation({
    spec: 'orders 4.2',
    family: 'phs',
    path: '/orderToReference/update',
    effect: 'write',
    input: z.strictObject(orderCode).check(requireCompleteSplit),
    output: z.object({order: SomeText}),
  }),
  vendorForm: operation({
    spec: 'orders 4.6',
    family: 'phs',
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
      // The table says `success_url`, the request samples `successUrl`; unknown parameters are ignored.
      success_url: z.url(),
      failure_url: z.url(),
      successUrl: z.url(),
      failureUrl: z.url(),
    }),
    output: z.object({redirectUrl: z.url()}),
  }),
  bankGetAll: operation({
    spec: 'orders 4.7',
    family: 'phs',
    method: 'GET',
    path: '/bank/getAll',
    effect: 'read',
    token: false,
    input: z.strictObject({}),
    output: Banks,
  }),
};
