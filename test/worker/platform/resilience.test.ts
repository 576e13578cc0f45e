/** The breaker by itself, on a clock of ours: seconds are when, letters how calls ended. */

import {expect, test} from 'vitest';
import {CircuitBreaker, type CircuitPermit, RetryBudget} from '../../../worker/platform/resilience.ts';

function breakerAt(start = 0) {
  const clock = {seconds: start};
  const breaker = new CircuitBreaker(() => clock.seconds * 1000);
  const acquire = (): CircuitPermit => {
    const answer = breaker.tryAcquire();
    if ('retryAfterMs' in answer) throw new Error(`no leave for ${answer.retryAfterMs} ms`);
    return answer;
  };
  /** A call that ends at once. */
  const call = (failed: boolean) => breaker.record(acquire(), failed);
  /** `f` failed, `s` succeeded. */
  const calls = (ends: string) => [...ends].map((end) => call(end === 'f'));
  const waitMs = () => {
    const answer = breaker.tryAcquire();
    return 'retryAfterMs' in answer ? answer.retryAfterMs : 0;
  };
  return {clock, breaker, acquire, call, calls, waitMs};
}

test.for<[ends: string, opened: boolean]>([
  ['fffffffff', false],
  ['ffffffffff', true],
  ['sssssfffff', true],
  ['ssssssffff', false],
  ['ssssssfffff', false],
  ['ssssssffffff', true],
  ['fffffsssss', true],
  ['ssssssssssssssssssss', false],
])('after %s it is open: %s', ([ends, opened]) => {
  const {breaker, calls} = breakerAt();
  const changes = calls(ends);
  expect(breaker.open).toBe(opened);
  expect(changes.filter(Boolean)).toEqual(opened ? ['opened'] : []);
  expect(changes.at(-1)).toBe(opened ? 'opened' : null);
});

test('calls of more than thirty seconds ago do not count', () => {
  const {clock, breaker, calls} = breakerAt();
  calls('fffff');
  clock.seconds = 15;
  calls('ffff');
  clock.seconds = 30;
  calls('fffff');
  expect(breaker.open).toBe(false);
  clock.seconds = 31;
  calls('f');
  expect(breaker.open).toBe(true);
});

test('while it is open nothing is sent, and it says for how long', () => {
  const {clock, calls, waitMs} = breakerAt(100);
  calls('ffffffffff');
  expect(waitMs()).toBe(15_000);
  clock.seconds = 108;
  expect(waitMs()).toBe(7_000);
  clock.seconds = 114.999;
  expect(waitMs()).toBe(1);
});

test('of all who ask at once after fifteen seconds one may probe; the others come back soon', () => {
  const {clock, breaker, calls} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 15;
  const answers = Array.from({length: 100}, () => breaker.tryAcquire());
  expect(answers.filter((answer) => 'probe' in answer)).toEqual([{probe: true, at: 15_000, generation: 1}]);
  expect(new Set(answers.map((answer) => ('retryAfterMs' in answer ? answer.retryAfterMs : 'leave')))).toEqual(
    new Set(['leave', 2000]),
  );
});

test('calls that hung for long are no reason to wait as long again', () => {
  const {clock, breaker, acquire, waitMs} = breakerAt();
  const hanging = Array.from({length: 10}, acquire);
  clock.seconds = 8;
  expect(hanging.map((call) => breaker.record(call, true)).at(-1)).toBe('opened');
  expect(waitMs()).toBe(7_000);
});

test('a probe that succeeds closes it, and the past is forgotten', () => {
  const {clock, breaker, calls, call, acquire} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 15;
  expect(breaker.record(acquire(), false)).toBe('closed');
  expect(breaker.open).toBe(false);
  expect(calls('fffffffff')).not.toContain('opened');
  expect(call(true)).toBe('opened');
});

test('a probe that fails keeps it open for fifteen seconds from when it was sent', () => {
  const {clock, breaker, calls, acquire, waitMs} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 20;
  const probe = acquire();
  clock.seconds = 24;
  expect(breaker.record(probe, true)).toBe(null);
  expect(waitMs()).toBe(11_000);
  clock.seconds = 35;
  expect(breaker.record(acquire(), false)).toBe('closed');
});

test('a probe that never ends keeps the next one waiting for fifteen seconds and no longer', () => {
  const {clock, breaker, calls, acquire, waitMs} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 15;
  const hanging = acquire();
  clock.seconds = 29;
  expect(waitMs()).toBe(1000);
  clock.seconds = 30;
  expect(breaker.record(acquire(), false)).toBe('closed');
  expect(breaker.record(hanging, true)).toBe(null);
  expect(breaker.open).toBe(false);
});

test('what was sent before it opened neither closes it nor counts once it is closed', () => {
  const {clock, breaker, calls, acquire} = breakerAt();
  const early = Array.from({length: 30}, acquire);
  calls('ffffffffff');
  expect(breaker.record(early[0] as CircuitPermit, false)).toBe(null);
  expect(breaker.open).toBe(true);
  clock.seconds = 15;
  breaker.record(acquire(), false);
  expect(early.map((call) => breaker.record(call, true))).not.toContain('opened');
  expect(breaker.open).toBe(false);
});

const earn = (budget: RetryBudget, calls: number) => {
  for (let call = 0; call < calls; call += 1) budget.earn();
};
const takeAll = (budget: RetryBudget): number => {
  let spent = 0;
  while (budget.spend()) spent += 1;
  return spent;
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
  expect(budget.spend()).toBe(false);
});

test('over a long time a tenth of the calls is repeated, and the first two', () => {
  const budget = new RetryBudget();
  let retries = 0;
  for (let call = 1; call <= 10_000; call += 1) {
    budget.earn();
    if (budget.spend()) retries += 1;
    expect(retries).toBeLessThanOrEqual(call / 10 + 2);
  }
  expect(retries).toBe(1_002);
});
