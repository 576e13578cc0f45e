/**
 * Times: epoch milliseconds in code, ISO 8601 with `+03:00` in our APIs, and `YYYY-MM-DD HH:MM:SS` in Turkish time at
 * the platform. Turkey has been at UTC+3 all year since 2016.
 */

import {DAY_MS, HOUR_MS} from './durations.ts';

const OFFSET_MS = 3 * HOUR_MS;
/** Names of zones that may follow a time, as PHP writes them for `T`. Turkey's winter time was EET until 2016. */
const ZONES: Readonly<Record<string, string>> = {
  Z: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  TRT: '+03:00',
  EET: '+02:00',
  EEST: '+03:00',
};
const PLATFORM_TIME = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?\s*(${Object.keys(ZONES).join('|')}|[+-]\d{2}(?::?\d{2})?)?$`,
);

/** Formats epoch milliseconds as `"2026-11-21T15:42:00+03:00"`. */
export function formatInstant(ms: number): string {
  return `${turkishTime(ms).toISOString().slice(0, 19)}+03:00`;
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

/** Reads a platform time, with or without a zone such as `+03` or `TRT`, as epoch milliseconds. Null if unreadable. */
export function parsePlatformTime(text: string): number | null {
  const match = PLATFORM_TIME.exec(text.trim());
  if (!match) return null;
  const [, day, time, zone] = match;
  const ms = Date.parse(`${day}T${time}${isoZone(zone)}`);
  return Number.isNaN(ms) ? null : ms;
}

/** Formats epoch milliseconds as the platform's `YYYY-MM-DD`. */
export function formatPlatformDay(ms: number): string {
  return turkishTime(ms).toISOString().slice(0, 10);
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

function isoZone(zone: string | undefined): string {
  if (!zone) return '+03:00';
  const named = ZONES[zone];
  if (named !== undefined) return named;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
