/**
 * Payment notices, which the platform calls manual payment notifications (`docs/spec/orders.md`, sections 2.4 and 4.4).
 */

import * as z from 'zod/mini';
import {
  Decimal,
  Id,
  OptionalMoney,
  OptionalText,
  OrderRef,
  PlatformTime,
  ServiceCode,
  NonEmptyText,
  Text,
  Time,
} from '../fields.ts';
import {operation} from '../operation.ts';

/** The input block of a payment notice (section 2.4). Every field is optional. */
export const PaymentNoticeFields = z.strictObject({
  tc_no: z.optional(z.string()),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  phone: z.optional(z.string()),
  user_ip: z.optional(z.string()),
  apply_time: z.optional(PlatformTime),
  description: z.optional(z.string()),
});

export const paymentNoticeOperations = {
  paymentNotificationGet: operation({
    spec: 'orders 4.4',
    interface: 'phs',
    path: '/paymentNotification/get',
    effect: 'read',
    input: z.strictObject({id: Id}),
    names: {id: 'id', merchant: 'merchant'},
    output: z.object({
      paymentNotification: z.object({
        id: Text,
        code: OptionalText,
        bank_id: OptionalText,
        bank_code: OptionalText,
        bank_name: OptionalText,
        merchant: OptionalText,
        merchant_name: OptionalText,
        service_id: OptionalText,
        service_code: OptionalText,
        service_name: OptionalText,
        transaction_id: OptionalText,
        order_refno: OptionalText,
        tc_no: OptionalText,
        name: OptionalText,
        email: OptionalText,
        phone: OptionalText,
        amount: OptionalMoney,
        description: OptionalText,
        user_ip: OptionalText,
        create_time: Time,
        apply_time: Time,
        status: OptionalText,
      }),
    }),
  }),
  paymentNotificationCreate: operation({
    spec: 'orders 4.4',
    interface: 'phs',
    path: '/paymentNotification/create',
    effect: 'write',
    ownCircuit: true,
    input: z.strictObject({
      code: ServiceCode,
      amount: Decimal,
      bank: z.string().check(z.minLength(1)),
      order: OrderRef,
      PaymentNotification: z.optional(PaymentNoticeFields),
    }),
    output: z.object({code: NonEmptyText}),
  }),
};
