import {abortAllDurableObjects, evictDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {afterEach, beforeEach, expect, inject, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {QUOTA_WINDOW_MS} from '../../../../worker/objects/limits/quota-store.ts';
import type {QuotaName} from '../../../../worker/platform/quota-limits.ts';
import type {QuotaPermitResult} from '../../../../worker/platform/quotas.ts';
import {DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';

freshWorker();

const REFUND = 'refund_charge';
const quota = () => contextOf(env).objects.quota();
const limits = (QUOTAS: object) => replaceBindings(quota(), {QUOTAS});
const perDay = (day: number) => limits({[REFUND]: {day, second: null}});
const acquireAll = (count: number, name: QuotaName = REFUND) =>
  Promise.all(Array.from({length: count}, () => quota().acquire(name)));
const countAcquired = (permits: readonly QuotaPermitResult[]) =>
  permits.filter((permit) => 'permitId' in permit).length;
const refund = async () => (await quota().usage()).find(({name}) => name === REFUND);

let start: number;
beforeEach(() => {
  start = Date.now();
});
/** Sets the object's clock to this time after the start of the test. The object uses no other clock. */
const at = (ms: number) => void vi.setSystemTime(start + ms);

const queuedAs = (queueId: string) => ({queueId, forCommand: true});

test('200 concurrent requests get exactly as many permits as the daily limit allows', async () => {
  await perDay(20);
  const permits = await acquireAll(200);
  expect(countAcquired(permits)).toBe(20);
  expect(permits.at(-1)).toEqual({limit: 'day', retryAfterMs: QUOTA_WINDOW_MS});
  expect(await refund()).toEqual({
    name: REFUND,
    limit: {day: 20, second: null},
    used: 20,
    left: 0,
    waiting: 0,
    resetsAt: start + QUOTA_WINDOW_MS,
    backoffUntil: null,
  });
});

test('each call counts for a little more than a day', async () => {
  await perDay(2);
  await acquireAll(1);
  at(HOUR);
  await acquireAll(1);
  at(DAY);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: QUOTA_WINDOW_MS - DAY}]);
  at(QUOTA_WINDOW_MS);
  expect(countAcquired(await acquireAll(2))).toBe(1);
});

test('a released permit does not count, even if it is released twice; a permit without a reported end counts', async () => {
  await perDay(2);
  const [first] = await acquireAll(2);
  if (first && 'permitId' in first) await quota().release(first.permitId);
  expect(countAcquired(await acquireAll(2))).toBe(1);
  if (first && 'permitId' in first) await quota().release(first.permitId);
  expect(countAcquired(await acquireAll(2))).toBe(0);
});

test('calls still count after an eviction and a crash', async () => {
  const QUOTAS = {[REFUND]: {day: 3, second: null}};
  await limits(QUOTAS);
  for (const permit of await acquireAll(2)) if ('permitId' in permit) await quota().end(permit.permitId, null);
  await evictDurableObject(quota());
  await limits(QUOTAS);
  expect(countAcquired(await acquireAll(2))).toBe(1);
  await abortAllDurableObjects();
  await limits(QUOTAS);
  expect(countAcquired(await acquireAll(2))).toBe(0);
});

test('after a fast clock is corrected, calls are blocked for no longer than a day', async () => {
  await perDay(1);
  at(400 * DAY);
  await acquireAll(1);
  at(0);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: QUOTA_WINDOW_MS}]);
  at(QUOTA_WINDOW_MS);
  expect(countAcquired(await acquireAll(1))).toBe(1);
});

test('a call waits until one second after the previous call ended, and a third waiting call is refused', async () => {
  const first = await quota().acquire('search_charges');
  const second = quota().acquire('search_charges');
  const startedAt = performance.now();
  if ('permitId' in first) await quota().end(first.permitId, null);
  expect(await second).toMatchObject({permitId: expect.any(Number)});
  expect(performance.now() - startedAt).toBeGreaterThan(950);
  // Only as many calls wait as can be sent in two seconds.
  expect((await acquireAll(3, 'search_charges')).at(-1)).toEqual({limit: 'second', retryAfterMs: 1000});
});

test('a call that was running when the object crashed still counts towards the limit per second', async () => {
  await quota().acquire('search_charges');
  await abortAllDurableObjects();
  expect(await quota().acquire('search_charges')).toEqual({limit: 'second', retryAfterMs: 1000});
});

test('until a call is accepted, the backoff doubles with each refusal, or is the delay that the platform asks for', async () => {
  await perDay(100);
  const refused = async (retryAfterMs: number | null) => {
    const permit = await quota().acquire(REFUND);
    if (!('permitId' in permit)) throw new Error('No permit');
    await quota().end(permit.permitId, {retryAfterMs});
  };
  for (const [index, delayMs] of [SECOND, 2 * SECOND, 4 * SECOND].entries()) {
    await refused(null);
    expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: delayMs}]);
    expect(logLines('quota_refused')[index]).toEqual({
      level: 'warn',
      event: 'quota_refused',
      operation: REFUND,
      retry_in_ms: delayMs,
    });
    at(Date.now() - start + delayMs);
  }
  await refused(30 * SECOND);
  expect(await refund()).toMatchObject({used: 4, left: 96, backoffUntil: Date.now() + 30 * SECOND});
  at(Date.now() - start + 30 * SECOND);
  const [permit] = await acquireAll(1);
  if (permit && 'permitId' in permit) await quota().end(permit.permitId, null);
  await refused(null);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: SECOND}]);
});

test('a queued command has a position and an expected time, and new calls come after the queue', async () => {
  await perDay(2);
  await acquireAll(1);
  at(HOUR);
  await acquireAll(1);
  const positions = [];
  for (const id of ['a', 'b', 'c', 'd', 'e']) positions.push(await quota().enqueue(REFUND, id));
  expect(positions).toEqual([
    {position: 1, expectedAt: start + QUOTA_WINDOW_MS},
    {position: 2, expectedAt: start + QUOTA_WINDOW_MS + HOUR},
    {position: 3, expectedAt: start + 2 * QUOTA_WINDOW_MS},
    {position: 4, expectedAt: start + 2 * QUOTA_WINDOW_MS + HOUR},
    {position: 5, expectedAt: start + 3 * QUOTA_WINDOW_MS},
  ]);
  expect(await quota().enqueue(REFUND, 'b')).toEqual(positions[1]);
  at(QUOTA_WINDOW_MS);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: 2 * QUOTA_WINDOW_MS + HOUR}]);
  expect(await quota().acquire(REFUND, queuedAs('b'))).toEqual({limit: 'day', retryAfterMs: HOUR});
  const acquireA = async () => {
    const permit = await quota().acquire(REFUND, queuedAs('a'));
    return 'permitId' in permit ? permit.permitId : 0;
  };
  // If the call was not sent, the command keeps its position.
  await quota().release(await acquireA());
  expect(await quota().queuePosition(REFUND, 'a')).toMatchObject({position: 1});
  await quota().end(await acquireA(), null);
  expect(await quota().queuePosition(REFUND, 'b')).toEqual({position: 1, expectedAt: start + QUOTA_WINDOW_MS + HOUR});
  expect(await refund()).toMatchObject({used: 2, left: 0, waiting: 4});
});

test('a daily limit of 0 allows no call', async () => {
  await perDay(0);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: QUOTA_WINDOW_MS}]);
});

const inTurkey = (ms: number) => new Date(ms + 3 * HOUR).toISOString().slice(0, 10);

/** The number of accepted calls on the busiest calendar day, and in the busiest 24 hours. */
function fullest(times: readonly number[]): {day: number; window: number} {
  const days = Map.groupBy(times, inTurkey);
  let first = 0;
  let window = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[first] ?? 0) >= DAY) first += 1;
    window = Math.max(window, index - first + 1);
  }
  return {day: Math.max(...Array.from(days.values(), (calls) => calls.length)), window};
}

// `npm run bench -- quotas` runs this test with the platform's real limit.
test(
  'at fifty times the load, with 25 restarts and wrong clocks, no day and no 24 hours have more calls than the limit',
  {timeout: 300_000},
  async () => {
    const isWhole = inject('scale') >= 1;
    const [limit, concurrency] = isWhole ? [1000, 200] : [20, 100];
    const days = 3;
    const QUOTAS = {[REFUND]: {day: limit, second: null}};
    const rounds = Math.ceil((50 * limit * days) / concurrency);
    const restarts = new Set(Array.from({length: 25}, (_, index) => Math.floor(((index + 0.5) / 25) * rounds)));
    const accepted: number[] = [];
    let skewMs = 0;
    await limits(QUOTAS);
    for (let round = 0; round < rounds; round += 1) {
      const truth = Math.floor((round / rounds) * days * DAY);
      if (restarts.has(round)) {
        // The object moves to another machine, whose clock is wrong in the other direction.
        skewMs = (restarts.size % 2 ? 1 : -1) * Math.round(5 * MINUTE * Math.random());
        restarts.delete(round);
        at(truth + skewMs);
        await abortAllDurableObjects();
        await limits(QUOTAS);
      }
      at(truth + skewMs);
      for (let count = countAcquired(await acquireAll(concurrency)); count > 0; count -= 1)
        accepted.push(start + truth);
    }
    const {day, window} = fullest(accepted);
    expect(day).toBeLessThanOrEqual(limit);
    expect(window).toBeLessThanOrEqual(limit);
    expect(accepted.length / (limit * days)).toBeGreaterThanOrEqual(0.95);
  },
);

// `npm run bench -- quotas` restarts the object 25 times in this test.
test(
  'at fifty times the load, with restarts and wrong clocks, no second has more calls than the limit',
  {timeout: 900_000},
  async () => {
    const isWhole = inject('scale') >= 1;
    const [restarts, delayMs] = isWhole ? [25, 4_000] : [1, 1_000];
    const perSecond = {get_charge: 5, search_charges: 1};
    const names = ['get_charge', 'search_charges'] as const;
    const QUOTAS = Object.fromEntries(names.map((name) => [name, {day: null, second: perSecond[name]}]));
    const sent = {get_charge: [] as number[], search_charges: [] as number[]};
    const stop = new AbortController();
    const keepCalling = async (name: (typeof names)[number]) => {
      while (!stop.signal.aborted) {
        const permit = await quota()
          .acquire(name)
          .catch(() => null);
        if (permit && 'permitId' in permit) {
          await scheduler.wait(Math.random() * 30);
          sent[name].push(performance.now());
          await quota()
            .end(permit.permitId, null)
            .catch(() => {});
        } else await scheduler.wait((100 * SECOND) / (50 * perSecond[name]), {signal: stop.signal}).catch(() => {});
      }
    };
    await limits(QUOTAS);
    const callers = Promise.all(names.flatMap((name) => Array.from({length: 100}, () => keepCalling(name))));
    for (let restart = 0; restart <= restarts; restart += 1) {
      await scheduler.wait(delayMs);
      if (restart === restarts) break;
      await abortAllDurableObjects();
      at(Math.round((Math.random() - 0.5) * 10 * MINUTE));
      await limits(QUOTAS);
    }
    stop.abort();
    await callers;
    for (const name of names) {
      const gaps = sent[name].slice(perSecond[name]).map((time, index) => time - (sent[name][index] ?? 0));
      expect(sent[name].length).toBeGreaterThanOrEqual(perSecond[name]);
      expect(Math.min(SECOND, ...gaps)).toBe(SECOND);
    }
  },
);

afterEach(() => vi.setSystemTime(start));

test('a fifth of the subscription reads is kept for commands, and the list of quotas shows only the rest', async () => {
  const command = {queueId: null, forCommand: true};
  await replaceBindings(quota(), {QUOTAS: {get_subscription: {day: 10, second: null}}});
  const permits = await Promise.all(Array.from({length: 10}, () => quota().acquire('get_subscription')));
  expect(permits.filter((permit) => 'permitId' in permit)).toHaveLength(8);
  expect(permits.at(-1)).toEqual({limit: 'day', retryAfterMs: QUOTA_WINDOW_MS});
  const usage = (await quota().usage()).find(({name}) => name === 'get_subscription');
  expect(usage).toMatchObject({used: 8, left: 0});
  for (let count = 0; count < 2; count += 1)
    expect(await quota().acquire('get_subscription', command)).toHaveProperty('permitId');
  expect(await quota().acquire('get_subscription', command)).toEqual({limit: 'day', retryAfterMs: QUOTA_WINDOW_MS});
});
