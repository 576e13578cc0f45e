/**
 * The platform's habits, on which the contract is silent: how it spells values, how long its lists are and in which order,
 * and on which days banks book money. `docs/contract.md`, "Spellings of values", lists what was seen and which library
 * writes it.
 */

import {DAY_MS} from '../lib/durations.ts';
import {formatAmount, parseAmount} from '../lib/money.ts';
import {EARLIEST_TIME_MS, formatInstant, formatPlatformTime, isExistingDay} from '../lib/time.ts';
import {areValuesRefused, PlatformError} from './failure.ts';

const TIME =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(?:(Z|[A-Z]{3,4})?|(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?)$/i;

/**
 * Zones that the platform may write by name. PHP's format `T` writes the name of a zone if PHP knows one
 * (`docs/spec/subscriptions.md`, section 2.7). `EET` and `EEST` were Turkey's zones until 2016.
 */
const NAMED_ZONES: ReadonlyMap<string, string> = new Map([
  ['Z', 'Z'],
  ['UTC', 'Z'],
  ['GMT', 'Z'],
  ['EET', '+02:00'],
  ['EEST', '+03:00'],
  ['TRT', '+03:00'],
]);
const TURKEY = '+03:00';

/** Epoch milliseconds from 1973 to 2286. Fourteen digits may be a date and a time without separators. */
const EPOCH_MS = /^\d{12,13}$/;

/**
 * Reads a time as the platform writes it, in Turkish time if it names no zone, as epoch milliseconds. Null if it is
 * missing, cannot be read or names an unknown zone: then the time is unknown, and no other time may stand for it.
 */
export function readTime(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  const ms = EPOCH_MS.test(trimmed) ? Number(trimmed) : readDayAndTime(trimmed);
  return ms !== null && ms >= EARLIEST_TIME_MS ? ms : null;
}

function readDayAndTime(text: string): number | null {
  const [, day = '', time, name, sign, hours = '', minutes = '00'] = TIME.exec(text) ?? [];
  if (time === undefined || !isExistingDay(day)) return null;
  const zone = sign
    ? `${sign}${hours.padStart(2, '0')}:${minutes}`
    : name
      ? NAMED_ZONES.get(name.toUpperCase())
      : TURKEY;
  const ms = zone === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}

/** A time of the platform as ISO 8601 with `+03:00`; null if it is missing or cannot be read. */
export function instantOf(time: string | null): string | null {
  const ms = readTime(time);
  return ms === null ? null : formatInstant(ms);
}

type TimeFields<N extends string> = {readonly [K in N | `${N}_text`]: string | null};

/**
 * The two fields with which an answer or an event has a time of the platform: ISO 8601 with `+03:00` or null, and beside
 * it, in `<name>_text`, what the platform wrote if it cannot be read.
 */
export function timeFields<N extends string>(name: N, time: string | null): TimeFields<N> {
  const instant = instantOf(time);
  return {[name]: instant, [`${name}_text`]: instant === null ? time : null} as TimeFields<N>;
}

/**
 * The texts of which a notification's key may be made, if the notification has this amount: the amount as received, with
 * two decimal places, with one, and without trailing zeros.
 */
export function amountSpellings(amount: string): string[] {
  const kurus = parseAmount(amount);
  if (kurus === null) return [amount];
  const full = formatAmount(kurus);
  return [...new Set([amount, full, full.replace(/0$/, ''), full.replace(/\.?0+$/, '')])];
}

/** The separator of date and time in a search of mobile billing, which may accept only one: a space or a `T`. */
export type TimeSpelling = 'space' | 'iso';

/** A time as a search of mobile billing sends it. */
export function spellTime(ms: number, spelling: TimeSpelling): string {
  const time = formatPlatformTime(ms);
  return spelling === 'iso' ? time.replace(' ', 'T') : time;
}

/** The default `length` of a search for transactions, which every platform accepts. */
export const SHORT_PAGE_LENGTH = 100;
/** A length that a platform may refuse, or answer with fewer rows, but not with fewer than `SHORT_PAGE_LENGTH`. */
export const LONG_PAGE_LENGTH = 5_000;
/** The highest number of rows that mobile billing returns at once (`docs/spec/subscriptions.md`, section 8). */
export const BILLING_PAGE_LENGTH = 100;

/** Whether the count of a list may be only the number of the page's rows. */
export const mayBePageCount = (count: number, rowsOfPage: number): boolean => count <= rowsOfPage;

/** Whether a list begins with the oldest records, whatever sequence the search asked for. */
export const isOldestFirst = (rows: readonly {readonly id: string}[]): boolean =>
  Number(rows[0]?.id) < Number(rows.at(-1)?.id);

/** Whether the platform refused the values of a search, so that it may accept a search with other values. */
export function isSearchRefused(error: unknown): boolean {
  return error instanceof PlatformError && areValuesRefused(error.failure);
}

/** How late a bank reports money. On Monday, it may report a transfer that it booked on Friday. */
export const REPORTED_LATE_MS = 3 * DAY_MS;
/** How far ahead a bank books money. On Saturday, it may book a transfer with Monday's date. */
export const BOOKED_AHEAD_MS = 7 * DAY_MS;
