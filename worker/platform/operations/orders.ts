/** The token, order codes, vendor form and bank list (`docs/spec/orders.md`, sections 4.1, 4.2, 4.6 and 4.7). */

import * as z from 'zod/mini';
import {extraParametersOf, flattenExtra} from '../extra-parameters.ts';
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
  WebUrl,
  requireCompleteSplit,
  requireUserId,
} from '../fields.ts';
import {operation} from '../operation.ts';
import {rowsOf} from '../reply-json.ts';
import {PaymentNoticeFields} from './payment-notices.ts';

/** A bank account of the merchant (section 2.6). If the account has no name, its code is used as the name. */
const BankItem = z.pipe(
  z.object({
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
  }),
  z.transform(({name, ...bank}) => ({...bank, name: name ?? bank.code})),
);
export type BankItem = z.infer<typeof BankItem>;

/**
 * The bank list. Accounts without an id or a code are counted but not returned, because a shopper cannot choose them.
 */
const Banks = z
  .pipe(
    z.object({banks: rowsOf(BankItem)}),
    z.transform(({banks: {rows, unreadable}}) => ({banks: rows, unreadable})),
  )
  .check(z.refine(({banks, unreadable}) => banks.length > 0 || unreadable === 0));

/**
 * How an order's amount is split (section 2.2): required for marketplaces, optional for other merchants. A new order
 * has all three fields or none of them.
 */
const split = {
  payout: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  sub_merchant_id: z.optional(Id),
  fee: z.optional(Decimal),
};
const orderCode = {
  code: ServiceCode,
  order: OrderRef,
  amount: Decimal,
  ...split,
};
const newOrderCode = {...orderCode, user_id: z.optional(z.string().check(z.minLength(1), requireUserId))};

export const orderOperations = {
  tokenGet: operation({
    spec: 'orders 4.1',
    interface: 'phs',
    path: '/getToken',
    effect: 'read',
    token: false,
    deadlineMs: 5_000,
    input: z.strictObject({merchant: z.string(), key: z.string()}),
    output: z.object({token: z.string().check(z.minLength(1))}),
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
    // Without a code, the platform does not know the order.
    output: z.object({order: OptionalName, payout: OptionalText, sub_merchant_id: OptionalText, fee: OptionalMoney}),
  }),
  orderCodeCreate: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/create',
    effect: 'write',
    input: z.pipe(
      z.strictObject({...newOrderCode, extra: extraParametersOf('orderCodeCreate')}).check(requireCompleteSplit),
      z.transform(flattenExtra),
    ),
    output: z.object({order: NonEmptyText}),
  }),
  orderCodeDirect: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/direct',
    effect: 'write',
    input: z.pipe(
      z
        .strictObject({
          ...newOrderCode,
          PaymentNotification: z.optional(PaymentNoticeFields),
          extra: extraParametersOf('orderCodeDirect'),
        })
        .check(requireCompleteSplit),
      z.transform(flattenExtra),
    ),
    output: z.object({code: NonEmptyText}),
  }),
  orderCodeUpdate: operation({
    spec: 'orders 4.2',
    interface: 'phs',
    path: '/orderToReference/update',
    effect: 'write',
    // An update may change a part of the split (section 4.2).
    input: z.pipe(
      z.strictObject({...orderCode, extra: extraParametersOf('orderCodeUpdate')}),
      z.transform(flattenExtra),
    ),
    output: z.object({order: NonEmptyText}),
  }),
  vendorForm: operation({
    spec: 'orders 4.6',
    interface: 'phs',
    path: '/marketPlace/get-vendor-form-url',
    effect: 'write',
    input: z.strictObject({
      code: ServiceCode,
      vendor_code: z.string().check(z.minLength(1)),
      name: z.string().check(z.minLength(1)),
      tc_no: z.optional(Id),
      phone: z.string().check(z.minLength(1)),
      email: z.optional(z.string()),
      iban: z.string().check(z.minLength(1)),
      // The spec says `success_url` in its table and `successUrl` in its samples. The Worker sends both, because the
      // platform ignores unknown parameters.
      success_url: WebUrl,
      failure_url: WebUrl,
      successUrl: WebUrl,
      failureUrl: WebUrl,
    }),
    output: z.object({redirectUrl: WebUrl}),
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
