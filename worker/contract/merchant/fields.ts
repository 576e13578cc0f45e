/** Field types of the merchant API's inputs, which are strict. */

import * as z from 'zod';
import {isPlausibleTime, text} from '../fields.ts';

const DECIMAL = /^(0|[1-9]\d{0,11})(\.\d{1,2})?$/;

/** Decimal text with at most two places, more than 0. The platform receives it exactly as written. */
export const Amount = z
  .string()
  .regex(DECIMAL, 'Decimal text with at most two places is expected, such as "149.90".')
  .refine((amount) => /[1-9]/.test(amount), 'More than 0 is expected.')
  .meta({description: 'Decimal text in lira with at most two places, more than 0.', examples: ['149.90']});

/** Like `Amount`, but may be 0: a fee may be `"0.00"`. */
export const AmountOrZero = z
  .string()
  .regex(DECIMAL, 'Decimal text with at most two places is expected, such as "9.90".')
  .meta({description: 'Decimal text in lira with at most two places.', examples: ['9.90']});

/** One of the platform's ids: digits. It may exceed 2^53; a number is accepted while it is exact. */
export const Id = z
  .union([z.string().regex(/^\d{1,20}$/, 'An id is expected: up to 20 digits.'), z.int().nonnegative()])
  .transform(String)
  .meta({description: 'One of the platform’s ids. Text, because ids may exceed 2^53.', examples: ['77001']});

/** The code of one of the merchant's services. */
export const Service = text(64).meta({description: 'Service code, as in `SERVICES`.', examples: ['DEMO']});

/** A service code, or the service's numeric id in mobile billing. */
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
  .meta({description: 'Mobile operator, 1 to 7.', examples: [1]});

export const Product = z
  .int()
  .nonnegative()
  .meta({description: 'Product of the landing interface.', examples: [77]});

const plausibleTime = z.refine<string>(isPlausibleTime, 'A time between the years 2000 and 2099 is expected.');

/** An existing date, formatted `YYYY-MM-DD`. */
export const Day = z.iso
  .date()
  .check(plausibleTime)
  .meta({description: 'A date in Turkey, formatted `YYYY-MM-DD`.', examples: ['2026-11-21']});

/** ISO 8601 with offset, to the second: the platform does not store fractions. */
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
    .meta({description: `Number of items per page, at most ${max}.`, examples: [50]});

export const Cursor = z
  .string()
  .min(1)
  .max(500)
  .meta({
    description: '`next_cursor` of the previous page. All other fields must be the same as in that request.',
    examples: ['MS41MC5hYmNkZWY'],
  });
