/** Which bodies of notifications are refused before they are parsed. `large-notifications.test.ts` measures the cost. */

import {expect, test} from 'vitest';
import {ApiError} from '../../worker/http/errors.ts';
import {parseRecords} from '../../worker/routes/notifications/parse-records.ts';
import {countParts, type PartsResult} from '../../worker/routes/notifications/part-counter.ts';

/** The most records that the route with the largest bodies takes. */
const RECORDS = 10_000;
const BYTES = 4 * 1_048_576;
const fill = (part: string, [start, end] = ['', '']) =>
  start + part.repeat(Math.floor((BYTES - start.length - end.length) / part.length)) + end;

test.for<[name: string, body: string, result: PartsResult]>([
  ['a form of empty fields', fill('a&'), 'too-many'],
  ['an array of empty objects', fill('{},', ['[', '{}]']), 'too-many'],
  ['an array of numbers', fill('1.1,', ['[', '1]']), 'too-many'],
  ['arrays within arrays', fill('['), 'no-records'],
  ['one object of many fields', fill('"a":1,', ['{', '"b":1}']), 'too-many'],
  ['JSON after spaces and a byte order mark', fill('{},', [`\uFEFF${' '.repeat(90)}[`, '{}]']), 'too-many'],
  ['one long text, whatever it has', fill('{,', ['["', '"]']), 'fit'],
])('the parts of %s are counted before it is parsed', ([, body, result]) => {
  expect(countParts(body, RECORDS)).toBe(result);
});

test('objects in a field of a form are counted before they are parsed', () => {
  const body = fill('{},', ['a=1&data=[', '{}]']);
  expect(countParts(body, RECORDS)).toBe('fit');
  expect(() => parseRecords(body, 'refund_id', RECORDS)).toThrow(new ApiError('too_large'));
});
