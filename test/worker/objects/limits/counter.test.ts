import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  type CounterRule,
  isRarelyConfirmed,
  counterStateOf,
  type StoredCounter,
  waitMs,
  withChange,
  withOneMore,
} from '../../../../worker/objects/limits/counter.ts';

const WINDOW = 1_200;
const EMPTY: StoredCounter = {windowMs: WINDOW, parts: []};
const rule = (limit: number | null, credit: 0 | 1 | 2 = 0): CounterRule => ({windowMs: WINDOW, limit, credit});

/** A counter that counted something at each of these times. */
const countedAt = (...times: readonly number[]) =>
  times.reduce((counter, at) => withOneMore(counter, rule(null), at), EMPTY);

test('what happens alone counts for exactly one window', () => {
  const counter = countedAt(1_000, 1_300, 1_600);
  expect(waitMs(counter, rule(3), 1_600)).toBe(600);
  expect(waitMs(counter, rule(3), 2_199)).toBe(1);
  expect(waitMs(counter, rule(3), 2_200)).toBe(0);
  expect(waitMs(counter, rule(1), 1_600)).toBe(1_200);
  expect(counterStateOf(counter, rule(3), 2_200).count).toBe(2);
});

test('what happens within a twelfth of the window expires together with the first of it', () => {
  const counter = countedAt(1_000, 1_099, 1_100);
  expect(counter.parts).toEqual([
    [1_000, 2, 0],
    [1_100, 1, 0],
  ]);
  expect(counterStateOf(counter, rule(3), 2_200).count).toBe(1);
});

test('a counter has at most twelve parts, and allows its limit once in 11/12 of a window, or in a whole window up to twelve', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(200), {minLength: 20, maxLength: 300}),
      fc.integer({min: 1, max: 20}),
      (pauses, limit) => {
        let [now, counter] = [0, EMPTY];
        const allowed: number[] = [];
        for (const pause of pauses) {
          now += pause;
          if (waitMs(counter, rule(limit), now) > 0) continue;
          counter = withOneMore(counter, rule(limit), now);
          allowed.push(now);
        }
        expect(counter.parts.length).toBeLessThanOrEqual(12);
        for (const [index, at] of allowed.entries())
          expect((allowed[index + limit] ?? Infinity) - at).toBeGreaterThanOrEqual(WINDOW * (limit > 12 ? 11 / 12 : 1));
      },
    ),
  );
});

test('after the time to wait, the counter is below its limit, and a moment earlier it is not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(300), {minLength: 1, maxLength: 60}),
      fc.integer({min: 1, max: 10}),
      (pauses, limit) => {
        let now = 0;
        const counter = pauses.reduce((counted, pause) => withOneMore(counted, rule(null), (now += pause)), EMPTY);
        const wait = waitMs(counter, rule(limit), now);
        expect(waitMs(counter, rule(limit), now + wait)).toBe(0);
        if (wait > 0) expect(waitMs(counter, rule(limit), now + wait - 1)).toBe(1);
      },
    ),
  );
});

test('a release takes one away that is not confirmed, and a confirmation as much as the rule’s credit', () => {
  const counter = withChange(withChange(countedAt(0, 10, 500), 0, 'release'), 0, 'confirm');
  expect(counter.parts).toEqual([
    [0, 1, 1],
    [500, 1, 0],
  ]);
  expect(([0, 1, 2] as const).map((credit) => counterStateOf(counter, rule(1, credit), 600).count)).toEqual([2, 1, 0]);
  for (const same of [withChange(counter, 7, 'confirm'), withChange(counter, 0, 'release')])
    expect(same).toEqual(counter);
  expect(withChange(counter, 500, 'release').parts).toEqual([[0, 1, 1]]);
});

test('only the last hundred PINs decide whether a product’s PINs are rarely confirmed, and older ones are forgotten', () => {
  const judged: CounterRule = {...rule(null), isJudged: true};
  const judge = (counter: StoredCounter) => isRarelyConfirmed(counterStateOf(counter, judged, 700), 10);
  let [counter, now] = [EMPTY, 0];
  const sendPins = (count: number, confirmed: boolean) => {
    for (let sent = 0; sent < count; sent += 1) {
      counter = withOneMore(counter, judged, (now += 0.1));
      if (confirmed) counter = withChange(counter, counter.parts.at(-1)?.[0] ?? 0, 'confirm');
    }
  };
  sendPins(99, false);
  expect(judge(counter)).toBe(false);
  sendPins(1, false);
  expect(judge(counter)).toBe(true);
  sendPins(1_000, true);
  sendPins(90, false);
  expect(judge(counter)).toBe(false);
  sendPins(10, false);
  expect(judge(counter)).toBe(true);
  expect(counter.parts).toHaveLength(10);
});
