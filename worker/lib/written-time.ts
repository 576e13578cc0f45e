/**
 * Times that callers write: pages, merchants' servers and the operator's configuration. The platform's times have a
 * reader of their own, because the platform leaves out the offset.
 */

import {MINUTE_MS, SECOND_MS} from './durations.ts';
import {isExistingDay} from './time.ts';

/**
 * RFC 3339, and what standard libraries write instead: no seconds (Java), an offset without a colon (PHP, `strftime`) or
 * without minutes (PostgreSQL), a space before the offset (Ruby).
 */
const WRITTEN_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:[Zz]| ?([+-]\d\d)(?::?(\d\d))?)$/;

/**
 * Reads a time with an offset as epoch milliseconds, without fractions of a second, because the platform does not store
 * them. Null if the text is no such time, or the time does not exist.
 */
export function parseWrittenTime(text: string): number | null {
  const match = WRITTEN_TIME.exec(text);
  if (!match) return null;
  const [, day = '', ...parts] = match;
  const [hour = 0, minute = 0, second = 0] = parts.slice(0, 3).map((part = '0') => +part);
  const [, , , offsetHours = '+00', offsetMinutes = '00'] = parts;
  // Second 60 is a leap second, which is read as the first second of the next minute.
  if (!isExistingDay(day) || hour > 23 || minute > 59 || second > 60) return null;
  if (Math.abs(+offsetHours) > 23 || +offsetMinutes > 59) return null;
  const offset = (Math.abs(+offsetHours) * 60 + +offsetMinutes) * (offsetHours.startsWith('-') ? -1 : 1);
  return Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute - offset) * MINUTE_MS + second * SECOND_MS;
}
