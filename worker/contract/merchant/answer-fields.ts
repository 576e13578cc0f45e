/** Field types of the merchant API's answers. Most values come from the platform. */

import * as z from 'zod/mini';
import '../described.ts';

export type {StatusName} from '../../platform/statuses.ts';

/** Text of the platform; null when the platform gives no value. */
export const NullableText = DESCRIBED && z.nullable(z.string());

/** Decimal text with two places. */
export const Money =
  DESCRIBED &&
  z.nullable(z.string()).check(z.meta({description: 'Decimal text with two places.', examples: ['149.90']}));

const MoneyText = DESCRIBED && z.string().check(z.meta({examples: ['50.00']}));

/** A time of the Worker. */
export const Time =
  DESCRIBED &&
  z
    .nullable(z.string())
    .check(z.meta({description: 'ISO 8601 with `+03:00`.', examples: ['2026-11-21T15:42:00+03:00']}));

const PlatformTime =
  DESCRIBED &&
  z.nullable(z.string()).check(
    z.meta({
      description: 'ISO 8601 with `+03:00`; null if the platform gives no time, or one that cannot be read.',
      examples: ['2026-11-21T15:42:00+03:00'],
    }),
  );
const TimeText =
  DESCRIBED &&
  NullableText.check(z.describe('What the platform wrote in place of a time, if it cannot be read; otherwise null.'));

type PlatformTimeFields<N extends string> = {readonly [K in N]: typeof PlatformTime} & {
  readonly [K in `${N}_text`]: typeof TimeText;
};

/** The two fields of a time of the platform; `timeFields` in `worker/platform/habits.ts` makes their values. */
export const platformTime = <N extends string>(name: N) =>
  ({[name]: PlatformTime, [`${name}_text`]: TimeText}) as PlatformTimeFields<N>;

/** Whether the bank's time of money is known. */
export const TimeUnknown =
  DESCRIBED &&
  z
    .boolean()
    .check(
      z.describe(
        'Whether the bank’s time is missing or cannot be read. `at` is then when the platform or the Worker first knew of it, which also decides whether money is late.',
      ),
    );

/** A code of the platform. An integer becomes a number; any other code stays text. */
export const Code = DESCRIBED && z.nullable(z.union([z.int(), z.string()]));

/** The platform's status. The field `state` beside it is the status's name. */
export const Status =
  DESCRIBED && Code.check(z.meta({description: 'The platform’s own status, unchanged.', examples: [3]}));
export const State =
  DESCRIBED &&
  z
    .string()
    .check(
      z.meta({description: 'The name of `status`; `unknown` when its meaning is not known.', examples: ['successful']}),
    );

/** What may be sent back of an order's money; see `worker/objects/order/refundable.ts`. */
export const Refundable =
  DESCRIBED &&
  z
    .strictObject({
      amount: MoneyText.check(
        z.describe(
          'What the order’s state is a reason to send back: the excess of an overpaid order, all money of a cancelled or ' +
            'late one. `0.00` as soon as it was refunded or a refund of it was requested.',
        ),
      ),
      reason: z.nullable(z.enum(['overpaid', 'late', 'cancelled'])).check(z.describe('Null if `amount` is `0.00`.')),
      left: MoneyText.check(
        z.describe(
          'The most that may be sent back: transfers that count, minus refunds that were made or requested and, except in ' +
            'events, those whose outcome is unknown. `0.00` for a completed order.',
        ),
      ),
    })
    .check(z.meta({id: 'Refundable'}));

/** On money of an adopted order. */
export const KnownBefore =
  DESCRIBED &&
  z
    .literal(true)
    .check(
      z.describe(
        'Present if your server took the order from another system with `adopt`: somebody may have paid the money for the ' +
          'order there, so look before you deliver.',
      ),
    );

/** A refund as the Worker has it stored, without its order. */
export const OrderRefund =
  DESCRIBED &&
  z.strictObject({
    id: z.string(),
    sub_merchant_id: NullableText.check(
      z.describe('The sub-merchant whose part of the order is refunded, if your server named it.'),
    ),
    refund_link_id: NullableText.check(z.describe('The refund link with which the shopper asked for the refund.')),
    amount: Money,
    status: Status.check(z.describe('The platform’s own status; null until the Worker has read the refund.')),
    state: State,
    transaction_id: NullableText,
    ...platformTime('refund_time'),
    bank_receipt_no: NullableText,
    requested_at: z.string().check(z.describe('When the Worker requested the refund or learnt of it.')),
  });

/** One page of results. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    next_cursor: z.nullable(z.string()).check(z.describe('The `cursor` of the next page; null on the last page.')),
    total: z.nullable(z.int()).check(z.describe('Number of items on all pages; null when the platform does not say.')),
  });
