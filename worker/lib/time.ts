/**
 * Times: epoch milliseconds in code, ISO 8601 with `+03:00` in our APIs, and `YYYY-MM-DD HH:MM:SS` in Turkish time at
 * the platform. Turkey has been at UTC+3 all year since 2016.
 */

import {DAY_MS, HOUR_MS} from './durations.ts';

const OFFSET_MS = 3 * HOUR_MS;
const PLATFORM_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?\s*([A-Z]{1,5}|[+-]\d{2}(?::?\d{2})?)?$/;
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

/** Formats epoch milliseconds as `"2026-11-21T15:42:00+03:00"`. */
export function formatInstant(ms: number): string {
  return `${turkishTime(ms).toISOString().slice(0, 19)}+03:00`;
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

/**
 * Reads a platform time, with or without a zone suffix such as `+03` or `UTC`, as epoch milliseconds. Null if it is
 * unreadable or names an unknown zone.
 */
export function parsePlatformTime(text: string): number | null {
  const match = PLATFORM_TIME.exec(text.trim());
  if (!match) return null;
  const [, day, time, suffix] = match;
  const zone = isoZone(suffix);
  if (zone === null) return null;
  const ms = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? null : ms;
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

function isoZone(zone: string | undefined): string | null {
  if (!zone) return '+03:00';
  if (/^[A-Z]/.test(zone)) return NAMED_ZONES.get(zone) ?? null;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
