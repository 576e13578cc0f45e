/**
 * Chooses the days that a sweep searches. Every platform allows a search of a single day, and nearly all new money is
 * from today. So every sweep searches today, and the other days take turns:
 *
 * - The near days are tomorrow, the last three days before today, and each earlier day that was not read completely
 *   since it was one of these three. Each sweep searches half of them, so two sweeps search all of them.
 * - Each other day that may have money of an open order (a far day) is searched once an hour, one day a sweep.
 *
 * The day whose last turn was longest ago comes first, and of several such days the one closest to today. All functions
 * are pure. For an example with dates, see "A sweep by
 * example" in docs/decisions/sweeps-and-notifications.md.
 */

import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatPlatformDay, startOfDay} from '../../lib/time.ts';
import {BOOKED_AHEAD_MS, REPORTED_LATE_MS} from '../../platform/habits.ts';
import {heldSince, isHeld, listState, type SweepProgress} from './sweep-progress.ts';

const FAR_DAY_EVERY_MS = HOUR_MS;
/** How long no far day is searched after a search of any day has failed. */
const FAR_DAYS_PAUSE_MS = MINUTE_MS;
/** How many near days a sweep may search. After a long outage, there are many near days. */
const MAX_NEAR_DAYS = 6;

/** The days that a sweep searches after today, each as `YYYY-MM-DD`. */
export interface Turn {
  readonly near: readonly string[];
  readonly far: readonly string[];
}

/** All days that may have money of an open order. @param begin - A time on the first of them, epoch milliseconds. */
export function searchableDays(begin: number, now: number): string[] {
  const days = [];
  const last = formatPlatformDay(now + BOOKED_AHEAD_MS);
  for (let day = formatPlatformDay(begin); day <= last; day = dayAfter(day)) days.push(day);
  return days;
}

/** @param days - All searchable days. */
export function nextTurn(progress: SweepProgress, days: readonly string[], now: number): Turn {
  const today = formatPlatformDay(now);
  const tomorrow = dayAfter(today);
  const state = (day: string) => listState(progress, day);
  const isNear = (day: string) =>
    day <= tomorrow && state(day).completeAt < startOfDay(dayAfter(day)) + REPORTED_LATE_MS;
  const distance = (day: string) => Math.abs(startOfDay(day) - startOfDay(today));
  const waiting = days
    .filter((day) => day !== today && !isHeld(state(day).hold, now))
    .toSorted((a, b) => state(a).sweep - state(b).sweep || distance(a) - distance(b));
  const near = waiting.filter(isNear);
  const far = waiting.filter((day) => !isNear(day) && now - state(day).completeAt >= FAR_DAY_EVERY_MS);
  // Too many failures would open the circuit.
  const hasFailed = days.some((day) => now - heldSince(state(day).hold) < FAR_DAYS_PAUSE_MS);
  return {
    near: near.slice(0, Math.min(Math.ceil(near.length / 2), MAX_NEAR_DAYS)),
    far: hasFailed ? [] : far.slice(0, 1),
  };
}

/** When the reading began after which all money was known that was sent from `from` until then; 0 if it never was. */
export function completeSince(progress: SweepProgress, from: number, now: number): number {
  const last = formatPlatformDay(now);
  let since = now;
  for (let day = formatPlatformDay(from); day <= last; day = dayAfter(day))
    since = Math.min(since, listState(progress, day).completeAt);
  return since;
}

/** A time until which all money was read that was sent from `from` on. After an outage, it is on the first missed day. */
export function readUntil(progress: SweepProgress, from: number, now: number): number {
  const today = formatPlatformDay(now);
  for (let day = formatPlatformDay(from); ; day = dayAfter(day)) {
    const {completeAt} = listState(progress, day);
    if (day >= today || completeAt < startOfDay(dayAfter(day))) return Math.max(completeAt, startOfDay(day));
  }
}

/** The progress after these days have had their turn in the running sweep. */
export function withTurns(progress: SweepProgress, days: readonly string[]): SweepProgress {
  const turns = days.map((day) => [day, {...listState(progress, day), sweep: progress.sweeps}] as const);
  return {...progress, lists: {...progress.lists, ...Object.fromEntries(turns)}};
}

/** @param day - `YYYY-MM-DD`. The result has the same form. */
export function dayAfter(day: string): string {
  return formatPlatformDay(startOfDay(day) + DAY_MS);
}
