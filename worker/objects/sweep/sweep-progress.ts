/** How far a sweep has read the platform's lists of transactions. Times are epoch milliseconds, 0 for never. */

import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {type Failures, retryDelayMs} from '../../lib/retry.ts';
import type {Slowdown} from './pace.ts';

/** A pass over a whole list, page by page. */
export interface Pass {
  /** How many rows have been read. */
  readonly position: number;
  /** How many rows the list had when the pass began. */
  readonly total: number;
}

/** How far the list of one day was read. */
export interface ListState {
  /** How many transactions are known; null when the whole list must be read. */
  readonly known: number | null;
  /** How many transactions the list had at its last search. Some answers count only a page, so there may be more. */
  readonly total: number;
  /** The number of the sweep in which the day last had its turn. */
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
  readonly hold: Failures | null;
}

/**
 * Holds of long pages. Such a hold begins when the platform refuses a long page. The hold ends, because the refusal may
 * be a passing fault.
 */
export const REFUSAL_HOLD = {firstMs: MINUTE_MS, maxMs: DAY_MS};
/** Holds of a day that cannot be read. */
export const DAY_HOLD = {firstMs: MINUTE_MS, maxMs: HOUR_MS};
/** Holds of a transaction whose order cannot be reached. */
export const DELIVERY_HOLD = {firstMs: 3 * SECOND_MS, maxMs: HOUR_MS};

/** A sweep changes this object while it runs. The object of the sweep keeps it in memory, and stores it now and then. */
export interface SweepProgress {
  /** When the last sweep began. */
  begunAt: number;
  /** When the last sweep began that read the transactions of today; null if no sweep has read them. */
  asOf: number | null;
  /** How many sweeps there were. */
  sweeps: number;
  /** The list of each day that was read, by `YYYY-MM-DD`. */
  lists: Record<string, ListState>;
  lengthRefusal: Failures | null;
  /** How many searches the last sweep made. */
  searches: number;
  slowdown: Slowdown | null;
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
  return {begunAt: 0, asOf: null, sweeps: 0, lists: {}, lengthRefusal: null, searches: 0, slowdown: null};
}

/** How far the list of a day was read. @param day - `YYYY-MM-DD`. */
export function listState({lists}: SweepProgress, day: string): ListState {
  return {...EMPTY_LIST, ...lists[day]};
}

const STORE_EVERY_MS = MINUTE_MS;
/** After this time without a call, an object may be evicted. */
const EVICTED_AFTER_MS = 10 * SECOND_MS;

/**
 * Whether a sweep has to store its progress. A sweep without news changes only turns and times, or lists become longer.
 * If this is lost, the next sweeps search the same days again, and recognize what was seen. So it is stored once a
 * minute, or if the object will not stay in memory until the next sweep.
 */
export function mustStore(stored: SweepProgress, progress: SweepProgress, intervalMs: number): boolean {
  return (
    intervalMs >= EVICTED_AFTER_MS ||
    progress.begunAt - stored.begunAt >= STORE_EVERY_MS ||
    progress.lengthRefusal !== stored.lengthRefusal ||
    progress.slowdown !== stored.slowdown ||
    Object.keys(progress.lists).some((day) => hasNews(listState(stored, day), listState(progress, day)))
  );
}

function hasNews(before: ListState, after: ListState): boolean {
  const isShorter = after.total < before.total || (after.known ?? -1) < (before.known ?? -1);
  return isShorter || (['pass', 'pageFailedAt', 'hold'] as const).some((name) => before[name] !== after[name]);
}

export function isHeld(hold: Failures | null, now: number): boolean {
  return hold !== null && now < hold.retryAt;
}

/** When the hold of a day began; -Infinity if there is no hold. */
export function heldSince(hold: Failures | null): number {
  return hold === null ? -Infinity : hold.retryAt - retryDelayMs(DAY_HOLD, hold.failures);
}

/** How many transactions are known after adding the fresh ones, at most the total. */
export function addKnown(known: number | null, fresh: number, total: number): number | null {
  return known === null ? null : Math.max(known, Math.min(known + fresh, total));
}
