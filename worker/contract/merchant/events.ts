/**
 * The events that notify the merchant's server. The server can list events, and the Worker sends them to the webhooks.
 */

import * as z from 'zod/mini';
import '../described.ts';
import {QUOTA_NAMES} from '../../platform/quota-limits.ts';
import {Campaign} from '../browser/page-facts.ts';
import {ERROR_CODES} from '../codes.ts';
import {PAYMENT_STATES} from '../fields.ts';
import {
  Code,
  KnownBefore,
  NullableText,
  platformTime,
  Refundable,
  State,
  Status,
  Time,
  TimeUnknown,
} from './answer-fields.ts';
import {COMMAND_NAMES} from './commands.ts';
import {EVENT_TYPES} from './webhooks.ts';

/** As given by the merchant's server with the session. */
export const Title = DESCRIBED && z.strictObject({tr: z.string(), en: z.string()});
export const Metadata = DESCRIBED && z.record(z.string(), z.string());

export const PageWords =
  DESCRIBED &&
  z
    .optional(
      z.strictObject({
        reference: z.optional(z.string()),
        metadata: z.optional(Metadata),
        campaign: z.optional(Campaign()),
        click_ids: z.optional(z.record(z.string(), z.string())),
        client_reference_id: z.optional(z.string()),
      }),
    )
    .check(
      z.describe(
        'What the page that ordered says: attributes of its element, and what its address had. Anybody can write it, so ' +
          'it proves nothing. Click ids and `client_reference_id` only with the shopper’s consent. Left out if the page ' +
          'said nothing.',
      ),
    );

/** A schema with a name in the description of the API, so that a generated client has one class for it. */
const eventData = <S extends z.core.$ZodShape>(name: string, shape: S) =>
  z.strictObject(shape).check(z.meta({id: `${name}EventData`}));

/** Decimal text with two places. */
const MoneyText =
  DESCRIBED && z.string().check(z.meta({description: 'Decimal text with two places.', examples: ['149.90']}));

/**
 * The state of an order's payment, with what the merchant needs to deliver the goods. For the name of the sender, the
 * merchant's server calls `GET /merchant/v1/transactions/{id}`.
 */
const Payment =
  DESCRIBED &&
  eventData('Payment', {
    service: z.string(),
    order: z.string().check(z.describe('The merchant’s reference of the order.')),
    order_code: NullableText,
    offer: NullableText.check(
      z.describe('The offer that the shopper buys; null when the merchant’s server set the order’s terms.'),
    ),
    user_id: NullableText.check(z.describe('As given by the merchant’s server.')),
    title: z.nullable(Title),
    metadata: Metadata,
    page: PageWords,
    state: z.enum(PAYMENT_STATES),
    amount: MoneyText,
    paid: MoneyText.check(z.describe('Money that counts and was not refunded: a refund lowers it.')),
    refunded: MoneyText.check(z.describe('Money that arrived and was sent back.')),
    remaining: MoneyText.check(z.describe('Money that has not arrived yet. A refund never raises it.')),
    currency: z.literal('TRY'),
    late: z
      .boolean()
      .check(
        z.describe('True when too little money had arrived by the payment deadline, and more arrived afterwards.'),
      ),
    refundable: Refundable,
    transactions: z.array(
      z.strictObject({
        id: z.string().check(z.describe('Id of the transaction. When `bank_name` is null, the id of the charge.')),
        amount: MoneyText,
        currency: z.string(),
        bank_name: NullableText.check(
          z.describe(
            'Name of the bank that received the money. Null for money that was charged to a phone bill, from the ' +
              'platform’s payment page.',
          ),
        ),
        at: z.string(),
        time_unknown: TimeUnknown,
        known_before: z.optional(KnownBefore),
      }),
    ),
  });

const notice = DESCRIBED && {
  service: z.string(),
  order: z.string(),
  amount: MoneyText,
  bank_code: z.string().check(z.describe('Code of the bank that received the transfer.')),
  notice_code: z.string(),
};
const PaymentNotice = DESCRIBED && eventData('PaymentNotice', notice);
const PaymentNoticeChange =
  DESCRIBED && eventData('PaymentNoticeChange', {...notice, state: z.enum(['processing', 'approved', 'inactive'])});

const Refund =
  DESCRIBED &&
  eventData('Refund', {
    refund_id: z.string(),
    service: NullableText,
    order: NullableText,
    sub_merchant_id: NullableText.check(
      z.describe('The sub-merchant whose part of the order is refunded, if the merchant’s server named it.'),
    ),
    refund_link_id: NullableText.check(z.describe('The refund link with which the shopper asked for the refund.')),
    transaction_id: NullableText,
    amount: MoneyText,
    status: Status,
    state: State,
    ...platformTime('refund_time'),
    bank_receipt_no: NullableText,
  });

const Subscription =
  DESCRIBED &&
  eventData('Subscription', {
    service: NullableText,
    product: z.nullable(z.int()),
    subscription_id: NullableText.check(
      z.describe(
        'Null in `subscription.started` if mobile billing did not list the subscription yet. A later ' +
          '`subscription.changed` with the same `tracking_id` then has the id.',
      ),
    ),
    status: NullableText,
    state: State,
    operator: Code,
    msisdn: NullableText.check(z.meta({description: 'Masked, as `532*****67`.', examples: ['532*****67']})),
    tracking_id: NullableText.check(z.describe('As given by the page; connects the subscription with a visit.')),
    reference: NullableText,
    ...platformTime('subscription_date'),
    ...platformTime('renewal_date'),
    ...platformTime('cancellation_date'),
  });

const Charge =
  DESCRIBED &&
  eventData('Charge', {
    service: NullableText,
    charge_id: z.string(),
    subscription_id: NullableText,
    amount: z.nullable(z.string()),
    status: Status,
    state: State,
    operator: Code,
    reference: NullableText,
    ...platformTime('transaction_date'),
  });

const Renewal =
  DESCRIBED &&
  eventData('Renewal', {
    ...Subscription.shape,
    previous_subscription_id: NullableText.check(
      z.describe(
        'Id of the previous cycle, if the platform gives each cycle an id and the Worker knows the previous one.',
      ),
    ),
    charge: z.nullable(Charge).check(z.describe('What the renewal cost; null if the Worker did not find the charge.')),
  });

/** Money without an order. For the sender's name, the merchant's server calls `GET /merchant/v1/transactions/{id}`. */
const UnmatchedTransaction =
  DESCRIBED &&
  eventData('UnmatchedTransaction', {
    service: z.string(),
    transaction_id: z.string(),
    order: NullableText.check(z.describe('The closed order that the money names; null if it names none.')),
    order_code: NullableText,
    amount: z.nullable(MoneyText).check(z.describe('Decimal text with two places; null when it cannot be read.')),
    currency: z.string(),
    bank_name: NullableText.check(z.describe('Name of the bank that received the money.')),
    at: z.string().check(z.describe('When the money arrived. ISO 8601 with `+03:00`.')),
    time_unknown: TimeUnknown,
  });

const Vendor = DESCRIBED && eventData('Vendor', {service: z.string(), vendor_code: z.string()});

const Command =
  DESCRIBED &&
  eventData('Command', {
    command_id: z.string().check(z.describe('Id of the command, as `GET /merchant/v1/commands` lists it.')),
    operation: z.enum(COMMAND_NAMES).check(z.describe('The requested operation.')),
    service: NullableText,
    order: NullableText,
    amount: z.nullable(MoneyText),
    charge_id: NullableText,
    subscription_id: NullableText,
    state: z.enum(['unknown', 'done', 'failed']),
    code: z.nullable(z.enum(ERROR_CODES)).check(z.describe('Why the command failed.')),
    refund_id: NullableText.check(z.describe('Id of the created refund.')),
    sent_at: Time,
  });

const Quota =
  DESCRIBED &&
  eventData('Quota', {
    quota: z.enum(QUOTA_NAMES).check(z.describe('Name of the limit, as in `GET /merchant/v1/quotas`.')),
    per_day: z.int().check(z.describe('How many calls the Worker may make in any 24 hours.')),
    used: z.int(),
    left: z.int().check(z.describe('Number of calls left for new requests.')),
    waiting: z.int().check(z.describe('Number of commands that are queued for a later day.')),
    resets_at: Time,
  });

const WebhookChange =
  DESCRIBED &&
  eventData('WebhookChange', {
    webhook_id: z.string(),
    change: z.enum(['created', 'changed', 'secret_rotated', 'deleted']),
    host: z.string().check(z.describe('Host and port of the webhook’s URL.')),
    enabled: z.boolean(),
    types: z.nullable(z.array(z.enum(EVENT_TYPES))).check(z.describe('Types of events; null for all.')),
    services: z.nullable(z.array(z.string())).check(z.describe('Services of the events; null for all.')),
  });

const WebhookTest = DESCRIBED && eventData('WebhookTest', {webhook_id: z.string()});

/** Name of an event's schema in the description of the API, such as `PaymentReceivedEvent` for `payment.received`. */
const schemaName = (type: string) =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const event = <T extends string, D extends z.ZodMiniType>(type: T, data: D, description: string) =>
  z
    .strictObject({
      id: z.string().check(
        z.meta({
          description:
            'Identifies the event. The id is the same in the list of events and in every delivery to a webhook.',
          examples: ['evt_3f0c9a6be2d44f6a8b5a9c1d7e20f314'],
        }),
      ),
      type: z.literal(type),
      created_at: z
        .string()
        .check(z.meta({description: 'ISO 8601 with `+03:00`.', examples: ['2026-11-21T15:42:07+03:00']})),
      data,
    })
    .check(z.meta({id: schemaName(type), description}));

/** Every kind of event, by its type. */
export const EVENTS =
  DESCRIBED &&
  ({
    'payment.partial': event('payment.partial', Payment, 'Some money arrived, but less than the amount.'),
    'payment.pending': event(
      'payment.pending',
      Payment,
      'Money arrived whose status does not count as paid (see `PAID_STATUSES`). Do not deliver; another event follows.',
    ),
    'payment.received': event(
      'payment.received',
      Payment,
      'The whole amount arrived and was not refunded: deliver the goods.',
    ),
    'payment.overpaid': event(
      'payment.overpaid',
      Payment,
      'More than the amount arrived: deliver the goods, and refund the excess, which `refundable.amount` says.',
    ),
    'payment.withdrawn': event(
      'payment.withdrawn',
      Payment,
      'The order has no money any more: the platform has assigned to a different order what earlier events reported.',
    ),
    'payment.expired': event(
      'payment.expired',
      Payment,
      'No money arrived by the payment deadline. If money arrives later, another event follows, in which `late` is true.',
    ),
    'payment.cancelled': event(
      'payment.cancelled',
      Payment,
      'Your server cancelled the order. The event comes again if money arrives all the same: refund what `refundable.amount` says.',
    ),
    'payment.completed': event('payment.completed', Payment, 'The order was completed at the platform.'),
    'payment.refunded': event('payment.refunded', Payment, 'All money that arrived was refunded.'),
    'payment.changed': event(
      'payment.changed',
      Payment,
      'The amounts changed because of a refund. Compare `paid`; do not deliver because of this event.',
    ),
    'payment_notice.created': event(
      'payment_notice.created',
      PaymentNotice,
      'A shopper, or your server, reported a transfer whose description had no order code.',
    ),
    'payment_notice.changed': event(
      'payment_notice.changed',
      PaymentNoticeChange,
      'The platform has received a payment notice (`processing`), has approved it, or has dropped it (`inactive`).',
    ),
    'refund.requested': event('refund.requested', Refund, 'The platform accepted a refund.'),
    'refund.changed': event(
      'refund.changed',
      Refund,
      'The state of a refund changed, but the refund has no result yet.',
    ),
    'refund.settled': event('refund.settled', Refund, 'The money was sent back.'),
    'refund.failed': event('refund.failed', Refund, 'The money was not sent back; `state` says why.'),
    'subscription.started': event('subscription.started', Subscription, 'A number subscribed.'),
    'subscription.cancelled': event('subscription.cancelled', Subscription, 'A subscription ended.'),
    'subscription.changed': event('subscription.changed', Subscription, 'The state of a subscription changed.'),
    'subscription.renewed': event('subscription.renewed', Renewal, 'The next cycle of a subscription began.'),
    'charge.changed': event('charge.changed', Charge, 'The state of a mobile billing charge changed.'),
    'command.unknown': event(
      'command.unknown',
      Command,
      'The Worker sent a command (a refund, cancellation, reset or completion), and its outcome is unknown. Do not ' +
        'repeat the command with a new key. A second event of the same command, about three days later, says that the ' +
        'Worker has stopped reading the outcome: check at the platform.',
    ),
    'command.settled': event(
      'command.settled',
      Command,
      'The outcome of a command is now known. Until now it was unknown, or the command was queued for a later day.',
    ),
    'transaction.unmatched': event(
      'transaction.unmatched',
      UnmatchedTransaction,
      'Money arrived that the platform matched to no order, or to an order that the Worker has deleted; or money did ' +
        'not count until its order was deleted. Refund it. The ' +
        'platform may match money without an order later; the event of the order’s payment then follows.',
    ),
    'vendor.registered': event(
      'vendor.registered',
      Vendor,
      'A vendor returned from the registration form. This is only a hint: ask the platform whether the vendor is ' +
        'registered.',
    ),
    'quota.low': event(
      'quota.low',
      Quota,
      'Four fifths of a daily limit of the platform are used. The event comes once a day for each limit.',
    ),
    'quota.queued': event(
      'quota.queued',
      Quota,
      'A daily limit of the platform is used up, and the first command waits for a later day. The event comes once a ' +
        'day for each limit.',
    ),
    'webhook.changed': event(
      'webhook.changed',
      WebhookChange,
      'A webhook was created, changed or deleted by the merchant API. Every active webhook receives this event.',
    ),
    'webhook.test': event(
      'webhook.test',
      WebhookTest,
      'A test of a webhook. The event reports no fact and is not in the list of events.',
    ),
  } satisfies Readonly<Record<(typeof EVENT_TYPES)[number], unknown>>);

export type EventType = keyof typeof EVENTS & (typeof EVENT_TYPES)[number];
type EventOf<T extends EventType> = z.output<(typeof EVENTS)[T]>;
export type EventData<T extends EventType> = EventOf<T>['data'];

export const MerchantEvent =
  DESCRIBED &&
  z
    .discriminatedUnion('type', [EVENTS['payment.partial'], ...Object.values(EVENTS).slice(1)])
    .check(z.meta({id: 'Event'}));
export type MerchantEvent = {[T in EventType]: EventOf<T>}[EventType];
