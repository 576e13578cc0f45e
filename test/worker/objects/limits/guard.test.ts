import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {atMost, type LimitRule} from '../../../../worker/objects/limits/guard-rules.ts';
import type {GuardResult} from '../../../../worker/objects/limits/guard.ts';
import {isStoreRefused} from '../../../../worker/objects/migrations.ts';
import {advance, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const guard = () => exports.Guard.getByName('a key');
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

test('a repeated request for the same name in the same window needs no second permit', async () => {
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

test('a request that one rule refuses is not counted by the other rule', async () => {
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

test('after 20 permits, a guard gives another only if a tenth of the last 20 are confirmed, until the window ends', async () => {
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

const tables = () =>
  runInDurableObject(guard(), (_object, {storage}) =>
    storage.sql
      .exec<{name: string}>('SELECT name FROM sqlite_master')
      .toArray()
      .map(({name}) => name),
  );

test('a guard that refuses the first request stores nothing', async () => {
  const rule = {kind: 'proven', ofLast: 10, percent: 20, windowMs: MINUTE} as const;
  expect((await guard().acquire([rule])).allowed).toBe(false);
  expect(await tables()).toEqual([]);
  expect(await alarmIn(guard())).toBeNull();
});

test('after a window without use, a guard deletes its data, and only a new request makes it store data', async () => {
  await acquire(1);
  expect(await alarmIn(guard())).toBe(MINUTE);
  await advance(MINUTE);
  await runDurableObjectAlarm(guard());
  expect(await tables()).toEqual([]);
  await evictDurableObject(guard());
  await guard().confirm(1);
  await guard().release(1);
  await guard().recordPaid();
  await guard().releaseUnpaid(1);
  expect(await tables()).toEqual([]);
  expect(await acquire(1)).toEqual(allowed);
  expect(await acquire(1)).toEqual(refused(60));
});

test('while the newest permit counts, the alarm of a guard plans the next alarm and deletes nothing', async () => {
  await acquire(2);
  await advance(45 * SECOND);
  await acquire(2);
  expect(await alarmIn(guard())).toBe(15 * SECOND);
  await advance(15 * SECOND);
  await runDurableObjectAlarm(guard());
  expect(await alarmIn(guard())).toBe(45 * SECOND);
  expect([await acquire(2), await acquire(2)]).toEqual([allowed, refused(45)]);
});

test('a guard that counts an order of an address in both ways keeps both counts, each for its own time', async () => {
  const count = (order: string) => guard().acquireOrder([atMost(2, MINUTE)], order, 3);
  expect(await count('S-1')).toMatchObject({permit: allowed, unpaid: {allowed: true, unpaid: 0}});
  expect(await alarmIn(guard())).toBeGreaterThan(22 * HOUR);
  expect(await count('S-2')).toMatchObject({permit: allowed, unpaid: {allowed: true, unpaid: 1}});
  expect(await count('S-3')).toMatchObject({permit: {allowed: false}, unpaid: {allowed: true, unpaid: 2}});
  await advance(MINUTE);
  await runDurableObjectAlarm(guard());
  expect(await count('S-4')).toMatchObject({permit: allowed, unpaid: {allowed: false, unpaid: 3}});
  await advance((await alarmIn(guard())) ?? 0);
  await runDurableObjectAlarm(guard());
  expect(await alarmIn(guard())).toBeNull();
});

test('unpaid orders count for a day, and the guard’s alarm deletes nothing before the last of them ends', async () => {
  expect(await guard().acquireUnpaid(2)).toMatchObject({allowed: true, unpaid: 0});
  await advance(23 * HOUR);
  expect(await guard().acquireUnpaid(2)).toMatchObject({allowed: true, unpaid: 1});
  await evictDurableObject(guard());
  expect(await guard().acquireUnpaid(2)).toMatchObject({allowed: false, unpaid: 2});
  await advance((await alarmIn(guard())) ?? 0);
  await runDurableObjectAlarm(guard());
  expect(await guard().acquireUnpaid(2)).toMatchObject({allowed: true, unpaid: 1});
  await advance(24 * HOUR);
  await runDurableObjectAlarm(guard());
  expect(await tables()).toEqual([]);
});

test('a guard with more permits than its value can hold stores them in a table, and counts them all', async () => {
  const rules: LimitRule[] = [{kind: 'most', limit: 200, windowMs: MINUTE, unconfirmed: true}];
  const ids = await acquireIds(rules, 128);
  expect(await tables()).not.toContain('permits');
  await guard().confirm(ids[0] ?? 0);
  await guard().release(ids.at(-1) ?? 0);
  ids.push(...(await acquireIds(rules, 74)));
  expect(await tables()).toContain('permits');
  await evictDurableObject(guard());
  expect(new Set(ids).size).toBe(202);
  expect(ids).not.toContain(0);
  expect(await guard().acquire(rules)).toEqual(refused(60));
  await guard().release(ids[1] ?? 0);
  await guard().confirm(ids.at(-1) ?? 0);
  expect((await acquireIds(rules, 3)).filter((id) => id > 0)).toHaveLength(2);
  await advance(MINUTE);
  await runDurableObjectAlarm(guard());
  expect(await tables()).toEqual([]);
});

test('a guard throws if a later version wrote its value, and does not change the value', async () => {
  await runInDurableObject(guard(), (_object, {storage}) => storage.kv.put('counts', {version: 2, other: 'format'}));
  await evictDurableObject(guard());
  const error = await guard()
    .acquire([atMost(1, MINUTE)])
    .catch((thrown: unknown) => thrown);
  expect(isStoreRefused(error)).toBe(true);
  expect(String(error)).toContain('The store guard_counts has schema version 2, which is newer than this code');
  await evictDurableObject(guard());
  expect(await runInDurableObject(guard(), (_object, {storage}) => storage.kv.get('counts'))).toEqual({
    version: 2,
    other: 'format',
  });
});

test('the name of a guard does not reveal its key', async () => {
  const stub = await contextOf(env).objects.guard('sessions 192.0.2.7');
  expect(stub.name).toMatch(/^[0-9a-f]{64}$/);
  // `printf 'sessions 192.0.2.7' | openssl dgst -sha256 -hmac sandbox-session-secret-that-is-long-enough`
  expect(stub.name).toBe('4506f3235b5f6ebd94733fb9859a797e3f56c072b367ff855fe14efcee2c8dcd');
});
