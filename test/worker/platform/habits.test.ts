/** How platforms write times and amounts: `docs/contract.md`, "Spellings of values". */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatInstant} from '../../../worker/lib/time.ts';
import {amountSpellings, instantOf, readTime, timeFields} from '../../../worker/platform/habits.ts';
import {readResponseTime} from '../../../worker/platform/reply-json.ts';

const AT = Date.UTC(2026, 10, 21, 12, 42, 7);

test.for([
  ['2026-11-21 15:42:07', AT],
  ['2026-11-21 15:42:07+03', AT],
  ['2026-11-21 15:42:07+03:00', AT],
  ['2026-11-21 15:42:07+0300', AT],
  ['2026-11-21 15:42:07 +03', AT],
  ['2026-11-21 15:42:07GMT+0300', AT],
  ['2026-11-21 15:42:07 GMT+03:00', AT],
  ['2026-11-21 15:42:07UTC+03:00', AT],
  ['2026-11-21 15:42:07 UTC+3', AT],
  ['2026-11-21T15:42:07', AT],
  ['2026-11-21T12:42:07Z', AT],
  ['2026-11-21t12:42:07z', AT],
  ['2026-11-21T12:42:07.000Z', AT],
  ['2026-11-21 12:42:07+00', AT],
  ['2026-11-21 07:42:07-05', AT],
  ['2026-11-21 07:42:07GMT-0500', AT],
  ['2026-11-21 15:42:07.123456+03', AT],
  ['2026-11-21T15:42:07.1234567+03:00', AT],
  ['2026-11-21 15:42:07TRT', AT],
  ['2026-11-21 15:42:07 EEST', AT],
  ['2026-11-21 14:42:07EET', AT],
  ['2026-11-21 12:42:07UTC', AT],
  ['2026-11-21 12:42:07 GMT', AT],
  ['2026-11-21T15:42:07TRT', AT],
  [String(AT), AT],
  [' 2026-11-21 15:42:07 ', AT],
  ['2026-11-21T15:42', AT - 7000],
  ['2026-11-21 00:00:00', Date.UTC(2026, 10, 20, 21)],
  ['2027-01-01 00:30:00+03', Date.UTC(2026, 11, 31, 21, 30)],
  ['2028-02-29 12:00:00', Date.UTC(2028, 1, 29, 9)],
  ['2026-11-21 15:42:07XST', null],
  ['2026-11-21 15:42:07 constructor', null],
  ['2026-11-21 15:42:07Z+03', null],
  ['2026-11-21 15:42:07TRT+03', null],
  ['2026-11-21 15:42:07+25:00', null],
  ['2026-02-30 12:00:00', null],
  ['2026-13-01 00:00:00', null],
  ['2026-11-21', null],
  ['21.11.2026 15:42', null],
  ['20261121154207', null],
  ['1795264927', null],
  // What databases and languages write for a missing time.
  ['0000-00-00 00:00:00', null],
  ['-0001-11-30 00:00:00', null],
  ['0001-01-01T00:00:00', null],
  ['1900-01-01 00:00:00', null],
  ['1970-01-01 02:00:00', null],
  ['', null],
  ['null', null],
  [null, null],
] as const)('the time %o is read as %o', ([text, ms]) => {
  expect(readTime(text)).toBe(ms);
});

/** The zones that the platform may write behind a local time, with their distance from UTC in hours. */
const ZONES = {
  '': 3,
  '+03': 3,
  '+0300': 3,
  '+03:00': 3,
  'GMT+0300': 3,
  'UTC+03:00': 3,
  TRT: 3,
  EEST: 3,
  EET: 2,
  Z: 0,
  UTC: 0,
  GMT: 0,
  '-05': -5,
} as const;

test('a time is read from every spelling, back to what the API writes', () => {
  const seconds = fc.integer({min: Date.UTC(2000, 0, 2) / 1000, max: Date.UTC(2099, 11, 31) / 1000});
  const spelling = fc.record({
    zone: fc.constantFrom(...(Object.keys(ZONES) as (keyof typeof ZONES)[])),
    separator: fc.constantFrom(' ', 'T'),
    fraction: fc.constantFrom('', '.5', '.123456', '.0000000'),
    space: fc.constantFrom('', ' '),
  });
  fc.assert(
    fc.property(seconds, spelling, (second, {zone, separator, fraction, space}) => {
      const local = new Date((second + ZONES[zone] * 3600) * 1000).toISOString().slice(0, 19);
      const text = `${local.replace('T', separator)}${fraction}${space}${zone}`;
      const instant = formatInstant(second * 1000);
      expect(instantOf(text), text).toBe(instant);
      expect(instantOf(instant)).toBe(instant);
      expect(instantOf(String(second * 1000))).toBe(instant);
      expect(readResponseTime(JSON.stringify({response: {responseTime: text}}))).toBe(second * 1000);
    }),
  );
});

test.for([
  ['2026-11-21 15:42:07GMT+0300', '2026-11-21T15:42:07+03:00', null],
  ['21.11.2026 15:42', null, '21.11.2026 15:42'],
  [null, null, null],
] as const)('an answer has the time %o as %o, and beside it %o', ([time, at, written]) => {
  expect(timeFields('refund_time', time)).toEqual({refund_time: at, refund_time_text: written});
});

test.for([
  ['49.899999999999999', ['49.899999999999999', '49.90', '49.9']],
  ['49.90', ['49.90', '49.9']],
  ['30', ['30', '30.00', '30.0']],
  ['1.005', ['1.005']],
] as const)('a notification with the amount %s may have a key over any of %j', ([amount, spellings]) => {
  expect(amountSpellings(amount)).toEqual(spellings);
});
