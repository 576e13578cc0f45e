/** Tests the circuit breaker, with a fake clock, and the retry budget. */

import {expect, test} from 'vitest';
import {CircuitBreaker, type CircuitPermit, RetryBudget} from '../../../worker/platform/resilience.ts';

function breakerAt(startSeconds = 0) {
  const clock = {seconds: startSeconds};
  const breaker = new CircuitBreaker(() => clock.seconds * 1000);
  const acquire = (): CircuitPermit => {
    expect(breaker.retryAfterMs).toBe(0);
    return breaker.acquire();
  };
  /** Makes a call that ends immediately. */
  const call = (failed: boolean) => breaker.record(acquire(), failed);
  /** Makes one call per letter: `f` fails, `s` succeeds. */
  const calls = (outcomes: string) => [...outcomes].map((outcome) => call(outcome === 'f'));
  /** How long the breaker asks callers to wait. */
  const delayMs = () => breaker.retryAfterMs;
  return {clock, breaker, acquire, call, calls, delayMs};
}

test.for<[outcomes: string, opened: boolean]>([
  ['fffffffff', false],
  ['ffffffffff', true],
  ['sssssfffff', true],
  ['ssssssffff', false],
  ['ssssssfffff', false],
  ['ssssssffffff', true],
  ['fffffsssss', false],
  ['fffffsssssf', true],
  ['ssssssssssssssssssss', false],
])('after calls with the outcomes %s (f: failed, s: succeeded), `open` is %s', ([outcomes, opened]) => {
  const {breaker, calls} = breakerAt();
  const changes = calls(outcomes);
  expect(breaker.open).toBe(opened);
  expect(changes.filter(Boolean)).toEqual(opened ? ['opened'] : []);
  expect(changes.at(-1)).toBe(opened ? 'opened' : null);
});

test('the circuit breaker ignores calls that are at least 30 seconds old', () => {
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

test('while the circuit is open, the breaker gives no permit and says how long to wait', () => {
  const {clock, calls, delayMs} = breakerAt(100);
  calls('ffffffffff');
  expect(delayMs()).toBe(15_000);
  clock.seconds = 108;
  expect(delayMs()).toBe(7_000);
  clock.seconds = 114.999;
  expect(delayMs()).toBe(1);
});

test('if many calls arrive 15 seconds after the failures, one is the probe and the others get a delay of 2 s', () => {
  const {clock, breaker, calls} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 15;
  const results = Array.from({length: 100}, () => breaker.retryAfterMs || breaker.acquire());
  expect(results.slice(0, 2)).toEqual([{probe: true, at: 15_000, generation: 1}, 2000]);
  expect(new Set(results).size).toBe(2);
});

test('if the failed calls had hung, the 15 seconds before the probe begin when these calls were sent', () => {
  const {clock, breaker, acquire, delayMs} = breakerAt();
  const hanging = Array.from({length: 10}, acquire);
  clock.seconds = 8;
  expect(hanging.map((call) => breaker.record(call, true)).at(-1)).toBe('opened');
  expect(delayMs()).toBe(7_000);
});

test('a successful probe closes the circuit and clears the counts', () => {
  const {clock, breaker, calls, call, acquire} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 15;
  expect(breaker.record(acquire(), false)).toBe('closed');
  expect(breaker.open).toBe(false);
  expect(calls('fffffffff')).not.toContain('opened');
  expect(call(true)).toBe('opened');
});

test('after a failed probe, the next probe may be sent 15 seconds after the failed one was sent', () => {
  const {clock, breaker, calls, acquire, delayMs} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 20;
  const probe = acquire();
  clock.seconds = 24;
  expect(breaker.record(probe, true)).toBe(null);
  expect(delayMs()).toBe(11_000);
  clock.seconds = 35;
  expect(breaker.record(acquire(), false)).toBe('closed');
});

test('a probe that never ends delays the next probe by only 15 seconds', () => {
  const {clock, breaker, calls, acquire, delayMs} = breakerAt();
  calls('ffffffffff');
  clock.seconds = 15;
  const hanging = acquire();
  clock.seconds = 29;
  expect(delayMs()).toBe(1000);
  clock.seconds = 30;
  expect(breaker.record(acquire(), false)).toBe('closed');
  expect(breaker.record(hanging, true)).toBe(null);
  expect(breaker.open).toBe(false);
});

test('calls that were sent before the circuit opened do not close it, and do not count after it has closed', () => {
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
const spendAll = (budget: RetryBudget): number => {
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
])('after %i calls the budget has %i retries', ([calls, retries]) => {
  const budget = new RetryBudget();
  earn(budget, calls);
  expect(spendAll(budget)).toBe(retries);
  expect(budget.spend()).toBe(false);
});

test('the budget allows one retry for every ten calls, and two more at the start', () => {
  const budget = new RetryBudget();
  let retries = 0;
  for (let call = 1; call <= 10_000; call += 1) {
    budget.earn();
    if (budget.spend()) retries += 1;
    expect(retries).toBeLessThanOrEqual(call / 10 + 2);
  }
  expect(retries).toBe(1_002);
});
