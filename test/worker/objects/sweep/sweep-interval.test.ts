/** How often the sweep polls the platform. */

import {evictDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {sweepInterval} from '../../../../worker/objects/sweep/transfer-reader.ts';
import {SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {amendOrder, alarmIn, orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openSocket} from '../../support/page-socket.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {pay, setFault} from '../../support/sandbox.ts';

freshWorker();

test('the interval grows while the platform fails, and returns to normal once the platform recovers', async () => {
  const {token, code} = await openOrder();
  await showPayment(token);
  await setFault({operation: SEARCH, kind: 'status', status: 'ERR_002'});
  const delays: (number | null)[] = [];
  for (let count = 0; count < 4; count += 1) {
    await runSweep();
    delays.push(await alarmIn(serviceObject()));
    await advance(delays.at(-1) ?? 0);
    await showPayment(token);
  }
  expect(delays).toEqual([6, 12, 15, 15].map((seconds) => seconds * SECOND));
  expect(logLines('sweep_failed')[0]).toEqual({
    level: 'warn',
    event: 'sweep_failed',
    alarm_id: expect.any(String) as string,
    service: 'DEMO',
    operation: 'transactionSearch',
    platform_status: 'ERR_002',
    retry_in_ms: 6 * SECOND,
  });
  await setFault({operation: SEARCH, kind: 'clear'});
  await pay({order_code: code, amount: '100.00'});
  await advance(15 * SECOND);
  await runSweep();
  expect(await stateOf(token)).toBe('partial');
  expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
});

test('a page shows the time of the platform’s last answer, not of the last call', async () => {
  const {token} = await openOrder();
  await runSweep();
  const {as_of: asOf} = await showPayment(token);
  await setFault({operation: SEARCH, kind: 'status', status: 'ERR_002'});
  await advance(MINUTE);
  await runSweep();
  expect((await showPayment(token)).as_of).toBe(asOf);
});

test('once every order has closed, the sweep stops until a new order is opened', async () => {
  await openOrder();
  await runSweep();
  await advance(10 * DAY);
  // After days without sweeps, the missed days take turns.
  for (let sweeps = 0; sweeps < 4; sweeps += 1) {
    await runSweep();
    await advance(5 * MINUTE);
  }
  expect(await alarmIn(serviceObject())).toBeNull();
  await openOrder();
  expect(await alarmIn(serviceObject())).toBe(0);
});

test('while an order is open and no page views it, the sweep runs every five minutes', async () => {
  await openOrder();
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(5 * MINUTE);
});

test('a page that reads its payment every minute does not count as newly opened each time', async () => {
  const {token, order} = await openOrder();
  for (let minute = 0; minute < 12; minute += 1) {
    await showPayment(token);
    await evictDurableObject(orderObject(order));
    await runSweep();
    await advance(MINUTE);
  }
  await showPayment(token);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(15 * SECOND);
});

test('a page that returns after twenty minutes counts as newly opened', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  await advance(20 * MINUTE);
  await showPayment(token);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
});

test('a page whose order reports a viewer every two minutes does not count as newly opened each time', async () => {
  const {order, token} = await openOrder();
  await showPayment(token);
  for (let minutes = 0; minutes < 14; minutes += 2) {
    await advance(2 * MINUTE);
    await serviceObject().reportView({order, until: Date.now() + DAY, opened: false, settled: false});
  }
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(15 * SECOND);
});

test('after an eviction of the sweep, the first report of a viewer counts as a newly opened page', async () => {
  const {order} = await openOrder();
  await runSweep();
  await advance(20 * MINUTE);
  await runSweep();
  await evictDurableObject(serviceObject());
  await serviceObject().reportView({order, until: Date.now() + MINUTE, opened: false, settled: false});
  expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
});

test.for<[openedMsAgo: number, intervalMs: number]>([
  [0, 3 * SECOND],
  [10 * MINUTE - 1, 3 * SECOND],
  [10 * MINUTE, 15 * SECOND],
  [HOUR - 1, 15 * SECOND],
  [HOUR, MINUTE],
  [7 * DAY, MINUTE],
])('with a page opened %o ms ago, the sweep runs every %o ms', ([ago, intervalMs]) => {
  expect(sweepInterval({newestOpenedAt: 1e12 - ago, isViewed: true}, 1e12)).toBe(intervalMs);
});

test('if no page awaits money, the sweep runs every minute with a viewer, and every five minutes without one', () => {
  expect(sweepInterval({newestOpenedAt: null, isViewed: false}, 1e12)).toBe(5 * MINUTE);
  expect(sweepInterval({newestOpenedAt: null, isViewed: true}, 1e12)).toBe(MINUTE);
});

test('once the money of the viewed order has arrived, the sweep runs every minute', async () => {
  const {token, code} = await openOrder();
  const page = await openSocket(token);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
  await pay({order_code: code});
  await advance(3 * SECOND);
  await runSweep();
  expect((await page.rest()).map(({state}) => state)).toEqual(['waiting', 'paid']);
  expect(await alarmIn(serviceObject())).toBe(MINUTE);
  await showPayment(token);
  expect(await alarmIn(serviceObject())).toBe(MINUTE);
});

test('a second transfer for a paid order is found, and a paid order does not slow the sweep for others', async () => {
  const [paid, waiting] = [await openOrder(), await openOrder()];
  await showPayment(paid.token);
  await pay({order_code: paid.code});
  await runSweep();
  await showPayment(waiting.token);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
  await pay({order_code: paid.code});
  await advance(3 * SECOND);
  await runSweep();
  expect(await stateOf(paid.token)).toBe('overpaid');
});

test('a completed order lengthens the interval; a paid order whose amount is raised shortens it', async () => {
  const {token, order, code} = await openOrder();
  await showPayment(token);
  await orderObject(order).markCompleted(null);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(MINUTE);
  const raised = await openOrder();
  await showPayment(raised.token);
  await pay({order_code: raised.code});
  await runSweep();
  expect([await stateOf(raised.token), await alarmIn(serviceObject()), code === raised.code]).toEqual([
    'paid',
    MINUTE,
    false,
  ]);
  await amendOrder(raised.order, 20_000);
  expect([await stateOf(raised.token), await alarmIn(serviceObject())]).toEqual(['partial', 3 * SECOND]);
});
