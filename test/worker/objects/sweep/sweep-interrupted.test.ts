/** Sweeps that are interrupted, and orders that cannot be reached. */

import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {expect, test, vi} from 'vitest';
import {addTransactions, openBusyService, SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, platformTime, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, breakOrder, mendOrder, renewToken, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {hold, pay, untilHeld} from '../../support/sandbox.ts';

freshWorker();

test('an order that a sweep cannot reach gets its money from the next sweep', async () => {
  const {token, order, code} = await openBusyService();
  await breakOrder(order);
  await pay({order_code: code});
  await addTransactions(110);
  await advance(3 * SECOND);
  await runSweep();
  expect(logLines('delivery_failed')).toMatchObject([{level: 'error', service: 'DEMO', order}]);
  await mendOrder(order);
  await advance(3 * SECOND);
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
});

test('an order that cannot be reached during a pass over the whole list gets its money from the next sweep', async () => {
  const {token, order, code} = await openOrder();
  await showPayment(token);
  await breakOrder(order);
  await pay({order_code: code});
  await addTransactions(110);
  await runSweep();
  expect(logLines('delivery_failed')).not.toEqual([]);
  await mendOrder(order);
  await advance(3 * SECOND);
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
});

test('money of an unknown time that its order could not take is dated when it was first read', async () => {
  const {token, order, code} = await openOrder();
  await showPayment(token);
  await breakOrder(order);
  const bank = {bank_name: 'Garanti BBVA', bank_code: 'garanti', transaction_date: null, create_time: null};
  const names = {order_refno: order, code, user_name: null, remote_description: null};
  const firstReadAt = wireTime();
  const record = {id: '9001', amount: '149.90', currency: 'TL', ...bank, ...names, status: null};
  await serviceObject().deliverTransfer('DEMO', {...record, askedAt: Date.now()});
  await mendOrder(order);
  await advance(HOUR);
  await runSweep();
  expect((await showPayment(token)).transactions).toMatchObject([{at: firstReadAt, time_unknown: true}]);
});

test('after a crash in the middle of a sweep, no money is lost or counted twice', async () => {
  const orders = await Promise.all(Array.from({length: 20}, openOrder));
  for (const {code} of orders) await pay({order_code: code, amount: '49.90'});
  await hold(SEARCH);
  const interruptedSweep = runSweep().catch(() => undefined);
  await untilHeld();
  await abortAllDurableObjects();
  await interruptedSweep;
  for (const {token} of orders) await showPayment(token);
  await runSweep();
  await evictDurableObject(serviceObject());
  await runSweep();
  for (const {token} of orders)
    expect(await showPayment(token)).toMatchObject({state: 'partial', paid: '49.90', transactions: [{}]});
});

test('money counts once if the sweep delivered it and crashed before recording the delivery', async () => {
  const {token, code} = await openOrder();
  await showPayment(token);
  await pay({order_code: code, amount: '49.90'});
  await runSweep();
  // Restore the progress that the sweep had stored before the delivery.
  await runInDurableObject(serviceObject(), (_object, {storage}) => {
    storage.sql.exec('DELETE FROM seen');
    storage.kv.delete('progress');
  });
  await abortAllDurableObjects();
  await advance(3 * SECOND);
  await runSweep();
  expect(logLines('sweep').map((line) => line['rows'])).toEqual([1, 1]);
  expect(await showPayment(token)).toMatchObject({state: 'partial', paid: '49.90', transactions: [{}]});
});

test('after a crash, the next sweep is planned as soon as a page reads its payment', async () => {
  const {token} = await openOrder();
  await runSweep();
  await abortAllDurableObjects();
  await showPayment(token);
  expect(await alarmIn(serviceObject())).toBeLessThanOrEqual(3 * SECOND);
});

const dayOf = (offset: number) => platformTime(Date.now() + offset * DAY).slice(0, 10);

/** Runs a sweep. When it searches the day `deadly`, the whole process ends. @returns the days that it searched. */
async function daysSearched(deadly: string | null = null): Promise<string[]> {
  const days: string[] = [];
  const realFetch = globalThis.fetch;
  const line = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const day = /startDate%5D=([\d-]+)/.exec(String(init?.body))?.[1];
    if (day !== undefined) days.push(day);
    return day !== undefined && day === deadly ? new Promise(() => {}) : realFetch(input, init);
  });
  await advance(3 * SECOND);
  let isOver = false;
  const sweep = runSweep()
    .catch(() => {})
    .finally(() => (isOver = true));
  await expect.poll(() => isOver || days.includes(deadly ?? '')).toBe(true);
  if (!isOver) await abortAllDurableObjects();
  await sweep;
  line.mockRestore();
  return days;
}

test('if each search of one day ends the process, all other near days are still searched', async () => {
  const {token} = await openOrder();
  await advance(3 * DAY);
  await renewToken();
  for (let count = 0; count < 8; count += 1) await runSweep();
  const days = [-3, -2, -1, 0, 1].map(dayOf);
  for (let round = 0; round < 2; round += 1) {
    const searched = new Set<string>();
    for (let count = 0; count < 4; count += 1) {
      for (const day of await daysSearched(dayOf(-2))) searched.add(day);
      // A page that reads its payment plans the next sweep.
      await showPayment(token);
    }
    expect(days.filter((day) => !searched.has(day))).toEqual([]);
  }
});

test('a process that ends between two writes of the progress repeats searches, and skips no day', async () => {
  const {token} = await openOrder();
  await showPayment(token);
  for (let count = 0; count < 15; count += 1) await runSweep();
  for (const sweeps of [1, 2, 3]) {
    for (let count = 0; count < sweeps; count += 1) await daysSearched();
    await abortAllDurableObjects();
    await showPayment(token);
    const searched = new Set([...(await daysSearched()), ...(await daysSearched())]);
    expect([-1, 0, 1].map(dayOf).filter((day) => !searched.has(day))).toEqual([]);
  }
});
