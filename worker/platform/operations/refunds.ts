/** Refunds of bank transfers (`docs/spec/orders.md`, sections 2.5 and 4.5). */

import * as z from 'zod/mini';
import {extraParametersOf, flattenExtra} from '../extra-parameters.ts';
import {Decimal, Id, OptionalMoney, OptionalText, OrderRef, ServiceCode, Text, Time} from '../fields.ts';
import {operation} from '../operation.ts';
import {rowsOf} from '../reply-json.ts';

/** A refund (section 2.5). The spec has two lists of field names; this schema reads the fields of both lists. */
const Refund = z.object({
  id: Text,
  merchant_name: OptionalText,
  merchant_id: OptionalText,
  merchant: OptionalText,
  service_name: OptionalText,
  service_id: OptionalText,
  service: OptionalText,
  service_code: OptionalText,
  transaction_id: OptionalText,
  status: OptionalText,
  create_time: Time,
  update_time: Time,
  refund_time: Time,
  amount: OptionalMoney,
  update_userid: OptionalText,
  requested_by: OptionalText,
  description: OptionalText,
  note: OptionalText,
  refund_contact: OptionalText,
  refund_iban: OptionalText,
  bank_id: OptionalText,
  bank_name: OptionalText,
  bank_code: OptionalText,
  bank_no: OptionalText,
  bank_receipt_no: OptionalText,
});
export type RefundRecord = z.infer<typeof Refund>;

export const refundOperations = {
  refundGet: operation({
    spec: 'orders 4.5',
    interface: 'phs',
    path: '/refund/get',
    effect: 'read',
    input: z.strictObject({id: Id}),
    // The fields `merchant` and `service` may be names.
    names: {id: 'id', merchant_id: 'merchant'},
    output: z.object({data: Refund}),
  }),
  refundGetByOrder: operation({
    spec: 'orders 4.5',
    interface: 'phs',
    path: '/refund/getByOrder',
    effect: 'read',
    input: z.strictObject({order: OrderRef}),
    names: {merchant_id: 'merchant'},
    output: z.object({data: rowsOf(Refund)}),
  }),
  refundCreate: operation({
    spec: 'orders 4.5',
    interface: 'phs',
    path: '/refund/create',
    effect: 'money',
    input: z.pipe(
      z.strictObject({
        code: ServiceCode,
        amount: Decimal,
        order: OrderRef,
        contact: z.strictObject({name: z.string().check(z.minLength(1)), iban: z.string().check(z.minLength(1))}),
        extra: extraParametersOf('refundCreate'),
      }),
      z.transform(flattenExtra),
    ),
    output: z.object({refund_id: Text}),
  }),
};
