import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {advance, MINUTE, SECOND} from '../kit/clock.ts';
import {freshHouse} from '../kit/fresh-house.ts';
import {alarmIn} from '../kit/objects.ts';

freshHouse();

const guard = () => env.GUARD.getByName('a key');
const take = (what: string) => guard().take(2, MINUTE, what);
const allowed = {allowed: true};

test('gives exactly as many as the limit says, to however many ask at once', async () => {
  const taken = await Promise.all(Array.from({length: 200}, () => guard().take(50, MINUTE)));
  expect(taken.filter((one) => one.allowed)).toHaveLength(50);
  expect(new Set(taken.filter((one) => !one.allowed).map((one) => JSON.stringify(one)))).toEqual(new Set(['{"allowed":false,"retryAfterSeconds":60}']));
});

test('the window slides: each one taken comes back a window later', async () => {
  for (let second = 0; second < 3; second += 1) {
    expect(await guard().take(3, MINUTE)).toEqual(allowed);
    await advance(10 * SECOND);
  }
  expect(await guard().take(3, MINUTE)).toEqual({allowed: false, retryAfterSeconds: 30});
  await advance(30 * SECOND - 1);
  expect(await guard().take(3, MINUTE)).toEqual({allowed: false, retryAfterSeconds: 1});
  await advance(1);
  expect(await guard().take(3, MINUTE)).toEqual(allowed);
  expect(await guard().take(3, MINUTE)).toEqual({allowed: false, retryAfterSeconds: 10});
});

test('what was taken in this window costs nothing, not even when nothing is left', async () => {
  expect([await take('a'), await take('a'), await take('b')]).toEqual([allowed, allowed, allowed]);
  expect([await take('a'), await take('c')]).toEqual([allowed, {allowed: false, retryAfterSeconds: 60}]);
  await advance(MINUTE);
  expect([await take('c'), await take('a'), await take('b')]).toEqual([allowed, allowed, {allowed: false, retryAfterSeconds: 60}]);
});

test('counts on over eviction and a crash', async () => {
  for (let count = 0; count < 2; count += 1) await guard().take(3, MINUTE);
  await evictDurableObject(guard());
  expect(await guard().take(3, MINUTE)).toEqual(allowed);
  await abortAllDurableObjects();
  expect(await guard().take(3, MINUTE)).toEqual({allowed: false, retryAfterSeconds: 60});
});

test('a key that nobody used for a window leaves nothing behind, and works again', async () => {
  await guard().take(1, MINUTE);
  expect(await alarmIn(guard())).toBe(MINUTE);
  await advance(MINUTE);
  await runDurableObjectAlarm(guard());
  const tables = () => runInDurableObject(guard(), (_object, {storage}) => storage.sql.exec('SELECT name FROM sqlite_master').toArray());
  expect(await tables()).toEqual([]);
  await evictDurableObject(guard());
  expect(await tables()).toEqual([]);
  expect(await guard().take(1, MINUTE)).toEqual(allowed);
  expect(await guard().take(1, MINUTE)).toEqual({allowed: false, retryAfterSeconds: 60});
});

test('its name tells nobody whose it is', async () => {
  const stub = await contextOf(env).objects.guard('sessions 192.0.2.7');
  expect(stub.name).toMatch(/^[0-9a-f]{64}$/);
  // `printf 'sessions 192.0.2.7' | openssl dgst -sha256 -hmac sandbox-session-secret-that-is-long-enough`
  expect(stub.name).toBe('4506f3235b5f6ebd94733fb9859a797e3f56c072b367ff855fe14efcee2c8dcd');
});
