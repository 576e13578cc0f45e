/** Answers about payment notices, with examples and descriptions. */

import * as z from 'zod';
import {paymentNotices} from '../payment-notices.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {NullableText, Money, Time, Status, State} from './fields.ts';
import {describeFields} from './input-fields.ts';

describeFields(paymentNotices.createPaymentNotice.input.shape, {
  bank: {description: 'Code of the bank that the money was sent to.', examples: ['garanti']},
});

export const PaymentNotice = z
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
    create_time: Time,
    apply_time: Time,
    status: Status,
    state: State,
  })
  .meta({id: 'PaymentNotice'});

export const CreatedPaymentNotice = z
  .strictObject({
    notice_code: z.string(),
    url: z.string().meta({description: 'The platform’s page, to which you send the shopper.'}),
  })
  .meta({id: 'CreatedPaymentNotice'});

export const paymentNoticeDescriptions = describeEndpoints('Payment notices', paymentNotices, {
  getPaymentNotice: {
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
        apply_time: null,
        status: 1,
        state: 'processing',
      },
    },
  },
  createPaymentNotice: {
    summary: 'Creates a payment notice about a transfer whose description had no order code.',
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
});
