/** Order codes and the bank list (`docs/spec/orders.md`, sections 2.6, 4.2, 4.3 and 4.7). */

import * as z from 'zod/mini';
import {parseAmount} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import {requireCompleteSplit, requireUserId} from '../../platform/fields.ts';
import {bank, bankListFields} from '../bank-list.ts';
import {describeFields} from '../described.ts';
import {endpoint} from '../endpoint.ts';
import {Metadata, PAYMENT_STATES, Seller, text, Title} from '../fields.ts';
import {NullableText, Money, OrderRefund} from './answer-fields.ts';
import {Amount, AmountOrZero, Id, Service, Order, Url} from './fields.ts';
import {Notice} from './payment-notices.ts';

/**
 * How an order's amount is split: required for marketplaces, optional for other merchants. `requireCompleteSplit`
 * checks that a new order has all three fields or none of them.
 */
export const Payout = text(255);
export const split = {
  payout: z.optional(Payout),
  sub_merchant_id: z.optional(Id),
  fee: z.optional(AmountOrZero),
};

interface PartsInput {
  readonly amount: string;
  readonly sub_merchant_id?: string | undefined;
  readonly parts?: readonly {readonly sub_merchant_id: string; readonly amount: string}[] | undefined;
}

/** Refuses parts beside a split of one sub-merchant, two parts of one sub-merchant, and parts of another amount. */
export function requireWholeParts({
  value: {amount, sub_merchant_id, parts},
  issues,
}: z.core.ParsePayload<PartsInput>): void {
  if (!parts) return;
  const sum = sumOf(parts, (part) => parseAmount(part.amount) ?? NaN);
  const message =
    sub_merchant_id !== undefined
      ? 'Expected either parts or the split of one sub-merchant.'
      : new Set(parts.map((part) => part.sub_merchant_id)).size < parts.length
        ? 'Expected one part for each sub-merchant.'
        : sum !== parseAmount(amount) && 'Expected parts whose amounts add up to `amount`.';
  if (message) issues.push({code: 'custom', path: ['parts'], input: undefined, message});
}

/** A user id has at most 32 characters, which may be 64 UTF-16 units. */
export const UserId = text(64).check(requireUserId);

/** Parameters that the platform and the merchant agree outside the contract; `EXTRA_PARAMETERS` lists their names. */
export const Extra = z.record(text(255), text(255));

/** What a page may prefill of a payment notice. */
const {name, email, phone, description} = Notice.shape;

/** What the merchant's server may say of an order that the platform does not get. */
export const orderSettings = {
  hours: z.optional(z.number().check(z.positive(), z.maximum(24 * 90))),
  prefill: z.optional(z.strictObject({name, email, phone, description})),
  seller: z.optional(Seller()),
  title: z.optional(Title()),
  metadata: z.optional(Metadata()),
};

/** The reference of an order that a request may create at the platform. */
export const NewOrder = Order.clone();

const terms = {service: Service, order: Order, amount: Amount, ...split, extra: z.optional(Extra)};
const newTerms = {...terms, order: NewOrder};

if (DESCRIBED)
  describeFields(
    {NewOrder},
    {
      NewOrder: {
        description:
          'Your reference for the order. At the platform it is unique for the merchant, so it must never repeat: not in ' +
          'another shop, after a restored backup, or between staging and production. If another system has used it, ' +
          'page and server get `order_exists`. It has no control characters.',
        examples: ['S-1009'],
      },
    },
  );

if (DESCRIBED)
  describeFields(orderSettings, {
    seller: {
      description:
        'The seller as shoppers know it. The elements explain with it whose payment provider receives the money, and ' +
        'show the contact where a shopper has to ask the seller.',
      examples: [{name: 'Fener Atölyesi', support_email: 'destek@shop.example'}],
    },
    title: {
      description: 'What the shopper buys. The checkout and the link to another device show it.',
      examples: [{tr: 'Seramik lamba', en: 'Ceramic lamp'}],
    },
    metadata: {
      description:
        'At most ten entries for your server, which come back with the order, its list and its events. Pages do not get ' +
        'them. They stay for 400 days, so they must name no person.',
      examples: [{cart: '8817', store: 'kadikoy'}],
    },
    prefill: {
      description:
        'Values with which a page prefills the shopper’s payment notice. Identity numbers are not accepted, because ' +
        'the Worker would have to store them.',
    },
    hours: {
      description:
        'How many hours the shopper has to pay; 72 by default. If the order already has an order code, its ' +
        'deadline does not change.',
    },
  });
if (DESCRIBED)
  describeFields(split, {
    payout: {
      description:
        'For marketplaces: the payout, as text that the Worker passes on unchanged. A new order also needs ' +
        '`sub_merchant_id` and `fee`.',
      examples: ['140.00'],
    },
    sub_merchant_id: {
      description: 'For marketplaces: id of the sub-merchant. A new order also needs `payout` and `fee`.',
      examples: ['31'],
    },
    fee: {
      description:
        'For marketplaces: the amount that the marketplace keeps. A new order also needs `payout` and `sub_merchant_id`.',
      examples: ['9.90'],
    },
  });
if (DESCRIBED)
  describeFields(
    {Extra},
    {
      Extra: {
        description:
          'Parameters that you and the platform have agreed, by name. `EXTRA_PARAMETERS` of the Worker lists the names.',
        examples: [{installment_plan: '3'}],
      },
    },
  );
if (DESCRIBED)
  describeFields({UserId}, {UserId: {description: 'The merchant’s own id for the shopper.', examples: ['u-31']}});

export const OrderCode =
  DESCRIBED &&
  z
    .strictObject({
      order_code: z
        .string()
        .check(
          z.meta({description: 'The shopper writes it into the transfer’s description.', examples: ['881200450017']}),
        ),
      service: z.string(),
      order: z.string(),
      amount: Money,
      currency: z.literal('TRY'),
    })
    .check(z.meta({id: 'OrderCode'}));

export const FoundOrderCode =
  DESCRIBED &&
  z
    .strictObject({
      order_code: z.string(),
      service: z.string(),
      order: z.string(),
      payout: NullableText,
      sub_merchant_id: NullableText,
      fee: Money,
    })
    .check(z.meta({id: 'FoundOrderCode'}));

export const HostedOrderCode =
  DESCRIBED &&
  z
    .strictObject({
      ...OrderCode.shape,
      url: z.string().check(z.describe('The platform’s bank page, to which you send the shopper.')),
    })
    .check(z.meta({id: 'HostedOrderCode'}));

export const CompletedOrder =
  DESCRIBED &&
  z
    .strictObject({
      service: z.string(),
      order: z.string(),
      state: z.literal('completed'),
      pending_refunds: z
        .array(OrderRefund)
        .check(
          z.describe(
            'A warning: refunds of the order that, as far as the Worker knows, have no result. The platform may refuse ' +
              'to carry them out. Follow their events.',
          ),
        ),
    })
    .check(z.meta({id: 'CompletedOrder'}));

export const CancelledOrder =
  DESCRIBED &&
  z
    .strictObject({
      service: z.string(),
      order: z.string(),
      state: z.enum(PAYMENT_STATES).check(z.describe('`cancelled`; or `refunded` if all money was sent back.')),
      paid: z
        .string()
        .check(z.meta({description: 'Money that had arrived before, for you to refund.', examples: ['0.00']})),
      cancelled_at: z.string().check(z.meta({examples: ['2026-11-21T16:12:00+03:00']})),
    })
    .check(z.meta({id: 'CancelledOrder'}));

const orderCodeExample = {
  order_code: '881200450017',
  service: 'DEMO',
  order: 'S-1009',
  amount: '149.90',
  currency: 'TRY',
} as const;

const MerchantBankList = DESCRIBED && z.strictObject({items: z.array(bank()), ...bankListFields()});

const bankExample = {
  id: '6',
  code: 'garanti',
  name: 'Garanti BBVA',
  account_holder: 'Demo A.Ş.',
  iban: 'TR330006100519786457841326',
  branch_no: '1',
  account_no: '2',
  currency: 'TRY',
  logo: null,
  bank_no: '62',
  updated_at: '2026-11-21T15:42:00+03:00',
};

export const orderCodes = {
  findOrderCode: endpoint({
    method: 'GET',
    path: '/merchant/v1/order-codes',
    operation: 'orderCodeCheck',
    scope: 'read',
    service: 'code',
    input: z.strictObject({service: Service, order: Order}),
    docs: DESCRIBED && {
      client: 'orderCodes.find',
      summary: 'Finds the order code of an order.',
      answer: FoundOrderCode,
      codes: ['unknown_service', 'unknown_order'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {
          order_code: '881200450017',
          service: 'DEMO',
          order: 'S-1009',
          payout: null,
          sub_merchant_id: null,
          fee: null,
        },
      },
    },
  }),
  createOrderCode: endpoint({
    method: 'POST',
    path: '/merchant/v1/order-codes',
    operation: 'orderCodeCreate',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z
      .strictObject({...newTerms, user_id: z.optional(UserId), ...orderSettings, adopt: z.optional(z.boolean())})
      .check(requireCompleteSplit),
    docs: DESCRIBED && {
      client: 'orderCodes.create',
      summary: 'Creates the order code of an order.',
      description:
        'A marketplace may call this once for each sub-merchant of an order, if its platform allows this. Pages then ' +
        'show the sum of the amounts. If the platform has an order with this reference that the Worker did not ask for, ' +
        'the answer is `order_exists`, and no page gets its code.',
      fields: {
        adopt: {
          description:
            'Takes an order that another system has created at the platform with this reference, with its code and its ' +
            'money. All its money has `known_before: true`. The platform keeps its own amount until ' +
            '`PATCH /merchant/v1/order-codes`. False by default.',
        },
      },
      answer: OrderCode,
      codes: ['unknown_service', 'order_exists', 'order_cancelled', 'amount_invalid'],
      example: {input: {service: 'DEMO', order: 'S-1009', amount: '149.90'}, answer: orderCodeExample},
    },
  }),
  createHostedOrderCode: endpoint({
    method: 'POST',
    path: '/merchant/v1/order-codes/hosted',
    operation: 'orderCodeDirect',
    scope: 'sessions',
    write: true,
    service: 'code',
    status: 201,
    input: z
      .strictObject({
        ...newTerms,
        user_id: z.optional(UserId),
        notice: z.optional(Notice),
        redirect_url: z.optional(Url),
        back_url: z.optional(Url),
      })
      .check(requireCompleteSplit),
    docs: DESCRIBED && {
      client: 'orderCodes.createHosted',
      summary: 'Creates an order code that the platform’s own bank page shows.',
      answer: HostedOrderCode,
      codes: ['unknown_service', 'order_exists', 'order_cancelled', 'amount_invalid', 'return_url_not_allowed'],
      example: {
        input: {service: 'DEMO', order: 'S-1009', amount: '149.90', redirect_url: 'https://shop.example/thanks'},
        answer: {
          ...orderCodeExample,
          url: 'https://pay.platform.example/phs/banks/881200450017?redirect=https%3A%2F%2Fshop.example%2Fthanks',
        },
      },
    },
  }),
  updateOrderCode: endpoint({
    method: 'PATCH',
    path: '/merchant/v1/order-codes',
    operation: 'orderCodeUpdate',
    scope: 'money',
    write: true,
    service: 'code',
    input: z.strictObject(terms),
    docs: DESCRIBED && {
      client: 'orderCodes.update',
      summary: 'Changes the amount or the split of an order.',
      description:
        'The order keeps the parts of its split that the request does not contain. Changes of one order and requests ' +
        'for its code are made one after the other. After `outcome_unknown`, the Worker sends the change again until the platform answers, five times at most, and takes no transfers for the ' +
        'order meanwhile. `payment.amount_unclear` of the order says that nobody knows its amount. A change that follows one without an ' +
        'answer is sent once more after ten seconds, because the earlier one may be made later.',
      answer: OrderCode,
      codes: ['unknown_service', 'unknown_order', 'order_exists', 'action_invalid', 'amount_invalid'],
      example: {
        input: {service: 'DEMO', order: 'S-1009', amount: '129.90'},
        answer: {...orderCodeExample, amount: '129.90'},
      },
    },
  }),
  completeOrder: endpoint({
    method: 'POST',
    path: '/merchant/v1/orders/complete',
    operation: 'orderComplete',
    scope: 'money',
    write: true,
    command: true,
    service: 'code',
    input: z.strictObject({service: Service, order: Order}),
    docs: DESCRIBED && {
      client: 'orders.complete',
      summary: 'Reports to the platform that the goods or services were supplied.',
      description:
        'Complete an order when you have delivered all of it and no refund is open: from then on the platform refuses ' +
        'refunds of the order, and the Worker reads the state of its money no more. Pages show `completed` immediately. ' +
        'An order that you never complete stays `paid`, and can be refunded as long as the platform allows.',
      answer: CompletedOrder,
      codes: ['unknown_service', 'unknown_order', 'action_invalid'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {service: 'DEMO', order: 'S-1009', state: 'completed', pending_refunds: []},
      },
    },
  }),
  cancelOrder: endpoint({
    method: 'POST',
    path: '/merchant/v1/orders/cancel',
    scope: 'money',
    write: true,
    service: 'code',
    input: z.strictObject({service: Service, order: Order}),
    docs: DESCRIBED && {
      client: 'orders.cancel',
      summary: 'Cancels an order that nobody wants any more.',
      description:
        'Pages say that the order is cancelled and ask for no money; no code is created for it. The platform is not ' +
        'called: a code stays valid there, and money that arrives all the same causes another `payment.cancelled`, ' +
        'whose `paid` says how much to refund. A paid order cannot be cancelled. A repetition changes nothing.',
      answer: CancelledOrder,
      codes: ['unknown_service', 'unknown_order', 'order_paid'],
      example: {
        input: {service: 'DEMO', order: 'S-1009'},
        answer: {
          service: 'DEMO',
          order: 'S-1009',
          state: 'cancelled',
          paid: '0.00',
          cancelled_at: '2026-11-21T16:12:00+03:00',
        },
      },
    },
  }),
};

export const banks = {
  listBanks: endpoint({
    method: 'GET',
    path: '/merchant/v1/banks',
    operation: 'bankGetAll',
    scope: 'read',
    service: 'none',
    input: z.strictObject({}),
    docs: DESCRIBED && {
      client: 'banks.list',
      summary: 'Lists the bank accounts that shoppers pay into.',
      description:
        'The list is at most a minute old. `stale` is true when the platform does not answer, so that this is the last ' +
        'known list, which may be older.',
      answer: MerchantBankList,
      codes: [],
      example: {
        input: {},
        answer: {
          items: [bankExample],
          stale: false,
          arrival: {same_bank: null, other_bank: null},
        },
      },
    },
  }),
};
