/** Tests the reader of the times that callers write, with what standard libraries write for the same moment. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatInstant} from '../../../worker/lib/time.ts';
import {parseWrittenTime} from '../../../worker/lib/written-time.ts';

const AT = Date.UTC(2026, 10, 21, 12, 42, 7);
const MINUTE = Date.UTC(2026, 10, 21, 12, 42);

test.for([
  ['2026-11-21T15:42:07+03:00', AT, 'PHP’s DATE_ATOM, Java’s OffsetDateTime, our answers'],
  ['2026-11-21T12:42:07.520Z', AT, 'JavaScript’s toISOString'],
  ['2026-11-21T12:42:07.999999999Z', AT, 'Go’s RFC3339Nano'],
  ['2026-11-21T15:42:07.123456+03:00', AT, 'Python’s isoformat'],
  ['2026-11-21 15:42:07.123456+03:00', AT, 'Python’s str'],
  ['2026-11-21T12:42:07.5200000Z', AT, '.NET’s format o'],
  ['2026-11-21T12:42:07.52+00:00', AT, 'PHP’s DATE_RFC3339_EXTENDED'],
  ['2026-11-21T15:42:07+0300', AT, 'PHP’s DateTime::ISO8601, strftime'],
  ['2026-11-21T15:42:07,123+0300', AT, 'ISO 8601 with a comma'],
  ['2026-11-21 15:42:07+03', AT, 'PostgreSQL'],
  ['2026-11-21 15:42:07 +0300', AT, 'Ruby’s to_s'],
  ['2026-11-21T12:42Z', MINUTE, 'Java, which leaves out seconds that are zero'],
  ['2026-11-21T15:42+03:00', MINUTE, 'Java, with an offset'],
  ['2026-11-21t12:42:07z', AT, 'RFC 3339 in lowercase'],
  ['2026-11-21T12:42:07-00:00', AT, 'RFC 3339 with an unknown local offset'],
  ['2026-11-21T07:12:07-05:30', AT, 'a negative offset with minutes'],
  ['2026-11-22T02:27:07+13:45', AT, 'another day'],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1), 'a leap second'],
  ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29), 'a leap day'],
  ['2026-02-29T00:00:00Z', null, 'a date that does not exist'],
  ['2026-11-31T00:00:00Z', null, 'a day that does not exist'],
  ['2026-13-01T00:00:00Z', null, 'a month that does not exist'],
  ['2026-11-21T24:00:00Z', null, 'an hour that does not exist'],
  ['2026-11-21T12:60:00Z', null, 'a minute that does not exist'],
  ['2026-11-21T12:42:61Z', null, 'a second that does not exist'],
  ['2026-11-21T12:42:07+24:00', null, 'an offset that does not exist'],
  ['2026-11-21T15:42:07', null, 'no offset'],
  ['2026-11-21T15:42:07.520', null, 'no offset, with a fraction'],
  ['2026-11-21', null, 'a date'],
  ['21.11.2026 15:42:07+03:00', null, 'a Turkish date'],
  ['Sat, 21 Nov 2026 12:42:07 GMT', null, 'an HTTP date'],
  ['1795264927', null, 'a number of seconds'],
  ['2026-11-21T15:42:07+03:00 ', null, 'a space at the end'],
  ['', null, 'nothing'],
] as const)('parseWrittenTime(%o) is %o: %s', ([text, ms]) => {
  expect(parseWrittenTime(text)).toBe(ms);
});

test('every time of an answer, and every time with another offset, is read as the same second', () => {
  const second = fc.integer({min: Date.UTC(2000) / 1000, max: Date.UTC(2100) / 1000 - 1});
  const offset = fc.integer({min: -23 * 60 - 59, max: 23 * 60 + 59});
  fc.assert(
    fc.property(second, offset, fc.nat(999), (seconds, minutes, fraction) => {
      const ms = seconds * 1000;
      expect(parseWrittenTime(formatInstant(ms))).toBe(ms);
      const local = new Date(ms + minutes * 60_000 + fraction).toISOString().slice(0, -1);
      const size = Math.abs(minutes);
      const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
      const written = `${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
      expect(parseWrittenTime(written)).toBe(Date.parse(written) - fraction);
    }),
  );
});
