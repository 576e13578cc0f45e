import {expect, test} from 'vitest';
import {formatInstant, formatPlatformDay, formatPlatformTime} from '../../../worker/lib/time.ts';

const AT = Date.UTC(2026, 10, 21, 12, 42, 7);

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
