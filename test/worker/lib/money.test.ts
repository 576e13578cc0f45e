import {expect, test} from 'vitest';
import {formatAmount, parseAmount} from '../../../worker/lib/money.ts';

test.for([
  ['149.90', 14990],
  ['149.9', 14990],
  ['149', 14900],
  ['149.9000', 14990],
  [' 149.90 ', 14990],
  ['0.01', 1],
  ['0', 0],
  ['00012.50', 1250],
  ['-12.50', -1250],
  ['-0.05', -5],
  ['999999999999.99', 99999999999999],
  ['0.1', 10],
  ['1.005', null],
  ['149,90', null],
  ['1.234,56', null],
  ['1,234.56', null],
  ['149.90 TL', null],
  ['1e3', null],
  ['.50', null],
  ['12.', null],
  ['', null],
  ['null', null],
  ['NaN', null],
  ['1000000000000.00', null],
  ['٣٤', null],
] as const)('parseAmount(%o) is %o, in kuruş', ([text, kurus]) => {
  expect(parseAmount(text)).toBe(kurus);
});

test.for([
  [14990, '149.90'],
  [1, '0.01'],
  [10, '0.10'],
  [100, '1.00'],
  [0, '0.00'],
  [-5, '-0.05'],
  [-1250, '-12.50'],
  [99999999999999, '999999999999.99'],
] as const)('formatAmount writes %o kuruş as %o', ([kurus, text]) => {
  expect(formatAmount(kurus)).toBe(text);
});

test('every amount up to 200 lira stays the same when it is formatted and parsed', () => {
  for (let kurus = 0; kurus <= 20_000; kurus += 1) expect(parseAmount(formatAmount(kurus))).toBe(kurus);
});
