import {describe, expect, test} from 'vitest';
import {readAmount, remainderOf, shareOf, showAmount} from '../../demo/amount.ts';

describe('An amount', () => {
  test.each([
    ['149,90', '149.90'],
    ['149.90', '149.90'],
    ['149,9', '149.90'],
    ['149', '149.00'],
    [' ₺1.249,50 ', '1249.50'],
    ['007,00 TL', '7.00'],
    ['0,01', '0.01'],
  ])('typed as "%s" is %s', (typed, amount) => {
    expect(readAmount(typed)).toBe(amount);
  });

  test.each(['', '0', '0,00', '-5', '1.249', '12,345', 'yüz', '1e3', '1,2,3', '1234567890'])('"%s" is none', (typed) => {
    expect(readAmount(typed)).toBeUndefined();
  });

  test('reads as the language writes it', () => {
    expect(showAmount('1249.90', 'tr')).toBe('₺1249,90');
    expect(showAmount('1249.90', 'en')).toBe('₺1249.90');
  });

  test('is halved and doubled in whole kuruş', () => {
    expect(shareOf('149.90', 1, 2)).toBe('74.95');
    expect(shareOf('0.01', 1, 2)).toBe('0.00');
    expect(shareOf('0.03', 2, 1)).toBe('0.06');
  });

  test('offers what is left to pay, and all of it when nothing is', () => {
    expect(remainderOf('149.90', '100.00')).toBe('49.90');
    expect(remainderOf('149.90', '0.00')).toBe('149.90');
    expect(remainderOf('149.90', '200.00')).toBe('149.90');
  });
});
