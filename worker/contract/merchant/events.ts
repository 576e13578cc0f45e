/** What happened, told to the merchant's server: read as a feed, and sent to `WEBHOOK_URL`. */

import * as z from 'zod';
import {PAYMENT_STATES} from '../browser/answers.ts';
import {ERROR_CODES} from '../codes.ts';
import {COMMAND_NAMES} from './commands.ts';
import {Code, NullableText, State, Status, Time} from './fields.ts';

/** Decimal text with two places. */
const MoneyText = z.string().meta({description: 'Decimal text with two places.', examples: ['149.90']});

/** How an order stands. Enough to deliver by; who sent the money is for `GET /merchant/v1/transactions/{id}` to say. */
const Payment = z.strictObject({
  service: z.string(),
  order: z.string().meta({description: 'The merchant’s reference of the order.'}),
  order_code: NullableText,
  offer: NullableText.meta({
    description: 'The offer it was made from; null where the merchant’s server named the terms.',
  }),
  user_id: NullableText.meta({description: 'As the merchant’s server gave it.'}),
  state: z.enum(PAYMENT_STATES),
  amount: MoneyText,
  paid: MoneyText.meta({description: 'What arrived and was not refunded.'}),
  remaining: MoneyText,
  currency: z.literal('TRY'),
  late: z.boolean().meta({
    description: 'Whether what had arrived when the order’s hours were over did not suffice, and more came after.',
  }),
  transactions: z.array(
    z.strictObject({
      id: z.string().meta({description: 'Of a transaction; of a charge where there is no bank.'}),
      amount: MoneyText,
      currency: z.string(),
      bank: NullableText.meta({description: 'Null for what was paid on a phone bill, on the common payment page.'}),
      at: z.string(),
    }),
  ),
});

const PaymentNotice = z.strictObject({
  service: z.string(),
  order: z.string(),
  amount: MoneyText,
  bank: z.string(),
  notice_code: z.string(),
});

const Refund = z.strictObject({
  refund_id: z.string(),
  service: NullableText,
  order: NullableText,
  transaction_id: NullableText,
  amount: MoneyText,
  status: Status,
  state: State,
  refund_time: Time,
  bank_receipt_no: NullableText,
});

const Subscription = z.strictObject({
  service: NullableText,
  product: z.int().nullable(),
  subscription_id: NullableText.meta({description: 'Null where it started on a landing page, which tells none.'}),
  status: NullableText,
  state: State,
  operator: Code,
  msisdn: NullableText.meta({description: 'Masked, as `532*****67`.', examples: ['532*****67']}),
  tracking_id: NullableText.meta({description: 'As the page gave it: what ties a subscription to its visitor.'}),
  reference: NullableText,
  subscription_date: Time,
  renewal_date: Time,
  cancellation_date: Time,
});

const Charge = z.strictObject({
  service: NullableText,
  charge_id: z.string(),
  subscription_id: NullableText,
  amount: z.string().nullable(),
  status: Status,
  state: State,
  operator: Code,
  reference: NullableText,
  transaction_date: Time,
});

const Vendor = z.strictObject({service: z.string(), vendor_code: z.string()});

const Command = z.strictObject({
  command: z.string().meta({description: 'Id of the command, as `GET /merchant/v1/commands` lists it.'}),
  operation: z.enum(COMMAND_NAMES).meta({description: 'What was asked for.'}),
  service: NullableText,
  order: NullableText,
  amount: MoneyText.nullable(),
  charge_id: NullableText,
  subscription_id: NullableText,
  state: z.enum(['unknown', 'done', 'failed']),
  code: z.enum(ERROR_CODES).nullable().meta({description: 'Why it failed.'}),
  refund_id: NullableText.meta({description: 'The refund that was made.'}),
  sent_at: Time,
});

const event = <T extends string, D extends z.ZodType>(type: T, data: D, description: string) =>
  z
    .strictObject({
      id: z.string().meta({
        description: 'The same whenever and however the event is told: what to recognise it by.',
        examples: ['evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314'],
      }),
      type: z.literal(type),
      created_at: z.string().meta({description: 'ISO 8601 with `+03:00`.', examples: ['2026-11-21T15:42:07+03:00']}),
      data,
    })
    .meta({description});

/** Every kind of event, by its type. */
export const EVENTS = {
  'payment.partial': event('payment.partial', Payment, 'Money arrived, and more is missing.'),
  'payment.received': event('payment.received', Payment, 'All of the amount is there: deliver.'),
  'payment.overpaid': event(
    'payment.overpaid',
    Payment,
    'More than the amount is there: deliver, and give back what is too much.',
  ),
  'payment.withdrawn': event(
    'payment.withdrawn',
    Payment,
    'None of the money that was told of is there any more: an operator matched it to another order.',
  ),
  'payment.expired': event(
    'payment.expired',
    Payment,
    'Nothing arrived in the order’s hours. Money may still come: then another event follows, with `late`.',
  ),
  'payment.completed': event('payment.completed', Payment, 'The order was completed at the platform.'),
  'payment.refunded': event('payment.refunded', Payment, 'All that arrived went back.'),
  'payment_notice.created': event(
    'payment_notice.created',
    PaymentNotice,
    'A shopper says that money was sent without its code.',
  ),
  'refund.requested': event('refund.requested', Refund, 'The platform took a refund on.'),
  'refund.changed': event('refund.changed', Refund, 'A refund is in another state than before, and has no result yet.'),
  'refund.settled': event('refund.settled', Refund, 'The money went back.'),
  'refund.failed': event('refund.failed', Refund, 'The money did not go back; `state` says why.'),
  'subscription.started': event('subscription.started', Subscription, 'A number subscribed.'),
  'subscription.cancelled': event('subscription.cancelled', Subscription, 'A subscription ended.'),
  'subscription.changed': event(
    'subscription.changed',
    Subscription,
    'A subscription is in another state than before.',
  ),
  'charge.changed': event('charge.changed', Charge, 'A charge of mobile billing is in another state than before.'),
  'command.unknown': event(
    'command.unknown',
    Command,
    'A refund, cancellation, reset or completion was sent, and nobody knows yet whether it was done. Do not ask for it again with another key.',
  ),
  'command.settled': event(
    'command.settled',
    Command,
    'How a command ended that was unknown, or waited for another day.',
  ),
  'vendor.registered': event(
    'vendor.registered',
    Vendor,
    'A vendor came back from the registration form: a hint, ask the platform before you rely on it.',
  ),
} as const;

export type EventType = keyof typeof EVENTS;
type EventOf<T extends EventType> = z.output<(typeof EVENTS)[T]>;
export type EventData<T extends EventType> = EventOf<T>['data'];

const {'payment.partial': first, ...others} = EVENTS;
export const MerchantEvent = z.discriminatedUnion('type', [first, ...Object.values(others)]).meta({id: 'Event'});
export type MerchantEvent = {[T in EventType]: EventOf<T>}[EventType];
