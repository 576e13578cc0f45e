import {expect, test} from 'vitest';
import {RetryBudget} from '../../worker/platform/resilience.ts';

const earn = (budget: RetryBudget, calls: number) => {
  for (let call = 0; call < calls; call += 1) budget.earn();
};
const takeAll = (budget: RetryBudget): number => {
  let taken = 0;
  while (budget.take()) taken += 1;
  return taken;
};

test.for<[calls: number, retries: number]>([
  [0, 2],
  [9, 2],
  [10, 3],
  [19, 3],
  [20, 4],
  [80, 10],
  [100, 10],
  [10_000, 10],
])('after %i calls there are %i retries', ([calls, retries]) => {
  const budget = new RetryBudget();
  earn(budget, calls);
  expect(takeAll(budget)).toBe(retries);
  expect(budget.take()).toBe(false);
});

test('over a long time a tenth of the calls is repeated, and the first two', () => {
  const budget = new RetryBudget();
  let retries = 0;
  for (let call = 1; call <= 10_000; call += 1) {
    budget.earn();
    if (budget.take()) retries += 1;
    expect(retries).toBeLessThanOrEqual(call / 10 + 2);
  }
  expect(retries).toBe(1_002);
});
