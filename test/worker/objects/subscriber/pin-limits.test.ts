/** Which guards count a PIN, when they release or confirm it, and how many calls to objects are needed for this. */

import {runInDurableObject} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import type {StoredCounter} from '../../../../worker/objects/limits/counter.ts';
import {countObjectCalls, listAddressed} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSubscription} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {setFault} from '../../support/sandbox.ts';
import {askPin, awaitPins, newNumber, receivePin, subscribe} from '../../support/subscriber.ts';

freshWorker();
awaitPins();

/** The guards of the network and of the number's prefix are asked once, the guard of the product twice. */
const CALLS = 4;
/** The counters of the IP address, the prefix, and twice of the network and of the product. */
const COUNTERS = 6;
const ROTATED = {SESSION_SECRET_PREVIOUS: 'the-secret-before-0123456789abcdef'};

/** Adds up, over all counters, the PINs that count now and the confirmed PINs. */
async function countPins(): Promise<{pins: number; confirmed: number}> {
  const total = {pins: 0, confirmed: 0};
  for (const id of listAddressed(exports.Guard)) {
    const counters = await runInDurableObject(exports.Guard.get(id), (_guard, {storage}) =>
      [...storage.kv.list<StoredCounter>()].map(([, counter]) => counter),
    );
    for (const [, counted, confirmed] of counters.flatMap(({parts}) => parts)) {
      total.pins += counted;
      total.confirmed += confirmed;
    }
  }
  return total;
}

/** How a task changes the counts. Only the changes are exact, because the counts include permits of other requests. */
async function countPinsDuring(task: () => Promise<unknown>): Promise<{pins: number; confirmed: number}> {
  const before = await countPins();
  await task();
  const after = await countPins();
  return {pins: after.pins - before.pins, confirmed: after.confirmed - before.confirmed};
}

test('a request for a PIN causes four calls to guards and three calls to the number’s object', async () => {
  const {token} = await openSubscription();
  const calls = await countObjectCalls(async (counts) => {
    expect((await askPin({token, msisdn: newNumber(), bindings: ROTATED})).status).toBe(202);
    await expect.poll(() => counts['Subscriber.recordPinSent']).toBe(1);
  });
  expect(calls).toEqual({
    'Guard.count': CALLS,
    'Subscriber.isKnown': 1,
    'Subscriber.requestPin': 1,
    'Subscriber.recordPinSent': 1,
  });
});

test('when a shopper enters a PIN, the number’s object confirms the PIN in all guards that counted it', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  let pin = '';
  expect(await countPinsDuring(async () => (pin = await receivePin({token, msisdn})))).toEqual({
    pins: COUNTERS,
    confirmed: 0,
  });
  const confirmedBefore = (await countPins()).confirmed;
  const calls = await countObjectCalls(async (counts) => {
    expect((await subscribe({token, msisdn, pin})).status).toBe(201);
    await expect.poll(() => counts['Guard.change']).toBe(CALLS);
  });
  expect(calls).toMatchObject({'Subscriber.subscribe': 1, 'Guard.change': CALLS});
  await expect.poll(async () => (await countPins()).confirmed - confirmedBefore).toBe(COUNTERS);
  // A repeated request returns the same subscription, confirms nothing and writes no second receipt.
  expect(await countObjectCalls(async () => expect((await subscribe({token, msisdn, pin})).status).toBe(201))).toEqual({
    'Subscriber.subscribe': 1,
  });
});

test('no guard counts a PIN that the number’s own limits or the platform refuse', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  await receivePin({token, msisdn});
  const counted = await countPinsDuring(async () => {
    expectProblem(await askPin({token, msisdn}), PROBLEMS.rate_limited);
    await setFault({operation: '/landing/generate-pin', kind: 'status', status: '001'});
    expectProblem(await askPin({token, msisdn: newNumber(), afterPlatform: true}), PROBLEMS.landing_not_found);
  });
  expect(counted).toEqual({pins: 0, confirmed: 0});
});
