import {expect, test} from 'vitest';
import {PERSONAL_DATA} from './leak-scanner.ts';

const personalDataIn = (text: string) =>
  PERSONAL_DATA.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);

test.each([
  ['"msisdn":"5321234567"', 'a mobile number'],
  ['/v1/numbers/05321234567', 'a mobile number'],
  ['+905321234567', 'a mobile number'],
  ['iban=TR330006100519786457841326', 'an IBAN'],
  ['Ayşe', 'a name'],
])('%s is reported as personal data', (text, what) => {
  expect(personalDataIn(text)).toEqual([what]);
});

// Only one random request id in 280,000 ends like this.
test('a request id that ends like a mobile number is not reported as personal data', () => {
  expect(personalDataIn('"request_id":"77b1f2f6-8eb0-4d97-86a3-905844694118"')).toEqual([]);
});
