/** When an order reads the status of its money, and what a check costs. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {EMPTY_ORDER, opened} from '../../../../worker/objects/order/order-state.ts';
import {nextStatusCheckAt} from '../../../../worker/objects/order/payment-hints.ts';
import type {Arrival} from '../../../../worker/platform/to-payment.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, orderObject, renewToken, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {callsDuring, hold, pay, release, setFault, untilHeld} from '../../support/sandbox.ts';
import {countStorage} from '../cost/storage-costs.ts';

freshWorker();

/** Opens an order, pays it, and runs the check of new money. */
async function openPaidOrder() {
  const shopper = await openOrder();
  await pay({order_code: shopper.code});
  await runSweep();
  await runDurableObjectAlarm(orderObject(shopper.order));
  const runCheck = () => callsDuring('/transaction/get', () => runDurableObjectAlarm(orderObject(shopper.order)));
  return {...shopper, object: orderObject(shopper.order), runCheck};
}

test('a check that finds nothing new writes one row, the alarm', async () => {
  const {object, runCheck} = await openPaidOrder();
  await advance(10 * MINUTE);
  const {byClass, writes} = await countStorage(async () => expect(await runCheck()).toBe(1));
  expect(byClass['Order'], JSON.stringify(writes)).toMatchObject({rowsWritten: 1, alarmsSet: 1});
  expect(await alarmIn(object)).toBe(HOUR);
});

test('an order that restarts between two checks makes the next one at its time, and not before', async () => {
  const {object, order, token, runCheck} = await openPaidOrder();
  await advance(10 * MINUTE);
  await runCheck();
  await advance(MINUTE);
  await evictDurableObject(object);
  expect(await callsDuring('/transaction/get', () => showPayment(token))).toBe(0);
  expect(await alarmIn(orderObject(order))).toBe(HOUR - MINUTE);
  await evictDurableObject(object);
  await advance(HOUR - MINUTE);
  expect(await runCheck()).toBe(1);
  expect(await alarmIn(orderObject(order))).toBe(6 * HOUR);
});

test.each([
  [0, 1],
  [SECOND, 0],
])('an alarm that wakes the order and was planned %d ms after a check was due makes %d checks', async (ms, checks) => {
  const {object, order} = await openPaidOrder();
  const scheduledTime = Date.now() + 10 * MINUTE + ms;
  await advance(10 * MINUTE + SECOND);
  await evictDurableObject(object);
  const wake = () =>
    runInDurableObject(orderObject(order), (instance) =>
      instance.alarm({isRetry: false, retryCount: 0, scheduledTime}),
    );
  expect(await callsDuring('/transaction/get', wake)).toBe(checks);
});

test('money that comes after a restart is checked from then on, although the planned alarm is far', async () => {
  const {order, code, token} = await openOrder();
  await evictDurableObject(orderObject(order));
  await showPayment(token);
  expect(await alarmIn(orderObject(order))).toBeGreaterThan(DAY);
  await pay({order_code: code});
  await advance(3 * SECOND);
  await runSweep();
  for (const delay of [0, 10 * MINUTE, HOUR]) {
    expect(await alarmIn(orderObject(order))).toBe(delay);
    await advance(delay);
    await runDurableObjectAlarm(orderObject(order));
  }
});

test('a check that failed is repeated, also after a restart, and does not move the later ones', async () => {
  const {object, order, runCheck} = await openPaidOrder();
  await advance(10 * MINUTE);
  await runCheck();
  await advance(HOUR);
  await renewToken();
  await setFault({operation: '/transaction/get', kind: '500-html'});
  await runCheck();
  expect(await alarmIn(object)).toBe(MINUTE);
  await evictDurableObject(object);
  await orderObject(order).details();
  expect(await alarmIn(orderObject(order))).toBe(MINUTE);
  await release('/transaction/get');
  await advance(MINUTE);
  expect(await runCheck()).toBe(1);
  expect(await alarmIn(orderObject(order))).toBe(6 * HOUR - MINUTE);
});

test('new money is read although the object ended while it read it', async () => {
  const {object, order, code} = await openPaidOrder();
  await advance(70 * MINUTE);
  await renewToken();
  await runDurableObjectAlarm(object);
  await pay({order_code: code, amount: '5.00'});
  await runSweep();
  const scheduledTime = Date.now() + ((await alarmIn(object)) ?? 0);
  await hold('/transaction/get');
  const run = Promise.allSettled([runDurableObjectAlarm(object)]);
  await untilHeld();
  await abortAllDurableObjects();
  await run;
  await release('/transaction/get');
  const again = () =>
    runInDurableObject(orderObject(order), (instance) => instance.alarm({isRetry: true, retryCount: 1, scheduledTime}));
  expect(await callsDuring('/transaction/get', again)).toBe(1);
});

test('the times of the checks follow from the time of the money alone', () => {
  const order = opened(EMPTY_ORDER, {service: 'DEMO', order: 'S-1', amount: 100, hours: 1, offer: 'gold'}, 0);
  const checked = {...order, record: {...order.record, checks: {since: 0}}};
  const times: number[] = [];
  for (let at = nextStatusCheckAt(checked, 0); at !== null; at = nextStatusCheckAt(checked, at)) times.push(at);
  const delays = [10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 4 * DAY];
  expect(times).toEqual(delays.map((_, index) => delays.slice(0, index + 1).reduce((sum, delay) => sum + delay)));
  const arrival: Arrival = {id: '1', amount: 1, currency: 'TRY', bank: null, at: 0, state: 'unknown', pending: true};
  const pending = {...checked, money: {...order.money, arrivals: [arrival]}};
  for (let at = 0; at < 2 * DAY;) {
    const next = nextStatusCheckAt(pending, at) ?? 0;
    expect(next - at).toBeGreaterThanOrEqual(MINUTE);
    expect(next - at).toBeLessThanOrEqual(Math.min(Math.max(MINUTE, at / 8 + 1), HOUR));
    expect(nextStatusCheckAt(pending, next - 1)).toBe(next);
    at = next;
  }
  const dated = {...pending, money: {...order.money, arrivals: [{...arrival, at: 2 * DAY}]}};
  const ahead = nextStatusCheckAt(dated, HOUR) ?? 0;
  expect(ahead).toBeGreaterThan(HOUR);
  expect(ahead).toBeLessThanOrEqual(HOUR + HOUR / 8 + 1);
});
