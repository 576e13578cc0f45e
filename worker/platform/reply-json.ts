/**
 * Parses the platform's replies: JSON and lists. It accepts every spelling that `docs/spec/observed.md` lists.
 */

import * as z from 'zod/mini';
import {PlatformError} from './failure.ts';
import {readTime} from './habits.ts';

/** Parses JSON text; null when the text is not JSON, or is JSON of another type than an object. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = parsePreservingNumbers(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Matches a reply with a number that `Number` could spell differently, or with text that looks like such a number. */
const MAY_CHANGE_NUMBERS = /[[:,]\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/** Keeps a number as text if `Number` would change its spelling: an id above 2^53, or an amount such as `140.00`. */
function parsePreservingNumbers(text: string): unknown {
  // A reviver makes parsing several times slower.
  if (!MAY_CHANGE_NUMBERS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: {source: string}) =>
    typeof value === 'number' && context && String(value) !== context.source ? context.source : value,
  );
}

/** A list of records from the platform, without the records that cannot be read. */
export interface Rows<T> {
  readonly rows: T[];
  /** Number of records that cannot be read. The platform's own totals include them. */
  readonly unreadable: number;
  /** Number of records that were not asked for; see `names.ts`. The platform's own totals include them, too. */
  readonly others?: number;
}

/** Reads a list. An absent list is empty: only a text or number in its place makes the reply unreadable. */
export const rowsOf = <T extends z.ZodMiniType>(row: T) =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((list, context): Rows<z.output<T>> => {
      const items = toItems(list);
      if (!items) {
        context.issues.push({code: 'invalid_type', expected: 'array', input: list});
        return z.NEVER;
      }
      const rows = items.flatMap((item) => {
        const parsed = row.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
      return {rows, unreadable: items.length - rows.length};
    }),
  );

/**
 * The records of a list; null for what is not a list. PHP writes some lists as an object whose keys are numbers. Any
 * other object is the only record of its list.
 */
function toItems(list: unknown): readonly unknown[] | null {
  if (list === undefined || list === null || list === false || list === '' || list === 'null') return [];
  if (Array.isArray(list)) return list;
  if (typeof list !== 'object') return null;
  return Object.keys(list).every((key) => /^\d+$/.test(key)) ? Object.values(list) : [list];
}

/** How many records the platform sent, including those that cannot be read or were not asked for. */
export function countRows({rows, unreadable, others = 0}: Rows<unknown>): number {
  return rows.length + unreadable + others;
}

/**
 * Returns the records if all of them can be read. For callers that must not miss a record.
 * @throws {PlatformError} when a record cannot be read.
 */
export function requireAllRows<T>(operation: string, {rows, unreadable}: Rows<T>): readonly T[] {
  if (unreadable > 0) throw new PlatformError(operation, {outcome: 'unknown', fault: 'unreadable'});
  return rows;
}

/**
 * Reads the time at which mobile billing wrote the reply (`docs/spec/subscriptions.md`, section 2.1), in epoch
 * milliseconds; NaN when the reply contains no time. The platform spells the field's name in three ways.
 */
export function readResponseTime(text: string): number {
  const {responseTime, responsetime, respnseTime} = (parseObject(text)?.['response'] ?? {}) as Readonly<
    Record<string, unknown>
  >;
  return readTime(String(responseTime ?? responsetime ?? respnseTime ?? '')) ?? Number.NaN;
}
