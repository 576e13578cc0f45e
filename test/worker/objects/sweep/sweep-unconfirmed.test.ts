/** Money of orders that exist at the platform although the answer with their code was lost. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {advance, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {
  breakOrder,
  mendOrder,
  orderObject,
  renewToken,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {callPlatform, hold, pay, release, setFault, untilHeld} from '../../support/sandbox.ts';

freshWorker();

const CREATE = '/orderToReference/create';
const UPDATE = '/orderToReference/update';
const terms = {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72};
const testOrder = () => orderObject(terms.order);
const change = {code: 'DEMO', order: 'S-1', amount: '149.90'};

/** The order’s object dies before it gets the code, and the sweep learns of the order. */
async function loseCode(): Promise<void> {
  await hold(CREATE, {after: true});
  const asked = testOrder()
    .orderCode(terms)
    .catch(() => {});
  await untilHeld();
  await abortAllDurableObjects();
  await release(CREATE);
  await asked;
  await advance(10 * SECOND);
  await runDurableObjectAlarm(testOrder());
}

const tracked = () =>
  runInDurableObject(serviceObject(), (_service, {storage}) =>
    storage.sql.exec<{code: string | null}>('SELECT code FROM tracked WHERE "order" = ?', terms.order).toArray(),
  );

const state = async () => (await testOrder().details())?.payment;

test('an order whose code came with the answer to a change gets money that arrives more than an hour later', async () => {
  await loseCode();
  expect(await tracked()).toEqual([{code: null}]);
  const {code} = (await testOrder().changeCode(change, 'root')) as {code: string};
  expect(await tracked()).toEqual([{code}]);
  await advance(2 * HOUR);
  await renewToken();
  await runSweep();
  await pay({order_code: code});
  await advance(5 * MINUTE);
  await runSweep();
  expect(await state()).toMatchObject({state: 'paid'});
});

test('an order whose code came with the answer to a repeated change is found by its code', async () => {
  await loseCode();
  await setFault({operation: UPDATE, kind: 'empty', times: 1, after: true});
  expect(await testOrder().changeCode(change, 'root')).toMatchObject({failure: {outcome: 'unknown'}});
  await advance(MINUTE);
  await runDurableObjectAlarm(testOrder());
  expect(await tracked()).toEqual([{code: expect.any(String) as string}]);
});

test('money that waits for its order reaches it after the time in which sweeps look for an order without a code', async () => {
  await loseCode();
  const {order: code} = await callPlatform('/orderToReference/check', {code: 'DEMO', order: 'S-1'});
  await pay({order_code: String(code)});
  await breakOrder(terms.order);
  await advance(2 * HOUR);
  await renewToken();
  await runSweep();
  await mendOrder(terms.order);
  await advance(5 * MINUTE);
  await runSweep();
  expect(await state()).toMatchObject({state: 'paid'});
  await advance(5 * MINUTE);
  await runSweep();
  expect(await tracked()).toEqual([]);
});
