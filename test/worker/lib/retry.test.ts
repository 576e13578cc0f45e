import {expect, test} from 'vitest';
import {nextTryAt, type Retry, retryDelayMs} from '../../../worker/lib/retry.ts';

test.for<[retry: Retry, delays: number[]]>([
  [{firstMs: 10, maxMs: 60}, [10, 20, 40, 60, 60]],
  [{delaysMs: [5, 1, 9]}, [5, 1, 9, 9]],
])('the delays of %o are %o, also for those who know only when the tries began', ([retry, delays]) => {
  expect(delays.map((_delay, index) => retryDelayMs(retry, index + 1))).toEqual(delays);
  let at = 1_000;
  for (const delay of delays) {
    expect(nextTryAt(retry, 1_000, at)).toBe(at + delay);
    expect(nextTryAt(retry, 1_000, at + delay - 1)).toBe(at + delay);
    at += delay;
  }
});

test('a random part of a delay is cut off', () => {
  const retry = {firstMs: 100, maxMs: 400, jitter: 0.5};
  expect([0, 0.5, 1].map((random) => retryDelayMs(retry, 3, () => random))).toEqual([400, 300, 200]);
});

test('before the tries begin, the first one is next', () => {
  expect(nextTryAt({firstMs: 10, maxMs: 60}, 1_000, 400)).toBe(1_000);
});
