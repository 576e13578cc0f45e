import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {atMost, type LimitRule} from '../../../../worker/objects/limits/guard-rules.ts';
import type {GuardResult} from '../../../../worker/objects/limits/guard.ts';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const guard = () => env.GUARD.getByName('a key');
const acquire = async (limit: number) => withoutId(await guard().acquire([atMost(limit, MINUTE)]));
const acquireFor = async (what: string) => withoutId(await guard().acquire([atMost(2, MINUTE)], what));
const allowed = {allowed: true};
const refused = (retryAfterSeconds: number) => ({allowed: false, retryAfterSeconds, broken: 'most'});

function withoutId(result: GuardResult) {
  return result.allowed ? allowed : result;
}

test('200 concurrent requests get exactly as many permits from a guard as the limit allows', async () => {
  const results = await Promise.all(Array.from({length: 200}, () => acquire(50)));
  expect(results.filter((result) => result.allowed)).toHaveLength(50);
  expect(new Set(results.filter((result) => !result.allowed).map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify(refused(60))]),
  );
});

test('each permit becomes free one window after it was acquired', async () => {
  for (let second = 0; second < 3; second += 1) {
    expect(await acquire(3)).toEqual(allowed);
    await advance(10 * SECOND);
  }
  expect(await acquire(3)).toEqual(refused(30));
  await advance(30 * SECOND - 1);
  expect(await acquire(3)).toEqual(refused(1));
  await advance(1);
  expect(await acquire(3)).toEqual(allowed);
  expect(await acquire(3)).toEqual(refused(10));
});

test('a name that has a permit needs no second one in the same window, even when no permit is left', async () => {
  expect([await acquireFor('a'), await acquireFor('a'), await acquireFor('b')]).toEqual([allowed, allowed, allowed]);
  expect([await acquireFor('a'), await acquireFor('c')]).toEqual([allowed, refused(60)]);
  await advance(MINUTE);
  expect([await acquireFor('c'), await acquireFor('a'), await acquireFor('b')]).toEqual([
    allowed,
    allowed,
    refused(60),
  ]);
});

const acquireIds = async (rules: readonly LimitRule[], count: number): Promise<number[]> => {
  const results = await Promise.all(Array.from({length: count}, () => guard().acquire(rules)));
  return results.map((result) => (result.allowed && result.permitId) || 0);
};

test('a released permit can be acquired again', async () => {
  const [first = 0] = await acquireIds([atMost(2, MINUTE)], 2);
  expect(await acquire(2)).toEqual(refused(60));
  await guard().release(first);
  expect([await acquire(2), await acquire(2)]).toEqual([allowed, refused(60)]);
});

test('the strictest rule decides, and the other rules do not count a refused request', async () => {
  const rules: LimitRule[] = [atMost(3, MINUTE), {kind: 'pause', firstMs: 10 * SECOND, windowMs: MINUTE}];
  const acquireBoth = async () => withoutId(await guard().acquire(rules));
  expect([await acquireBoth(), await acquireBoth()]).toEqual([
    allowed,
    {allowed: false, retryAfterSeconds: 10, broken: 'pause'},
  ]);
  await advance(10 * SECOND);
  expect([await acquireBoth(), await acquireBoth()]).toEqual([
    allowed,
    {allowed: false, retryAfterSeconds: 20, broken: 'pause'},
  ]);
  await advance(20 * SECOND);
  expect([await acquireBoth(), await acquireBoth()]).toEqual([allowed, refused(30)]);
});

test('a confirmed permit does not count for a rule about unconfirmed permits', async () => {
  const rules: LimitRule[] = [{kind: 'most', limit: 2, windowMs: MINUTE, unconfirmed: true}];
  const [first = 0] = await acquireIds(rules, 2);
  expect(await guard().acquire(rules)).toEqual(refused(60));
  await guard().confirm(first);
  expect(withoutId(await guard().acquire(rules))).toEqual(allowed);
});

test('while too few permits are confirmed, no new permits are given', async () => {
  const rules: LimitRule[] = [{kind: 'confirmed', ofLast: 20, percent: 10, windowMs: MINUTE}];
  const ids = await acquireIds(rules, 25);
  expect(ids.filter((id) => id > 0)).toHaveLength(20);
  const stopped = {allowed: false, retryAfterSeconds: 60, broken: 'confirmed'};
  await guard().confirm(ids[0] ?? 0);
  expect(await guard().acquire(rules)).toEqual(stopped);
  await guard().confirm(ids[1] ?? 0);
  expect(withoutId(await guard().acquire(rules))).toEqual(allowed);
  expect(await guard().acquire(rules)).toEqual(stopped);
  await advance(MINUTE);
  expect(withoutId(await guard().acquire(rules))).toEqual(allowed);
});

test('a key is proven only while enough of its last permits are confirmed', async () => {
  const rule = {kind: 'proven', ofLast: 10, percent: 20, windowMs: MINUTE} as const;
  expect(await guard().allows(rule)).toBe(false);
  const [first = 0, ...rest] = await acquireIds([atMost(100, MINUTE)], 5);
  expect(await guard().allows(rule)).toBe(false);
  await guard().confirm(first);
  expect((await acquireIds([rule], 10)).filter((id) => id > 0)).toHaveLength(1);
  await guard().confirm(rest[0] ?? 0);
  expect((await acquireIds([rule], 10)).filter((id) => id > 0)).toHaveLength(5);
  await advance(MINUTE);
  expect(await guard().allows(rule)).toBe(false);
});

test('a guard keeps its counts after an eviction and a crash', async () => {
  for (let count = 0; count < 2; count += 1) await acquire(3);
  await evictDurableObject(guard());
  expect(await acquire(3)).toEqual(allowed);
  await abortAllDurableObjects();
  expect(await acquire(3)).toEqual(refused(60));
});

test('a guard that refuses the first request deletes its tables too', async () => {
  const rule = {kind: 'proven', ofLast: 10, percent: 20, windowMs: MINUTE} as const;
  expect((await guard().acquire([rule])).allowed).toBe(false);
  expect(await alarmIn(guard())).toBe(MINUTE);
  await advance(MINUTE);
  await runDurableObjectAlarm(guard());
  const tables = await runInDurableObject(guard(), (_object, {storage}) =>
    storage.sql.exec('SELECT name FROM sqlite_master').toArray(),
  );
  expect(tables).toEqual([]);
});

test('a guard that was not used for a whole window deletes its data, and works again afterwards', async () => {
  await acquire(1);
  expect(await alarmIn(guard())).toBe(MINUTE);
  await advance(MINUTE);
  await runDurableObjectAlarm(guard());
  const tables = () =>
    runInDurableObject(guard(), (_object, {storage}) => storage.sql.exec('SELECT name FROM sqlite_master').toArray());
  expect(await tables()).toEqual([]);
  await evictDurableObject(guard());
  await guard().confirm(1);
  await guard().release(1);
  expect(await tables()).toEqual([]);
  expect(await acquire(1)).toEqual(allowed);
  expect(await acquire(1)).toEqual(refused(60));
});

test('the name of a guard does not reveal its key', async () => {
  const stub = await contextOf(env).objects.guard('sessions 192.0.2.7');
  expect(stub.name).toMatch(/^[0-9a-f]{64}$/);
  // `printf 'sessions 192.0.2.7' | openssl dgst -sha256 -hmac sandbox-session-secret-that-is-long-enough`
  expect(stub.name).toBe('4506f3235b5f6ebd94733fb9859a797e3f56c072b367ff855fe14efcee2c8dcd');
});
