/**
 * Field types of the platform's bodies, tolerant of the spellings in `docs/spec/observed.md`, each read into one
 * clean form: ids and amounts as text, times as ISO 8601 with offset. What cannot be read is kept as it came.
 */

import * as z from 'zod';
import {normalizeAmount} from '../lib/money.ts';
import {formatInstant, parsePlatformTime} from '../lib/time.ts';
import {OptionalText, Text} from './reply-json.ts';

export {OptionalText, Text};

/** Decimal text with two places: `"149.90"`. */
export const Money = Text.transform(normalizeAmount);
export const OptionalMoney = OptionalText.transform((text) => (text === null ? null : normalizeAmount(text)));

/** Local time of Turkey, ISO 8601 or epoch milliseconds, as ISO 8601 with offset. */
export const Time = OptionalText.transform((text) => {
  if (text === null || text === '') return null;
  const ms = /^\d{12,14}$/.test(text) ? Number(text) : parsePlatformTime(text);
  return ms === null ? text : formatInstant(ms);
});

/** True and false, also as text or number; null where absent. */
export const OptionalFlag = OptionalText.transform((text) => (text === null ? null : text === 'true' || text === '1'));

/** The same for what names something: empty text names nothing. */
export const OptionalName = OptionalText.transform((text) => text || null);

/** Text that says something: an empty code would be anybody's. */
export const NonEmptyText = Text.pipe(z.string().min(1));

/** A count, as number or numeric text. Nothing is not zero. */
export const Count = Text.pipe(z.string().regex(/^\d{1,15}$/)).transform(Number);
export const OptionalCount = OptionalText.transform((text) =>
  text === null || !/^\d{1,15}$/.test(text) ? null : Number(text),
);

/** Decimal text as sent to the platform: `"149.90"`. */
export const Decimal = z.string().regex(/^\d{1,12}(\.\d{1,2})?$/);

export const ServiceCode = z.string().min(1).max(64);

/** The merchant's reference of an order. */
export const OrderRef = z.string().min(1).max(255);

/** An id in the platform's books: digits, beyond 2^53 too. */
export const Id = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative()]).transform(String);

/** `YYYY-MM-DD`. */
export const Day = z.iso.date();

/** `YYYY-MM-DD HH:MM:SS`. */
export const PlatformTime = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);

/** Ten digits beginning with 5. */
export const Msisdn = z.string().regex(/^5\d{9}$/);

const Comparison = z.enum(['<', '>', '<=', '>=', '=']);

/** A value compared by an operator: `Transaction[amount][con_operator]`. */
export const comparison = <T extends z.ZodType>(value: T) => z.strictObject({con_operator: Comparison, value});

export const oneOrMore = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).min(1)]);

const SPLIT_FIELDS = ['payout', 'sub_merchant_id', 'fee'] as const;
type SplitFields = {readonly [field in (typeof SPLIT_FIELDS)[number]]?: string | undefined};

/**
 * Refuses a marketplace's split that is not whole, at the fields it lacks: the three are "required for marketplace"
 * (orders 2.2). For `schema.check(…)`.
 */
export function requireCompleteSplit({value, issues}: z.core.ParsePayload<SplitFields>): void {
  const missing = SPLIT_FIELDS.filter((field) => value[field] === undefined);
  if (missing.length === SPLIT_FIELDS.length) return;
  for (const field of missing)
    issues.push({
      code: 'custom',
      path: [field],
      input: undefined,
      message: 'A split needs payout, sub_merchant_id and fee.',
    });
}
