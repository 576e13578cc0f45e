import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {ConfigError} from '../../../../worker/config/mistakes.ts';
import {contextOf} from '../../../../worker/context.ts';
import {Platform} from '../../../../worker/objects/platform/platform.ts';
import {QUOTA_WINDOW_MS} from '../../../../worker/objects/platform/quota-store.ts';
import type {QuotaName} from '../../../../worker/platform/quota-limits.ts';
import type {QuotaPermitResult} from '../../../../worker/platform/quotas.ts';
import {DAY, HOUR, SECOND, wireTime} from '../../support/clock.ts';
import {replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {hold, release, untilHeld} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const REFUND = 'refund_charge';
const quota = () => contextOf(env).objects.platform();
const limits = (QUOTAS: object) => replaceBindings(quota(), {QUOTAS});
const perDay = (day: number) => limits({[REFUND]: {day, second: null}});
const acquireAll = (count: number, name: QuotaName = REFUND) =>
  Promise.all(Array.from({length: count}, () => quota().acquirePermit(name)));
const countAcquired = (permits: readonly QuotaPermitResult[]) =>
  permits.filter((permit) => 'permitId' in permit).length;
const refund = async () => (await quota().quotaUsage()).find(({name}) => name === REFUND);

let start: number;
beforeEach(() => {
  start = Date.now();
});
/** Sets the object's clock to this time after the start of the test. The object uses no other clock. */
const at = (ms: number) => void vi.setSystemTime(start + ms);

const events = async () => (await outboxObject().read(0)).items.map(({type, data}) => ({type, data}));
const queuedAs = (queueId: string) => ({queueId, isOwn: true});

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

test('a permit is given, and its call ends, while the platform does not answer the request for a token', async () => {
  const {token} = (await quota().currentToken()) as {token: string};
  await hold('/getToken');
  const renewed = quota().renewToken(token);
  await untilHeld();
  const permits = await acquireAll(3);
  expect(countAcquired(permits)).toBe(3);
  for (const permit of permits) if ('permitId' in permit) await quota().endPermit(permit.permitId, null);
  expect(await refund()).toMatchObject({used: 3, backoffUntil: null});
  await release('/getToken');
  expect(await renewed).toEqual({token: expect.any(String) as string});
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
  if (first && 'permitId' in first) await quota().releasePermit(first.permitId);
  expect(countAcquired(await acquireAll(2))).toBe(1);
  if (first && 'permitId' in first) await quota().releasePermit(first.permitId);
  expect(countAcquired(await acquireAll(2))).toBe(0);
});

test('calls still count after an eviction and a crash', async () => {
  const QUOTAS = {[REFUND]: {day: 3, second: null}};
  await limits(QUOTAS);
  for (const permit of await acquireAll(2)) if ('permitId' in permit) await quota().endPermit(permit.permitId, null);
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
  const first = await quota().acquirePermit('search_charges');
  const second = quota().acquirePermit('search_charges');
  const startedAt = performance.now();
  if ('permitId' in first) await quota().endPermit(first.permitId, null);
  expect(await second).toMatchObject({permitId: expect.any(Number)});
  expect(performance.now() - startedAt).toBeGreaterThan(950);
  // Only as many calls wait as can be sent in two seconds.
  expect((await acquireAll(3, 'search_charges')).at(-1)).toEqual({limit: 'second', retryAfterMs: 1000});
});

test('a call that was running when the object crashed still counts towards the limit per second', async () => {
  await quota().acquirePermit('search_charges');
  await abortAllDurableObjects();
  expect(await quota().acquirePermit('search_charges')).toEqual({limit: 'second', retryAfterMs: 1000});
});

test('until a call is accepted, the backoff doubles with each refusal, or is the delay that the platform asks for', async () => {
  await perDay(100);
  const refused = async (retryAfterMs: number | null) => {
    const permit = await quota().acquirePermit(REFUND);
    if (!('permitId' in permit)) throw new Error('No permit');
    await quota().endPermit(permit.permitId, {retryAfterMs});
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
  if (permit && 'permitId' in permit) await quota().endPermit(permit.permitId, null);
  await refused(null);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: SECOND}]);
});

test('a queued command has a position and an expected time, and new calls come after the queue', async () => {
  await perDay(2);
  await acquireAll(1);
  at(HOUR);
  await acquireAll(1);
  const positions = [];
  for (const id of ['a', 'b', 'c', 'd', 'e']) positions.push(await quota().enterQueue(REFUND, id));
  expect(positions).toEqual([
    {position: 1, expectedAt: start + QUOTA_WINDOW_MS},
    {position: 2, expectedAt: start + QUOTA_WINDOW_MS + HOUR},
    {position: 3, expectedAt: start + 2 * QUOTA_WINDOW_MS},
    {position: 4, expectedAt: start + 2 * QUOTA_WINDOW_MS + HOUR},
    {position: 5, expectedAt: start + 3 * QUOTA_WINDOW_MS},
  ]);
  expect(await quota().enterQueue(REFUND, 'b')).toEqual(positions[1]);
  at(QUOTA_WINDOW_MS);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: 2 * QUOTA_WINDOW_MS + HOUR}]);
  expect(await quota().acquirePermit(REFUND, queuedAs('b'))).toEqual({limit: 'day', retryAfterMs: HOUR});
  const acquireA = async () => {
    const permit = await quota().acquirePermit(REFUND, queuedAs('a'));
    return 'permitId' in permit ? permit.permitId : 0;
  };
  // If the call was not sent, the command keeps its position.
  await quota().releasePermit(await acquireA());
  expect(await quota().enterQueue(REFUND, 'a')).toMatchObject({position: 1});
  await quota().endPermit(await acquireA(), null);
  expect(await quota().enterQueue(REFUND, 'b')).toEqual({position: 1, expectedAt: start + QUOTA_WINDOW_MS + HOUR});
  expect(await refund()).toMatchObject({used: 2, left: 0, waiting: 4});
});

test('once a day, an event says that four fifths of a limit are used, and another that a command waits', async () => {
  const QUOTAS = {[REFUND]: {day: 5, second: null}, get_charge: {day: 5, second: null}};
  await limits(QUOTAS);
  await acquireAll(3);
  await acquireAll(3, 'get_charge');
  expect(await events()).toEqual([]);
  await acquireAll(1);
  const data = {quota: REFUND, per_day: 5, used: 4, left: 1, waiting: 0, resets_at: wireTime(start + QUOTA_WINDOW_MS)};
  const low = {type: 'quota.low', data};
  await expect.poll(events).toEqual([low]);
  await acquireAll(1);
  for (const id of ['a', 'b']) await quota().enterQueue(REFUND, id);
  const queued = {type: 'quota.queued', data: {...data, used: 5, left: 0, waiting: 1}};
  await expect.poll(events).toEqual([low, queued]);
  at(QUOTA_WINDOW_MS);
  await acquireAll(5, 'get_charge');
  await expect.poll(events).toMatchObject([low, queued, {type: 'quota.low', data: {quota: 'get_charge', used: 4}}]);
});

test('a daily limit of 0 allows no call', async () => {
  await perDay(0);
  expect(await acquireAll(1)).toEqual([{limit: 'day', retryAfterMs: QUOTA_WINDOW_MS}]);
});

afterEach(() => vi.setSystemTime(start));

test.each([
  ['get_subscription', 8],
  ['get_charge', 8],
  ['search_subscriptions', 7],
  ['search_charges', 5],
] as const)('of ten calls a day, pages and servers may use only so many: %s %i', async (name, shared) => {
  const own = {queueId: null, isOwn: true};
  await replaceBindings(quota(), {QUOTAS: {[name]: {day: 10, second: null}}});
  const permits = await Promise.all(Array.from({length: 10}, () => quota().acquirePermit(name)));
  expect(permits.filter((permit) => 'permitId' in permit)).toHaveLength(shared);
  expect(permits.at(-1)).toEqual({limit: 'day', retryAfterMs: QUOTA_WINDOW_MS});
  expect((await quota().quotaUsage()).find((usage) => usage.name === name)).toMatchObject({used: shared, left: 0});
  for (let count = shared; count < 10; count += 1)
    expect(await quota().acquirePermit(name, own)).toHaveProperty('permitId');
  expect(await quota().acquirePermit(name, own)).toEqual({limit: 'day', retryAfterMs: QUOTA_WINDOW_MS});
});

test('with a wrong configuration, an object that wakes after calls gives no permit, but still its token', async () => {
  const token = await quota().currentToken();
  await limits({[REFUND]: {day: 20, second: 1}});
  expect(countAcquired(await acquireAll(1))).toBe(1);
  await runInDurableObject(quota(), async (_object, ctx) => {
    // The Worker parses the bindings of an `env` once, so the object gets an `env` that was not parsed yet.
    const woken = new Platform(ctx, Object.assign({...env}, {QUOTAS: 'wrong'}));
    await expect(woken.acquirePermit(REFUND)).rejects.toThrow(ConfigError);
    expect(await woken.currentToken()).toEqual(token);
  });
});
