import {expect, test} from 'vitest';
import {PERSONAL_DATA} from './leak-scanner.ts';

const shownIn = (text: string) => PERSONAL_DATA.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);

test.each([
  ['"msisdn":"5321234567"', 'a number'],
  ['/v1/numbers/05321234567', 'a number'],
  ['+905321234567', 'a number'],
  ['iban=TR330006100519786457841326', 'an IBAN'],
  ['Ayşe', 'a name'],
])('%s tells of somebody', (text, what) => {
  expect(shownIn(text)).toEqual([what]);
});

// One in 280,000 does.
test('a request id that ends like a number tells of nobody', () => {
  expect(shownIn('"request_id":"77b1f2f6-8eb0-4d97-86a3-905844694118"')).toEqual([]);
});
