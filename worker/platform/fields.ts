/**
 * Field types of the platform's requests and replies. The platform spells the same value in several ways, which
 * `docs/spec/observed.md` lists. These types parse every spelling into one form: ids and amounts as text, times as ISO
 * 8601 with offset. An amount or time that the Worker cannot read stays as the platform wrote it.
 */

import * as z from 'zod/mini';
import {existingDay, webUrl} from '../lib/formats.ts';
import {normalizeAmount} from '../lib/money.ts';
import {instantOf} from './habits.ts';

/** A number or text, as text: ids arrive as numbers, although the spec's tables call them strings. */
export const Text = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** Text; null for a field that is absent, null, the text "null", an object or a list. */
export const OptionalText = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => (value === undefined || typeof value === 'object' || value === 'null' ? null : String(value))),
);

/** A record that a reply may lack; null if there is none. Platforms write `[]`, `{}` or "null" in place of a record. */
export const optionalRecord = <T extends z.ZodMiniType>(record: T) =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((value): z.output<T> | null => record.safeParse(value).data ?? null),
  );

/** Decimal text with two places: `"149.90"`. */
export const OptionalMoney = z.pipe(
  OptionalText,
  z.transform((text) => (text === null ? null : normalizeAmount(text))),
);

/**
 * A time: ISO 8601 with offset, or text that cannot be read. `readTime` says which, and `timeFields` passes it on.
 */
export const Time = z.pipe(
  OptionalText,
  z.transform((text) => (text === null || text === '' ? null : (instantOf(text) ?? text))),
);

/** A boolean, which the platform may write as text or as a number; null when absent. */
export const OptionalFlag = z.pipe(
  OptionalText,
  z.transform((text) => (text === null ? null : text === 'true' || text === '1')),
);

/** Text that names something; null when absent, empty or `false`. */
export const OptionalName = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => {
    const {data: text} = Text.safeParse(value);
    return text && text !== 'null' ? text : null;
  }),
);

/** Text with at least one character, because an empty code would match every order. */
export const NonEmptyText = z.pipe(Text, z.string().check(z.minLength(1)));

/** A count, written as a number or as digits; null if it is missing or unreadable, which does not mean zero. */
export const OptionalCount = z.pipe(
  OptionalText,
  z.transform((text) => (text === null || !/^\d{1,15}$/.test(text) ? null : Number(text))),
);

/** Decimal text, as the Worker sends it to the platform: `"149.90"`. */
export const Decimal = z.string().check(z.regex(/^\d{1,12}(\.\d{1,2})?$/));

export const ServiceCode = z.string().check(z.minLength(1), z.maxLength(64));

/** The merchant's reference for an order. */
export const OrderRef = z.string().check(z.minLength(1), z.maxLength(255));

/** One of the platform's ids, as text of digits, because an id may exceed 2^53. */
export const Id = z.pipe(
  z.union([z.string().check(z.regex(/^\d{1,20}$/)), z.int().check(z.nonnegative())]),
  z.transform(String),
);

/** A date, `YYYY-MM-DD`. */
export const Day = existingDay();

/** A time in Turkey's local time, `YYYY-MM-DD HH:MM:SS`. */
export const PlatformTime = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/));

/** A mobile number: ten digits that begin with 5. */
export const Msisdn = z.string().check(z.regex(/^5\d{9}$/));

const Comparison = z.enum(['<', '>', '<=', '>=', '=']);

/** A value with a comparison operator, which `/phs` gets as `Transaction[amount][con_operator]`. */
export const comparison = <T extends z.ZodMiniType>(value: T) => z.strictObject({con_operator: Comparison, value});

export const oneOrMore = <T extends z.ZodMiniType>(value: T) => z.union([value, z.array(value).check(z.minLength(1))]);

const MAX_USER_ID_CHARACTERS = 32;

/**
 * Refuses a `user_id` that is longer than the limit (`docs/spec/orders.md`, section 2.2). The limit counts characters,
 * not UTF-16 units.
 */
export function requireUserId({value, issues}: z.core.ParsePayload<string>): void {
  if ([...value].length <= MAX_USER_ID_CHARACTERS) return;
  issues.push({code: 'too_big', origin: 'string', maximum: MAX_USER_ID_CHARACTERS, inclusive: true, input: value});
}

const SPLIT_FIELDS = ['payout', 'sub_merchant_id', 'fee'] as const;
type SplitFields = {readonly [field in (typeof SPLIT_FIELDS)[number]]?: string | undefined};

/**
 * Refuses a marketplace's split that lacks one or two of its three fields, and names the missing fields. The fields are
 * "required for marketplace" (`docs/spec/orders.md`, section 2.2). Use this function with `schema.check(…)`.
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

/** A URL to which a page sends the shopper. */
export const WebUrl = webUrl();
