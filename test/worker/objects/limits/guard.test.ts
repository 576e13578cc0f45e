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
const take = async (limit: number) => show(await guard().acquire([atMost(limit, MINUTE)]));
const takeWhat = async (what: string) => show(await guard().acquire([atMost(2, MINUTE)], what));
const allowed = {allowed: true};
const refused = (retryAfterSeconds: number) => ({allowed: false, retryAfterSeconds, broken: 'most'});

function show(result: GuardResult) {
  return result.allowed ? allowed : result;
}

test('gives exactly as many as the limit says, to however many ask at once', async () => {
  const results = await Promise.all(Array.from({length: 200}, () => take(50)));
  expect(results.filter((one) => one.allowed)).toHaveLength(50);
  expect(new Set(results.filter((one) => !one.allowed).map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify(refused(60))]),
  );
});

test('the window slides: each one taken comes back a window later', async () => {
  for (let second = 0; second < 3; second += 1) {
    expect(await take(3)).toEqual(allowed);
    await advance(10 * SECOND);
  }
  expect(await take(3)).toEqual(refused(30));
  await advance(30 * SECOND - 1);
  expect(await take(3)).toEqual(refused(1));
  await advance(1);
  expect(await take(3)).toEqual(allowed);
  expect(await take(3)).toEqual(refused(10));
});

test('what was taken in this window costs nothing, not even when nothing is left', async () => {
  expect([await takeWhat('a'), await takeWhat('a'), await takeWhat('b')]).toEqual([allowed, allowed, allowed]);
  expect([await takeWhat('a'), await takeWhat('c')]).toEqual([allowed, refused(60)]);
  await advance(MINUTE);
  expect([await takeWhat('c'), await takeWhat('a'), await takeWhat('b')]).toEqual([allowed, allowed, refused(60)]);
});

const acquireIds = async (rules: readonly LimitRule[], count: number): Promise<number[]> => {
  const results = await Promise.all(Array.from({length: count}, () => guard().acquire(rules)));
  return results.map((one) => (one.allowed && one.permitId) || 0);
};

test('what is given back is there for somebody else', async () => {
  const [first = 0] = await acquireIds([atMost(2, MINUTE)], 2);
  expect(await take(2)).toEqual(refused(60));
  await guard().release(first);
  expect([await take(2), await take(2)]).toEqual([allowed, refused(60)]);
});

test('the strictest rule decides, and what it refuses is not counted by the others', async () => {
  const rules: LimitRule[] = [atMost(3, MINUTE), {kind: 'pause', firstMs: 10 * SECOND, windowMs: MINUTE}];
  const ask = async () => show(await guard().acquire(rules));
  expect([await ask(), await ask()]).toEqual([allowed, {allowed: false, retryAfterSeconds: 10, broken: 'pause'}]);
  await advance(10 * SECOND);
  expect([await ask(), await ask()]).toEqual([allowed, {allowed: false, retryAfterSeconds: 20, broken: 'pause'}]);
  await advance(20 * SECOND);
  expect([await ask(), await ask()]).toEqual([allowed, refused(30)]);
});

test('what turned out well does not count where only the rest does', async () => {
  const rules: LimitRule[] = [{kind: 'most', limit: 2, windowMs: MINUTE, unconfirmed: true}];
  const [first = 0] = await acquireIds(rules, 2);
  expect(await guard().acquire(rules)).toEqual(refused(60));
  await guard().confirm(first);
  expect(show(await guard().acquire(rules))).toEqual(allowed);
});

test('too few of the last that turned out well stop the next, until they do', async () => {
  const rules: LimitRule[] = [{kind: 'confirmed', ofLast: 20, percent: 10, windowMs: MINUTE}];
  const all = await acquireIds(rules, 25);
  expect(all.filter((one) => one > 0)).toHaveLength(20);
  const stopped = {allowed: false, retryAfterSeconds: 60, broken: 'confirmed'};
  await guard().confirm(all[0] ?? 0);
  expect(await guard().acquire(rules)).toEqual(stopped);
  await guard().confirm(all[1] ?? 0);
  expect(show(await guard().acquire(rules))).toEqual(allowed);
  expect(await guard().acquire(rules)).toEqual(stopped);
  await advance(MINUTE);
  expect(show(await guard().acquire(rules))).toEqual(allowed);
});

test('is proven by what turned out well among the last, and by nothing else', async () => {
  const rule = {kind: 'proven', ofLast: 10, percent: 20, windowMs: MINUTE} as const;
  expect(await guard().allows(rule)).toBe(false);
  const [first = 0, ...rest] = await acquireIds([atMost(100, MINUTE)], 5);
  expect(await guard().allows(rule)).toBe(false);
  await guard().confirm(first);
  expect((await acquireIds([rule], 10)).filter((one) => one > 0)).toHaveLength(1);
  await guard().confirm(rest[0] ?? 0);
  expect((await acquireIds([rule], 10)).filter((one) => one > 0)).toHaveLength(5);
  await advance(MINUTE);
  expect(await guard().allows(rule)).toBe(false);
});

test('counts on over eviction and a crash', async () => {
  for (let count = 0; count < 2; count += 1) await take(3);
  await evictDurableObject(guard());
  expect(await take(3)).toEqual(allowed);
  await abortAllDurableObjects();
  expect(await take(3)).toEqual(refused(60));
});

test('a key that nobody used for a window leaves nothing behind, and works again', async () => {
  await take(1);
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
  expect(await take(1)).toEqual(allowed);
  expect(await take(1)).toEqual(refused(60));
});

test('its name tells nobody whose it is', async () => {
  const stub = await contextOf(env).objects.guard('sessions 192.0.2.7');
  expect(stub.name).toMatch(/^[0-9a-f]{64}$/);
  // `printf 'sessions 192.0.2.7' | openssl dgst -sha256 -hmac sandbox-session-secret-that-is-long-enough`
  expect(stub.name).toBe('4506f3235b5f6ebd94733fb9859a797e3f56c072b367ff855fe14efcee2c8dcd');
});
