/** Where PINs are counted: who acquires, cancels and confirms, and how often the objects are called for it. */

import {listDurableObjectIds, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import type {Guard} from '../../../../worker/objects/limits/guard.ts';
import {countObjectCalls} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSubscription} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {setFault} from '../../support/sandbox.ts';
import {askPin, awaitPins, newNumber, receivePin, subscribe} from '../../support/subscriber.ts';

freshWorker();
awaitPins();

/** Address, prefix, product, neighbourhood, cap. */
const GUARDS = 5;
const ROTATED = {SESSION_SECRET_PREVIOUS: 'the-secret-before-0123456789abcdef'};

/** How many PINs are counted now, of all guards, and how many of them came back. */
async function counted(): Promise<{pins: number; confirmed: number}> {
  const all = {pins: 0, confirmed: 0};
  for (const id of await listDurableObjectIds(env.GUARD)) {
    await runInDurableObject(env.GUARD.get(id) as DurableObjectStub<Guard>, (_guard, {storage: {sql}}) => {
      if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'takings'").toArray().length === 0) return;
      const rows = sql.exec<{confirmed: number}>('SELECT confirmed FROM takings WHERE what IS NULL').toArray();
      all.pins += rows.length;
      all.confirmed += rows.filter(({confirmed}) => confirmed === 1).length;
    });
  }
  return all;
}

/** What a session and other requests leave in the guards does not belong to a PIN. */
async function countedDuring(task: () => Promise<unknown>): Promise<{pins: number; confirmed: number}> {
  const before = await counted();
  await task();
  const after = await counted();
  return {pins: after.pins - before.pins, confirmed: after.confirmed - before.confirmed};
}

test('a PIN is counted by five guards, and its number’s object is found once and called twice', async () => {
  const {token} = await openSubscription();
  const calls = await countObjectCalls(async (soFar) => {
    expect((await askPin({token, msisdn: newNumber(), bindings: ROTATED})).status).toBe(202);
    await expect.poll(() => soFar['Subscriber.recordPinSent']).toBe(1);
  });
  expect(calls).toEqual({
    'Guard.acquire': GUARDS,
    'Subscriber.isKnown': 1,
    'Subscriber.requestPin': 1,
    'Subscriber.recordPinSent': 1,
  });
});

test('a PIN that comes back is confirmed where it was counted, by its number’s object', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  let pin = '';
  expect(await countedDuring(async () => (pin = await receivePin({token, msisdn})))).toEqual({
    pins: GUARDS,
    confirmed: 0,
  });
  const calls = await countObjectCalls(async (soFar) => {
    expect((await subscribe({token, msisdn, pin})).status).toBe(201);
    await expect.poll(() => soFar['Guard.confirm']).toBe(GUARDS);
  });
  expect(calls).toMatchObject({'Subscriber.subscribe': 1, 'Guard.confirm': GUARDS});
  expect(await counted()).toMatchObject({confirmed: GUARDS});
  // Asked again, it is the same subscription, and counts no more.
  expect(await countObjectCalls(async () => expect((await subscribe({token, msisdn, pin})).status).toBe(201))).toEqual({
    'Subscriber.subscribe': 1,
  });
});

test('a PIN that its number may not have is counted nowhere', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  await receivePin({token, msisdn});
  expect(await countedDuring(async () => expectProblem(await askPin({token, msisdn}), PROBLEMS.rate_limited))).toEqual({
    pins: 0,
    confirmed: 0,
  });
});

test('a PIN that the platform sends to no number is counted nowhere', async () => {
  const {token} = await openSubscription();
  await setFault({operation: '/landing/generate-pin', kind: 'status', status: '001'});
  expect(
    await countedDuring(async () =>
      expectProblem(await askPin({token, msisdn: newNumber(), realTiming: true}), PROBLEMS.landing_not_found),
    ),
  ).toEqual({pins: 0, confirmed: 0});
});
