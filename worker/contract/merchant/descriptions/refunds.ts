/** Answers about refunds of bank transfers, with examples and descriptions. */

import * as z from 'zod';
import {refunds} from '../refunds.ts';
import {describeEndpoints} from './described-endpoint.ts';
import {NullableText, Money, Time, Status, State, pageOf} from './fields.ts';

export const Refund = z
  .strictObject({
    id: z.string(),
    merchant: NullableText,
    merchant_id: NullableText,
    merchant_name: NullableText,
    service: NullableText,
    service_id: NullableText,
    service_name: NullableText,
    transaction_id: NullableText,
    amount: Money,
    status: Status,
    state: State,
    create_time: Time,
    update_time: Time,
    refund_time: Time,
    update_userid: NullableText,
    requested_by: NullableText,
    description: NullableText,
    note: NullableText,
    contact: z.strictObject({name: NullableText, iban: NullableText}),
    bank_id: NullableText,
    bank_name: NullableText,
    bank_code: NullableText,
    bank_no: NullableText,
    bank_receipt_no: NullableText,
  })
  .meta({id: 'Refund'});

/** A refund as the Worker has it stored. */
export const StoredRefund = z
  .strictObject({
    id: z.string(),
    order: z.string(),
    amount: Money,
    status: Status.meta({description: 'The platform’s own status; null until the Worker has read the refund.'}),
    state: State,
    transaction_id: NullableText,
    refund_time: Time,
    bank_receipt_no: NullableText,
    requested_at: z.string().meta({description: 'When the Worker requested the refund or learnt of it.'}),
  })
  .meta({id: 'StoredRefund'});

export const CreatedRefund = z
  .strictObject({id: z.string(), service: z.string(), order: z.string(), amount: z.string()})
  .meta({id: 'CreatedRefund'});

const refund = {
  id: '9001',
  merchant: null,
  merchant_id: '123',
  merchant_name: 'Demo',
  service: null,
  service_id: '1',
  service_name: 'Demo',
  transaction_id: '77001',
  amount: '149.90',
  status: 1,
  state: 'waiting',
  create_time: '2026-11-21T16:00:00+03:00',
  update_time: null,
  refund_time: null,
  update_userid: null,
  requested_by: null,
  description: null,
  note: null,
  contact: {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'},
  bank_id: null,
  bank_name: null,
  bank_code: null,
  bank_no: null,
  bank_receipt_no: null,
};

export const refundDescriptions = describeEndpoints('Refunds', refunds, {
  getRefund: {
    summary: 'Gets a refund.',
    answer: Refund,
    codes: ['not_found'],
    example: {input: {id: '9001'}, answer: refund},
  },
  listRefunds: {
    summary: 'Lists the refunds of an order, which may have several.',
    description:
      'Two services may use the same reference. With `service`, the answer leaves out the refunds of the merchant’s ' +
      'other services. If the platform does not name the service of a refund, this refund stays in the list.',
    answer: pageOf(Refund),
    codes: ['unknown_service', 'unknown_order'],
    example: {input: {service: 'DEMO', order: 'S-1009'}, answer: {items: [refund], next_cursor: null, total: 1}},
  },
  listDayRefunds: {
    summary: 'Lists the refunds of a day, newest first.',
    description:
      'The day is the day in Turkey on which the Worker requested the refund or learnt of it. The list has the ' +
      'refunds that the Worker requested or that a notification reported. A refund stays in the list for 400 days. A ' +
      'page has up to 100 refunds. The platform is not called, and the answer contains no name and no IBAN.',
    answer: pageOf(StoredRefund),
    codes: ['unknown_service'],
    example: {
      input: {service: 'DEMO', day: '2026-11-21'},
      answer: {
        items: [
          {
            id: '9001',
            order: 'S-1009',
            amount: '149.90',
            status: 3,
            state: 'successful',
            transaction_id: '77001',
            refund_time: '2026-11-21T23:55:00+03:00',
            bank_receipt_no: '40071',
            requested_at: '2026-11-21T16:00:00+03:00',
          },
        ],
        next_cursor: null,
        total: null,
      },
    },
  },
  createRefund: {
    summary: 'Asks the platform to refund money.',
    description:
      'The platform decides whether an order can be refunded, and how often. If it refuses a refund, the error’s ' +
      '`platform` has the platform’s status and message. The bank settles refunds at the end of the day. An order ' +
      'may have several refunds. Until the outcome of a refund is known, a second refund of the same order and ' +
      'amount is refused with `command_pending`.',
    answer: CreatedRefund,
    codes: ['unknown_service', 'unknown_order', 'not_found', 'amount_invalid', 'action_invalid'],
    example: {
      input: {
        service: 'DEMO',
        order: 'S-1009',
        amount: '149.90',
        contact: {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'},
      },
      answer: {id: '9001', service: 'DEMO', order: 'S-1009', amount: '149.90'},
    },
  },
});
