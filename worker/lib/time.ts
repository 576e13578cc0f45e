/**
 * Times: epoch milliseconds in code, ISO 8601 with `+03:00` in our APIs, and `YYYY-MM-DD HH:MM:SS` in Turkish time at
 * the platform. Turkey has been at UTC+3 all year since 2016.
 */

import {DAY_MS, HOUR_MS} from './durations.ts';

const OFFSET_MS = 3 * HOUR_MS;

/** The earliest time that is believed: software writes a missing time as a year such as 1, 1900 or 1970. */
export const EARLIEST_TIME_MS = Date.UTC(2000, 0, 1);

/** Formats epoch milliseconds as `"2026-11-21T15:42:00+03:00"`. */
export function formatInstant(ms: number): string {
  return `${turkishTime(ms).toISOString().slice(0, 19)}+03:00`;
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

/** Whether this date exists. `Date.parse` turns 30 February into 2 March. @param day - `YYYY-MM-DD`. */
export function isExistingDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** Formats epoch milliseconds as the platform's `YYYY-MM-DD`. */
export function formatPlatformDay(ms: number): string {
  return turkishTime(ms).toISOString().slice(0, 10);
}

/** The beginning of a day in Turkey, epoch milliseconds. @param day - An existing date, `YYYY-MM-DD`. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00+03:00`);
}

/** Formats epoch milliseconds as the month in Turkey, `YYYY-MM`. */
export function formatMonth(ms: number): string {
  return formatPlatformDay(ms).slice(0, 7);
}

/** The last months in Turkey as `YYYY-MM`, the current month first. */
export function lastMonths(count: number, now: number): string[] {
  const months = [formatMonth(now)];
  while (months.length < count) months.push(formatMonth(Date.parse(`${months.at(-1)}-01T00:00:00+03:00`) - DAY_MS));
  return months;
}

/** Formats epoch milliseconds as the platform's `YYYY-MM-DD HH:MM:SS`. */
export function formatPlatformTime(ms: number): string {
  return turkishTime(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** The next moment after `now` at which it is `hour` o'clock in Turkey, in epoch milliseconds. */
export function nextHourInTurkey(hour: number, now: number): number {
  const shift = hour * HOUR_MS - OFFSET_MS;
  return (Math.floor((now - shift) / DAY_MS) + 1) * DAY_MS + shift;
}

function turkishTime(ms: number): Date {
  return new Date(ms + OFFSET_MS);
}
