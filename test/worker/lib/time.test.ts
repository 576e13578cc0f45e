import {expect, test} from 'vitest';
import {formatInstant, formatPlatformDay, formatPlatformTime, parsePlatformTime} from '../../../worker/lib/time.ts';

const AT = Date.UTC(2026, 10, 21, 12, 42, 7);

test.for([
  ['2026-11-21 15:42:07', AT],
  ['2026-11-21 15:42:07+03', AT],
  ['2026-11-21 15:42:07+03:00', AT],
  ['2026-11-21 15:42:07+0300', AT],
  ['2026-11-21 15:42:07 +03', AT],
  ['2026-11-21T15:42:07', AT],
  ['2026-11-21T12:42:07Z', AT],
  ['2026-11-21 12:42:07+00', AT],
  ['2026-11-21 07:42:07-05', AT],
  ['2026-11-21 15:42:07.123456+03', AT],
  ['2026-11-21 15:42:07TRT', AT],
  ['2026-11-21 15:42:07 EEST', AT],
  ['2026-11-21 14:42:07EET', AT],
  ['2026-11-21 12:42:07UTC', AT],
  ['2026-11-21 12:42:07 GMT', AT],
  ['2026-11-21T15:42:07TRT', AT],
  ['2026-11-21 15:42:07XST', null],
  ['2026-11-21 15:42:07 constructor', null],
  ['2026-11-21 15:42:07Z+03', null],
  ['2026-11-21 00:00:00', Date.UTC(2026, 10, 20, 21)],
  ['2027-01-01 00:30:00+03', Date.UTC(2026, 11, 31, 21, 30)],
  ['2028-02-29 12:00:00', Date.UTC(2028, 1, 29, 9)],
  ['2026-13-01 00:00:00', null],
  ['2026-11-21', null],
  ['21.11.2026 15:42', null],
  ['0000-00-00 00:00:00', null],
  ['', null],
  ['null', null],
] as const)('parsePlatformTime(%o) is %o', ([text, ms]) => {
  expect(parsePlatformTime(text)).toBe(ms);
});

test('times are formatted for our APIs and for the platform', () => {
  expect(formatInstant(AT)).toBe('2026-11-21T15:42:07+03:00');
  expect(formatPlatformTime(AT)).toBe('2026-11-21 15:42:07');
  expect(formatPlatformDay(AT)).toBe('2026-11-21');
});

test('a day in Turkey begins three hours before the same day in UTC', () => {
  const lateEvening = Date.UTC(2026, 11, 31, 21, 0, 0);
  expect(formatPlatformDay(lateEvening)).toBe('2027-01-01');
  expect(formatPlatformDay(lateEvening - 1)).toBe('2026-12-31');
  expect(formatInstant(lateEvening)).toBe('2027-01-01T00:00:00+03:00');
});
