/** Field types of the merchant API. What comes in is strict; what goes out says what the platform said. */

import * as z from 'zod';
import {isPlausibleTime, text} from '../fields.ts';

const DECIMAL = /^(0|[1-9]\d{0,11})(\.\d{1,2})?$/;

/** Decimal text, at most two places, more than nothing. It reaches the platform as it is written. */
export const Amount = z
  .string()
  .regex(DECIMAL, 'Decimal text with at most two places is expected, such as "149.90".')
  .refine((amount) => /[1-9]/.test(amount), 'More than 0 is expected.')
  .meta({description: 'Decimal text in lira with at most two places, more than 0.', examples: ['149.90']});

/** `Amount`, or nothing at all: a fee may be `"0.00"`. */
export const AmountOrZero = z
  .string()
  .regex(DECIMAL, 'Decimal text with at most two places is expected, such as "9.90".')
  .meta({description: 'Decimal text in lira with at most two places.', examples: ['9.90']});

/** An id in the platform's books: digits, beyond 2^53 too; a number is taken while it is exact. */
export const Id = z
  .union([z.string().regex(/^\d{1,20}$/, 'An id is expected: up to 20 digits.'), z.int().nonnegative()])
  .transform(String)
  .meta({description: 'An id in the platform’s books. Text, because ids outgrow 2^53.', examples: ['77001']});

/** The code of one of the merchant's services. */
export const Service = text(64).meta({description: 'Service code, as in `SERVICES`.', examples: ['DEMO']});

/** In mobile billing the numeric id of a service is taken too. */
export const BillingService = z
  .union([text(64), z.int().nonnegative()])
  .transform(String)
  .meta({description: 'Service code, or its numeric id in mobile billing.', examples: ['DEMO']});

/** The merchant's own reference of an order. */
export const Order = text(255).meta({description: 'The merchant’s reference of the order.', examples: ['S-1009']});

/** Ten digits beginning with 5. */
export const Msisdn = z
  .string()
  .regex(/^5\d{9}$/, 'Ten digits beginning with 5 are expected.')
  .meta({description: 'Mobile number: ten digits beginning with 5.', examples: ['5321234567']});

/** Subscriptions 4.C rule 6. */
export const Operator = z
  .int()
  .min(1)
  .max(7)
  .meta({description: 'Operator, 1 to 7.', examples: [1]});

export const Product = z
  .int()
  .nonnegative()
  .meta({description: 'Product of the landing interface.', examples: [77]});

const plausibleTime = z.refine<string>(isPlausibleTime, 'A time between the years 2000 and 2099 is expected.');

/** `YYYY-MM-DD`, a day there is. */
export const Day = z.iso
  .date()
  .check(plausibleTime)
  .meta({description: 'A day in Turkey, `YYYY-MM-DD`.', examples: ['2026-11-21']});

/** ISO 8601 with offset, to the second: the platform keeps no fractions. */
export const Instant = z.iso
  .datetime({offset: true, precision: 0})
  .check(plausibleTime)
  .meta({description: 'ISO 8601 with an offset, to the second.', examples: ['2026-11-21T15:42:00+03:00']});

export const Url = z
  .url({protocol: /^https?$/})
  .max(2000)
  .refine((url) => url.isWellFormed(), 'Well-formed text without NUL is expected.')
  .meta({examples: ['https://shop.example/thanks']});

export const Limit = (max: number) =>
  z
    .int()
    .min(1)
    .max(max)
    .meta({description: `At most so many items, up to ${max}.`, examples: [50]});

export const Cursor = z
  .string()
  .min(1)
  .max(500)
  .meta({
    description: '`next_cursor` of the page before; everything else must be asked as it was then.',
    examples: ['MS41MC5hYmNkZWY'],
  });

/** What the platform says, where it says something. */
export const NullableText = z.string().nullable();

/** Decimal text with two places. */
export const Money = z
  .string()
  .nullable()
  .meta({description: 'Decimal text with two places.', examples: ['149.90']});

/** ISO 8601 with `+03:00`; a time that cannot be read stands as the platform wrote it. */
export const Time = z
  .string()
  .nullable()
  .meta({
    description: 'ISO 8601 with `+03:00`; a time that cannot be read stands as the platform wrote it.',
    examples: ['2026-11-21T15:42:00+03:00'],
  });

/** A number of the platform's, as a number where it is one. */
export const Code = z.union([z.int(), z.string()]).nullable();

/** The platform's status, and `state`, the word for it. */
export const Status = Code.meta({description: 'The platform’s own status, as it gave it.', examples: [3]});
export const State = z
  .string()
  .meta({description: 'The word for `status`; `unknown` where its meaning is not known.', examples: ['successful']});

/** A page of a search. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    next_cursor: z.string().nullable().meta({description: 'Asks for the next page; null on the last one.'}),
    total: z.int().nullable().meta({description: 'How many there are in all; null where the platform does not say.'}),
  });
