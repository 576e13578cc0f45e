/** Sweeps that are interrupted, and orders that cannot be reached. */

import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {openBusyService, addTransactions, SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, SECOND} from '../../support/clock.ts';
import {alarmIn, breakOrder, mendOrder, runSweep, sweepObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {countCalls, pay, setFault} from '../../support/sandbox.ts';

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

test('after a crash in the middle of a sweep, no money is lost or counted twice', async () => {
  const orders = await Promise.all(Array.from({length: 20}, openOrder));
  for (const {code} of orders) await pay({order_code: code, amount: '49.90'});
  await setFault({operation: SEARCH, kind: 'delay', delay_ms: 300, times: 1});
  const interruptedSweep = runSweep().catch(() => undefined);
  await expect.poll(() => countCalls(SEARCH)).toBe(1);
  await abortAllDurableObjects();
  await interruptedSweep;
  for (const {token} of orders) await showPayment(token);
  await runSweep();
  await evictDurableObject(sweepObject());
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
  await runInDurableObject(sweepObject(), (_object, {storage}) => {
    storage.sql.exec('DELETE FROM seen');
    storage.kv.delete('progress');
  });
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
  expect(await alarmIn(sweepObject())).toBeLessThanOrEqual(3 * SECOND);
});
