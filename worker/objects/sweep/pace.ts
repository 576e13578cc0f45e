/**
 * How often a service searches the platform, so that its searches do not use up the calls that order codes need. The
 * functions are pure; all times are epoch milliseconds.
 *
 * The calls of `/phs` have a budget for a minute, of which each service has an equal part. Order codes come first and
 * are never stopped: a quarter is theirs. The merchant's server may search with a quarter, and sweeps with a half. If
 * there are more new orders, the server gives way first, then sweeps, which keep a tenth.
 *
 * If the platform nevertheless refuses a search because it is called too often, sweeps pause for as long as it says,
 * and then search half as often.
 */

import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {retryDelayMs} from '../../lib/retry.ts';

export interface SearchesPerMinute {
  readonly sweeps: number;
  readonly server: number;
}

/**
 * @param budget - The calls that the service may make in a minute; null for any number.
 * @param newOrders - How many orders the service got in the last minute.
 */
export function searchesPerMinute(budget: number | null, newOrders: number): SearchesPerMinute {
  if (budget === null) return {sweeps: Infinity, server: Infinity};
  const server = Math.max(0, Math.min(budget / 4, budget / 2 - newOrders));
  return {server, sweeps: Math.max(budget / 10, Math.min(budget / 2, budget - newOrders))};
}

/** What slows sweeps down after the platform refused a search. */
export interface Slowdown {
  /** How many times the interval is doubled. */
  readonly doublings: number;
  readonly doubledAt: number;
  /** No search is sent until this time. */
  readonly until: number;
  /** How many pauses there were in a row. */
  readonly pauses: number;
}

const MAX_DOUBLINGS = 5;
/** The interval is halved again after this time without a refusal. */
const EASE_MS = 10 * MINUTE_MS;
const MAX_PAUSE_MS = 5 * MINUTE_MS;
/** The pauses if the platform does not say how long it wants to wait. */
const PAUSE = {firstMs: 5 * SECOND_MS, maxMs: MAX_PAUSE_MS};

/** The slowdown after one more refusal. @param retryAfterMs - The delay that the platform asked for, or null. */
export function slowedDown(last: Slowdown | null, retryAfterMs: number | null, now: number): Slowdown {
  const pauses = last !== null && now < last.until + MINUTE_MS ? last.pauses + 1 : 1;
  const pauseMs = Math.max(SECOND_MS, retryAfterMs ?? retryDelayMs(PAUSE, pauses));
  // What is refused within a minute may be about the same minute of the platform.
  const isSameMinute = last !== null && now < last.doubledAt + MINUTE_MS;
  const doublings = isSameMinute ? last.doublings : Math.min(doublingsOf(last, now) + 1, MAX_DOUBLINGS);
  return {doublings, doubledAt: isSameMinute ? last.doubledAt : now, until: now + pauseMs, pauses};
}

function doublingsOf(slowdown: Slowdown | null, now: number): number {
  if (slowdown === null) return 0;
  const quietMs = Math.max(0, now - Math.max(slowdown.until, slowdown.doubledAt));
  return Math.max(0, slowdown.doublings - Math.floor(quietMs / EASE_MS));
}

export interface Pace {
  /** How many searches the last sweep made. */
  readonly searches: number;
  readonly slowdown: Slowdown | null;
}

/** The interval of sweeps that want to run every `intervalMs`, and may make so many searches a minute. */
export function pacedInterval(intervalMs: number, {searches, slowdown}: Pace, perMinute: number, now: number): number {
  const doubledMs = retryDelayMs({firstMs: intervalMs, maxMs: MAX_PAUSE_MS}, doublingsOf(slowdown, now) + 1);
  const slowedMs = Math.max(doubledMs, (searches * MINUTE_MS) / perMinute);
  return Math.max(intervalMs, Math.min(slowedMs, MAX_PAUSE_MS));
}
