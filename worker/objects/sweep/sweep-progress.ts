/** How far a sweep has read the platform's lists of transactions. Times are epoch milliseconds, 0 for never. */

import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatPlatformDay, parsePlatformTime} from '../../lib/time.ts';

/** The days of a search, as `YYYY-MM-DD`. */
export interface Days {
  readonly startDate: string;
  /** The day after the last one. */
  readonly endDate: string;
}

/** A pass over a whole list, page by page. */
export interface Pass {
  /** How many rows have been read. */
  readonly position: number;
  /** How many rows the list had when the pass began. */
  readonly total: number;
  /** How many rows could not be handed to their order. */
  readonly undelivered: number;
}

/** How far one list of days was read. */
export interface ListState {
  /** How many transactions are known; null when the whole list must be read. */
  readonly known: number | null;
  /** How many transactions the list had at the last search. */
  readonly total: number;
  /** The number of the sweep that last searched the list. */
  readonly sweep: number;
  /** When all transactions were last known. */
  readonly completeAt: number;
  /** When a pass over the list was last completed. */
  readonly readAt: number;
  /** The pass that is running; null if none is. */
  readonly pass: Pass | null;
  /** Whether the most recent second search of a sweep read a page of a pass, and not recent bookings. */
  readonly pagedLast: boolean;
}

/** The pass over the days that sweeps do not read otherwise, one day after the other. */
export interface DaysPass {
  /** The day to read next, `YYYY-MM-DD`. */
  readonly day: string;
  readonly position: number;
  readonly undelivered: number;
}

/** A kind of search that the platform refused, or answered with fewer days than it was asked for. */
export interface Refusal {
  /** From then on, the Worker may try the search again. */
  readonly until: number;
  readonly holdMs: number;
}

/** A sweep changes this object while it runs, and stores it whenever a crash must not lose the change. */
export interface SweepProgress {
  /** When all transactions of the last days were last known. */
  completeAt: number;
  /** How many sweeps there were. */
  sweeps: number;
  /** The lists that were read, by their days. */
  lists: Record<string, ListState>;
  /** When a search over several days last showed a row that a shortened search would not show. */
  spanShownAt: number;
  spanRefusal: Refusal | null;
  lengthRefusal: Refusal | null;
  daysPass: DaysPass | null;
  /** When the pass over the other days last began. */
  daysPassAt: number;
  /** When a page of a pass last could not be read. */
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
};

export function newProgress(completeAt: number): SweepProgress {
  return {
    completeAt,
    sweeps: 0,
    lists: {},
    spanShownAt: 0,
    spanRefusal: null,
    lengthRefusal: null,
    daysPass: null,
    daysPassAt: 0,
    pageFailedAt: 0,
  };
}

/** The progress after seen transactions were deleted: every list must be read again. */
export function readAgain(progress: SweepProgress): SweepProgress {
  return {...progress, lists: {}, daysPass: null, daysPassAt: 0};
}

/** A refusal after the last one. A refusal may be a passing fault, so the first one holds only for a minute. */
export function nextRefusal(last: Refusal | null, now: number): Refusal {
  const holdMs = last ? Math.min(2 * last.holdMs, DAY_MS) : MINUTE_MS;
  return {holdMs, until: now + holdMs};
}

export function oneDay(day: string): Days {
  return {startDate: day, endDate: dayAfter(day)};
}

/** @param day `YYYY-MM-DD`, as the result. */
export function dayAfter(day: string): string {
  return formatPlatformDay(startOf(day) + DAY_MS);
}

/** All days from the first to the last. */
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
