import {describe, expect, test} from 'vitest';
import {readAmount, remainderOf, shareOf, showAmount} from '../../demo/amount.ts';

describe('Amounts', () => {
  test.each([
    ['149,90', 'tr', '149.90'],
    ['149.90', 'tr', '149.90'],
    ['149,9', 'tr', '149.90'],
    ['149', 'tr', '149.00'],
    [' ₺1.249,50 ', 'tr', '1249.50'],
    ['1.249', 'tr', '1249.00'],
    ['007,00 TL', 'tr', '7.00'],
    ['0,01', 'tr', '0.01'],
    ['₺1,249.50', 'en', '1249.50'],
    ['1,234,567', 'en', '1234567.00'],
    ['149,90', 'en', '149.90'],
  ])('the text "%s" typed in the language %s is read as the amount %s', (typed, language, amount) => {
    expect(readAmount(typed, language)).toBe(amount);
  });

  test.each(['', '0', '0,00', '-5', '12,345', '1,249.50', 'yüz', '1e3', '1,2,3', '1234567890'])(
    'the text "%s" is not an amount in Turkish',
    (typed) => {
      expect(readAmount(typed, 'tr')).toBeUndefined();
    },
  );

  test('an amount is formatted in the style of the language', () => {
    expect(showAmount('1249.90', 'tr')).toBe('₺1.249,90');
    expect(showAmount('1249.90', 'en')).toBe('₺1,249.90');
  });

  test('a share of an amount is rounded down to the kuruş', () => {
    expect(shareOf('149.90', 1, 2)).toBe('74.95');
    expect(shareOf('0.01', 1, 2)).toBe('0.00');
    expect(shareOf('0.03', 2, 1)).toBe('0.06');
  });

  test('the remainder is the amount that is not paid yet, or the full amount if everything is paid', () => {
    expect(remainderOf('149.90', '100.00')).toBe('49.90');
    expect(remainderOf('149.90', '0.00')).toBe('149.90');
    expect(remainderOf('149.90', '200.00')).toBe('149.90');
  });
});
