/** How far a sweep has read the platform's lists of transactions. Times are epoch milliseconds, 0 for never. */

import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {formatPlatformDay, parsePlatformTime} from '../../lib/time.ts';

/** The days of a search, as `YYYY-MM-DD`. */
export interface Days {
  readonly startDate: string;
  /** The day after the last day. */
  readonly endDate: string;
}

/** A pass over a whole list, page by page. */
export interface Pass {
  /** How many rows have been read. */
  readonly position: number;
  /** How many rows the list had when the pass began. */
  readonly total: number;
}

/** How far one list of days was read. */
export interface ListState {
  /** How many transactions are known; null when the whole list must be read. */
  readonly known: number | null;
  /** How many transactions the list had at its last search. Some answers count only a page, so there may be more. */
  readonly total: number;
  /** The number of the sweep that last searched the list. */
  readonly sweep: number;
  /** When all transactions of the list were last known. */
  readonly completeAt: number;
  /** When a pass over the list was last completed. */
  readonly readAt: number;
  /** The pass that is running; null if no pass is running. */
  readonly pass: Pass | null;
  /**
   * After the first search of a list, a sweep reads recent bookings or a page of a pass. `pagedLast` says whether the
   * last such read was of a page of a pass.
   */
  readonly pagedLast: boolean;
  /** When a read of a page of a pass last failed. */
  readonly pageFailedAt: number;
  /** Set while the list is not searched, because its last searches failed. */
  readonly hold: Hold | null;
}

/** The days pass, which reads the far days one after the other. */
export interface DaysPass {
  /** The day to read next, `YYYY-MM-DD`. */
  readonly day: string;
  readonly position: number;
  /** Whether a day could not be read. */
  readonly hasFailed: boolean;
}

/** A delay that grows each time the same action fails. */
export interface Hold {
  /** The time from which the Worker may try again. */
  readonly until: number;
  readonly holdMs: number;
}

interface HoldLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Holds of a kind of search. Such a hold begins when the platform refuses this kind of search, or answers it with fewer
 * days. The hold ends, because the refusal may be a passing fault.
 */
export const REFUSAL_HOLD: HoldLimits = {firstMs: MINUTE_MS, longestMs: DAY_MS};
/** Holds of a day that cannot be read. */
export const DAY_HOLD: HoldLimits = {firstMs: MINUTE_MS, longestMs: HOUR_MS};
/** Holds of a transaction whose order cannot be reached. The first hold is over when the next sweep begins. */
export const DELIVERY_HOLD: HoldLimits = {firstMs: 3 * SECOND_MS, longestMs: HOUR_MS};

/** A sweep changes this object while it runs, and stores it whenever a crash must not lose the change. */
export interface SweepProgress {
  /** When all transactions of today and of the near days were last known. */
  completeAt: number;
  /** When the last sweep began. */
  begunAt: number;
  /** When the last sweep began that read the transactions of today; null if no sweep has read them. */
  asOf: number | null;
  /** How many sweeps there were. */
  sweeps: number;
  /** The lists that were read, by their days. */
  lists: Record<string, ListState>;
  /** When the span (one search of several days) last showed a row that a shortened search would not show. */
  spanShownAt: number;
  spanRefusal: Hold | null;
  lengthRefusal: Hold | null;
  daysPass: DaysPass | null;
  /** When the days pass last began. */
  daysPassAt: number;
  /** Set if the last days pass could not read every day. The days pass runs again when the hold is over. */
  daysPassHold: Hold | null;
  /** When a read of a page of the days pass last failed. */
  pageFailedAt: number;
}

export const EMPTY_LIST: ListState = {
  known: null,
  total: 0,
  sweep: 0,
  completeAt: 0,
  readAt: 0,
  pass: null,
  pagedLast: false,
  pageFailedAt: 0,
  hold: null,
};

/** The progress before the first sweep. */
export function newProgress(): SweepProgress {
  return {
    completeAt: 0,
    begunAt: 0,
    asOf: null,
    sweeps: 0,
    lists: {},
    spanShownAt: 0,
    spanRefusal: null,
    lengthRefusal: null,
    daysPass: null,
    daysPassAt: 0,
    daysPassHold: null,
    pageFailedAt: 0,
  };
}

/** The progress after seen transactions were deleted: every list must be read again. */
export function readAgain(progress: SweepProgress): SweepProgress {
  return {...progress, lists: {}, daysPass: null, daysPassAt: 0};
}

/** The hold after one more failure. */
export function nextHold(last: Hold | null, {firstMs, longestMs}: HoldLimits, now: number): Hold {
  const holdMs = last ? Math.min(2 * last.holdMs, longestMs) : firstMs;
  return {holdMs, until: now + holdMs};
}

export function isHeld(hold: Hold | null, now: number): boolean {
  return hold !== null && now < hold.until;
}

export function oneDay(day: string): Days {
  return {startDate: day, endDate: dayAfter(day)};
}

/** @param day - `YYYY-MM-DD`. The result has the same form. */
export function dayAfter(day: string): string {
  return formatPlatformDay(startOf(day) + DAY_MS);
}

/** All days from the first to the last, both included. */
export function daysFrom(first: string, last: string): string[] {
  const days = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
}

/** The beginning of a day, epoch milliseconds. */
export function startOf(day: string): number {
  return parsePlatformTime(`${day} 00:00:00`) ?? 0;
}

/** How many transactions are known after adding the fresh ones, at most the total. */
export function addKnown(known: number | null, fresh: number, total: number): number | null {
  return known === null ? null : Math.max(known, Math.min(known + fresh, total));
}
