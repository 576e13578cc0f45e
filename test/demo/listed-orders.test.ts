import {expect, test} from 'vitest';
import {listedOrders} from '../../demo/listed-orders.ts';

const order = (code: string, arrived: string) => ({order: `P-${code}`, order_code: code, amount: '149.90', arrived});

test('the test bank lists orders that wait for money before paid ones, and never drops the user’s own', () => {
  const newest = [order('6', '149.90'), order('5', '0.00'), order('4', '200.00'), order('3', '100.00')];
  const codes = (...own: string[]) => listedOrders(newest, own).map(({order_code: code}) => code);
  expect(codes()).toEqual(['5', '3', '6']);
  expect(codes('4')).toEqual(['5', '3', '6', '4']);
});
