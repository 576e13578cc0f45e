/** Payment notices (`docs/spec/orders.md`, sections 2.4 and 4.4). */

import * as z from 'zod/mini';
import {ipAddress} from '../../lib/formats.ts';
import {endpoint} from '../endpoint.ts';
import {personText, text} from '../fields.ts';
import {NullableText, Money, Status, State, platformTime} from './answer-fields.ts';
import {Amount, Id, Service, Order, Instant, Url} from './fields.ts';

/** What the shopper says about the transfer. The schema accepts everything that the platform accepts. */
export const Notice = z.strictObject({
  tc_no: z.optional(text(32)),
  name: z.optional(personText(255)),
  email: z.optional(personText(255)),
  phone: z.optional(personText(32)),
  user_ip: z.optional(ipAddress()),
  apply_time: z.optional(Instant),
  description: z.optional(personText(1000)),
});

export const PaymentNotice =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      notice_code: NullableText,
      bank_id: NullableText,
      bank_code: NullableText,
      bank_name: NullableText,
      merchant: NullableText,
      merchant_name: NullableText,
      service_id: NullableText,
      service: NullableText,
      service_name: NullableText,
      transaction_id: NullableText,
      order: NullableText,
      tc_no: NullableText,
      name: NullableText,
      email: NullableText,
      phone: NullableText,
      amount: Money,
      description: NullableText,
      user_ip: NullableText,
      ...platformTime('create_time'),
      ...platformTime('apply_time'),
      status: Status,
      state: State,
    })
    .check(z.meta({id: 'PaymentNotice'}));

export const CreatedPaymentNotice =
  DESCRIBED &&
  z
    .strictObject({
      notice_code: z.string(),
      url: z.string().check(z.describe('The platform’s page, to which you send the shopper.')),
    })
    .check(z.meta({id: 'CreatedPaymentNotice'}));

export const paymentNotices = {
  getPaymentNotice: endpoint({
    method: 'GET',
    path: '/merchant/v1/payment-notices/{id}',
    operation: 'paymentNotificationGet',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({id: Id}),
    docs: DESCRIBED && {
      client: 'paymentNotices.get',
      summary: 'Gets a payment notice.',
      answer: PaymentNotice,
      codes: ['not_found'],
      example: {
        input: {id: '501'},
        answer: {
          id: '501',
          notice_code: 'N7Q2',
          bank_id: '6',
          bank_code: 'garanti',
          bank_name: 'Garanti BBVA',
          merchant: '123',
          merchant_name: 'Demo',
          service_id: '1',
          service: 'DEMO',
          service_name: 'Demo',
          transaction_id: null,
          order: 'S-1009',
          tc_no: null,
          name: 'Deniz Örnek',
          email: null,
          phone: null,
          amount: '149.90',
          description: null,
          user_ip: '192.0.2.7',
          create_time: '2026-11-21T15:42:00+03:00',
          create_time_text: null,
          apply_time: null,
          apply_time_text: null,
          status: 1,
          state: 'processing',
        },
      },
    },
  }),
  createPaymentNotice: endpoint({
    method: 'POST',
    path: '/merchant/v1/payment-notices',
    operation: 'paymentNotificationCreate',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z.strictObject({
      service: Service,
      order: Order,
      amount: Amount,
      bank: text(64),
      notice: z.optional(Notice),
      redirect_url: z.optional(Url),
      back_url: z.optional(Url),
    }),
    docs: DESCRIBED && {
      client: 'paymentNotices.create',
      summary: 'Creates a payment notice about a transfer whose description had no order code.',
      fields: {
        bank: {description: 'Code of the bank that the money was sent to.', examples: ['garanti']},
      },
      answer: CreatedPaymentNotice,
      codes: ['unknown_service', 'unknown_order', 'bank_invalid', 'amount_invalid', 'return_url_not_allowed'],
      example: {
        input: {
          service: 'DEMO',
          order: 'S-1009',
          amount: '149.90',
          bank: 'garanti',
          notice: {name: 'Deniz Örnek', user_ip: '192.0.2.7'},
        },
        answer: {notice_code: 'N7Q2', url: 'https://pay.platform.example/phs/yonlendir/N7Q2'},
      },
    },
  }),
};
