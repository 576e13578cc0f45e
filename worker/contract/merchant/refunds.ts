/** Refunds of bank transfers (`docs/spec/orders.md`, sections 2.5 and 4.5). */

import * as z from 'zod/mini';
import {endpoint} from '../endpoint.ts';
import {personText} from '../fields.ts';
import {NullableText, Money, Status, State, pageOf, platformTime} from './answer-fields.ts';
import {Amount, Iban, Id, Order, Service} from './fields.ts';
import {Extra} from './orders.ts';

export const Refund =
  DESCRIBED &&
  z
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
      ...platformTime('create_time'),
      ...platformTime('update_time'),
      ...platformTime('refund_time'),
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
    .check(z.meta({id: 'Refund'}));

export const CreatedRefund =
  DESCRIBED &&
  z
    .strictObject({id: z.string(), service: z.string(), order: z.string(), amount: z.string()})
    .check(z.meta({id: 'CreatedRefund'}));

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
  create_time_text: null,
  update_time: null,
  update_time_text: null,
  refund_time: null,
  refund_time_text: null,
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

export const refunds = {
  getRefund: endpoint({
    method: 'GET',
    path: '/merchant/v1/refunds/{id}',
    operation: 'refundGet',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({id: Id}),
    docs: DESCRIBED && {
      client: 'refunds.get',
      summary: 'Gets a refund.',
      answer: Refund,
      codes: ['not_found'],
      example: {input: {id: '9001'}, answer: refund},
    },
  }),
  listRefunds: endpoint({
    method: 'GET',
    path: '/merchant/v1/refunds',
    operation: 'refundGetByOrder',
    scope: 'read',
    service: 'answer',
    input: z.strictObject({service: z.optional(Service), order: Order}),
    docs: DESCRIBED && {
      client: 'refunds.list',
      summary: 'Lists the refunds of an order, which may have several.',
      description:
        'Two services may use the same reference. With `service`, the answer leaves out the refunds of the merchant’s ' +
        'other services. If the platform does not name the service of a refund, this refund stays in the list.',
      answer: pageOf(Refund),
      codes: ['unknown_service', 'unknown_order'],
      example: {input: {service: 'DEMO', order: 'S-1009'}, answer: {items: [refund], next_cursor: null, total: 1}},
    },
  }),
  createRefund: endpoint({
    method: 'POST',
    path: '/merchant/v1/refunds',
    operation: 'refundCreate',
    scope: 'money',
    write: true,
    command: true,
    service: 'code',
    status: 201,
    input: z
      .strictObject({
        service: Service,
        order: Order,
        amount: z.optional(Amount),
        reason: z.optional(z.literal('excess')),
        contact: z.strictObject({name: personText(255), iban: Iban}),
        sub_merchant_id: z.optional(Id),
        force: z.optional(z.boolean()),
        extra: z.optional(Extra),
      })
      .check(
        z.refine(({amount, reason}) => amount === undefined || reason === undefined, {
          path: ['reason'],
          message: 'Expected either amount or reason.',
        }),
      ),
    docs: DESCRIBED && {
      client: 'refunds.create',
      summary: 'Asks the platform to refund money.',
      description:
        'The platform decides whether an order can be refunded, and how often. If it refuses a refund, the error’s ' +
        '`platform` has the platform’s status and message. The bank settles refunds at the end of the day. An order ' +
        'may have several refunds. Until the outcome of a refund is known, a second refund of the same order and ' +
        'amount is refused with `command_pending`. After `outcome_unknown`, the platform may have accepted the refund: ' +
        'list the refunds of the order before you use a new key.',
      fields: {
        amount: {
          description:
            'By default the order’s `refundable.amount`: the excess, or all money of a late or cancelled order. It is ' +
            'sent once: a second refund of it gets `already_refunded`, also if a refund link sent the first. An amount ' +
            'of your own is possible up to `refundable.left`.',
          examples: ['149.90'],
        },
        reason: {description: '`excess` says the same as a request without `amount`.'},
        contact: {description: 'The person who gets the money.'},
        sub_merchant_id: {
          description:
            'For marketplaces: the sub-merchant whose part is refunded. The Worker’s record and the events name it. ' +
            'The platform gets it if `EXTRA_PARAMETERS` lists `sub_merchant_id`.',
          examples: ['31'],
        },
        force: {
          description:
            'True to refund more than what is left of the order’s money. Without `force`, such a refund gets ' +
            '`refund_too_large` if the Worker knows all of the order’s money and refunds.',
        },
      },
      answer: CreatedRefund,
      codes: [
        'unknown_service',
        'unknown_order',
        'not_found',
        'amount_invalid',
        'refund_too_large',
        'already_refunded',
        'action_invalid',
      ],
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
  }),
};
