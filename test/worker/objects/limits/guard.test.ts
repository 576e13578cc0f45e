import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {confirm, count, type Counter, release} from '../../../../worker/objects/limits/counting.ts';
import type {GuardAnswer} from '../../../../worker/objects/limits/guard.ts';
import {advance, DAY, HOUR, MINUTE} from '../../support/clock.ts';
import {alarmIn, isStored, storedIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const guard = () => exports.Guard.getByName('a guard');
const rule = (key: string, limit: number | null, windowMs = HOUR) => ({key, limit, windowMs});
const ask = async (...rules: readonly ReturnType<typeof rule>[]): Promise<GuardAnswer> => guard().count(rules);
const isFull = async (...rules: readonly ReturnType<typeof rule>[]) => 'full' in (await ask(...rules));
const counts = ({before}: GuardAnswer) => before.map((state) => state.count);

test('of 200 concurrent requests, a guard counts exactly as many as the limit allows', async () => {
  const answers = await Promise.all(Array.from({length: 200}, () => ask(rule('a', 50))));
  const refused = answers.filter((answer) => 'full' in answer);
  expect(refused).toHaveLength(150);
  expect(new Set(refused.map((answer) => 'full' in answer && answer.retryAfterSeconds))).toEqual(new Set([3_600]));
});

test('a request that one counter refuses is counted by no other, and the answer names the first full counter', async () => {
  expect(await isFull(rule('a', 1))).toBe(false);
  expect(await ask(rule('b', 5), rule('a', 1), rule('c', null))).toMatchObject({full: 1, retryAfterSeconds: 3_600});
  expect(counts(await ask(rule('b', 5), rule('c', null)))).toEqual([0, 0]);
  expect(counts(await ask(rule('b', 5), rule('c', null)))).toEqual([1, 1]);
});

test('a guard keeps its counts of an hour after an eviction and a crash', async () => {
  await ask(rule('a', 3));
  await ask(rule('a', 3));
  await evictDurableObject(guard());
  expect(await isFull(rule('a', 3))).toBe(false);
  await abortAllDurableObjects();
  expect(await isFull(rule('a', 3))).toBe(true);
});

test('counts of a minute are exact, and cost no row and no alarm', async () => {
  const ofMinute = rule('a', 2, MINUTE);
  expect([await isFull(ofMinute), await isFull(ofMinute), await isFull(ofMinute)]).toEqual([false, false, true]);
  expect(await isStored(guard())).toBe(false);
  await advance(MINUTE);
  expect(await isFull(ofMinute)).toBe(false);
  // A refusal stores nothing either.
  expect(await isFull(rule('a', 0))).toBe(true);
  expect(await isStored(guard())).toBe(false);
});

test('the alarm deletes what counts no longer, and everything after a window without use', async () => {
  await ask(rule('hour', 2));
  expect(await alarmIn(guard())).toBe(HOUR);
  await advance(30 * MINUTE);
  await ask(rule('day', 2, DAY));
  await advance(30 * MINUTE);
  await runDurableObjectAlarm(guard());
  expect(await alarmIn(guard())).toBe(DAY - 30 * MINUTE);
  expect(JSON.stringify(await storedIn(guard()))).not.toContain('hour');
  await advance(DAY - 30 * MINUTE);
  await runDurableObjectAlarm(guard());
  expect(await isStored(guard())).toBe(false);
});

test('what counts no longer is also deleted after the guard was restarted, whether or not it counted since', async () => {
  await ask(rule('a', 2));
  await evictDurableObject(guard());
  await advance(HOUR);
  await runDurableObjectAlarm(guard());
  expect(await isStored(guard())).toBe(false);
  await ask(rule('a', 2));
  await evictDurableObject(guard());
  await advance(MINUTE);
  await ask(rule('b', 2));
  expect(await alarmIn(guard())).toBe(HOUR - MINUTE);
  await advance(HOUR - MINUTE);
  await runDurableObjectAlarm(guard());
  expect(await alarmIn(guard())).toBe(MINUTE);
  expect(JSON.stringify(await storedIn(guard()))).not.toContain('"a"');
});

test('the alarm reads and deletes a thousand counters', async () => {
  for (let first = 0; first < 1_000; first += 100)
    await ask(...Array.from({length: 100}, (_, index) => rule(`key ${first + index}`, null)));
  await ask(rule('later', null, DAY));
  await advance(HOUR);
  await runDurableObjectAlarm(guard());
  const keys = await runInDurableObject(guard(), (_object, {storage}) => [...storage.kv.list()].map(([key]) => key));
  expect(keys).toEqual(['later']);
});

test('what was counted can be released and confirmed, as long as it counts', async () => {
  const {objects} = contextOf(env);
  const counter: Counter = {name: 'pins', windowMs: HOUR, limit: 2, credit: 1};
  const results = [await count(objects, 'product 1', [counter]), await count(objects, 'product 1', [counter])];
  expect((await count(objects, 'product 1', [counter])).full).toBe(0);
  const tickets = results.flatMap((result) => (result.full === undefined ? [result.ticket] : []));
  await release(objects, tickets.slice(0, 1));
  await confirm(objects, tickets.slice(1));
  expect((await count(objects, 'product 1', [{...counter, limit: 1}])).before[0]).toEqual({
    count: 0,
    last: {counted: 1, confirmed: 1},
  });
  const other = await count(objects, 'product 2', [counter]);
  if (other.full === undefined) await release(objects, [other.ticket]);
  expect(JSON.stringify(await storedIn(await objects.guard('product 2')))).not.toContain('parts');
  await advance(2 * HOUR);
  await confirm(objects, tickets);
  expect((await count(objects, 'product 1', [counter])).before[0]?.last).toEqual({counted: 0, confirmed: 0});
});

test('the names of a guard and of its counters do not reveal what they count', async () => {
  const {objects} = contextOf(env);
  const stub = await objects.guard('network 192.0.0.0/16');
  // `printf 'network 192.0.0.0/16' | openssl dgst -sha256 -hmac sandbox-session-secret-that-is-long-enough`
  expect(stub.name).toBe('6781c9a6ffc099dcf04aba4e10a5be9946ed20d5eb1f52b206673b371bcc4f58');
  await count(objects, 'network 192.0.0.0/16', [{name: 'pins 192.0.2.7', windowMs: HOUR, limit: null}]);
  expect(JSON.stringify(await storedIn(stub))).not.toContain('192.0.');
});
