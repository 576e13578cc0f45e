import * as fc from 'fast-check';
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
  // PHP with `serialize_precision = 17`, and sums of binary fractions.
  ['29.899999999999999', 2990],
  ['149.90000000000001', 14990],
  ['0.30000000000000004', 30],
  ['0.019999999', 2],
  ['-29.899999999999999', -2990],
  ['123456789.90000001', 12345678990],
  ['999999999999.98999', 99999999999999],
  // Java's `Double.toString`, and `BigDecimal` without its zeros.
  ['1.0E7', 1000000000],
  ['1.499E2', 14990],
  ['1E+2', 10000],
  ['5E-2', 5],
  // Not within a millionth of a kuruş.
  ['149.90000002', null],
  ['149.904999999999', null],
  ['1.005', null],
  ['1.0050000000000001', null],
  ['999999999999.995', null],
  ['1E+15', null],
  ['149,90', null],
  ['1.234,56', null],
  ['1,234.56', null],
  ['149.90 TL', null],
  ['1e', null],
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

/** How JSON libraries write a number: in the shortest digits, in 17, with trailing zeros, or with an exponent. */
const NUMBER_SPELLINGS: Readonly<Record<string, (kurus: number) => string>> = {
  'JavaScript, Python, Go, PHP since 7.1': (kurus) => String(kurus / 100),
  'PHP with serialize_precision = 17': (kurus) => (kurus / 100).toPrecision(17),
  'number_format, DECIMAL columns': (kurus) => formatAmount(kurus),
  'DECIMAL(18,4)': (kurus) => `${formatAmount(kurus)}00`,
  'Java’s Double.toString': (kurus) => (kurus / 100).toExponential().replace('e+', 'E').replace('e', 'E'),
  'C’s %.17e': (kurus) => (kurus / 100).toExponential(16),
};

test.for(Object.entries(NUMBER_SPELLINGS))('an amount of up to twelve digits keeps its kuruş: %s', ([, spell]) => {
  fc.assert(
    fc.property(fc.integer({min: 0, max: 99_999_999_999_999}), (kurus) => {
      expect(parseAmount(spell(kurus))).toBe(kurus);
    }),
  );
});
