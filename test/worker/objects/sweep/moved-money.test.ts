/** Money that staff of the platform match to a different order. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {describe, expect, test} from 'vitest';
import {SEARCH, stateOf} from '../../support/busy-service.ts';
import {advance, MINUTE} from '../../support/clock.ts';
import {
  breakMethod,
  breakOrder,
  mendMethod,
  mendOrder,
  orderObject,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {callPlatform, control, pay, setFault} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';
import {bookedRows, breakRemoval, loseAnswers, matchTo, mendRemoval, openPair, statesOf} from './moved-money.ts';

freshWorker();

test.each([true, false])(
  'an order that is tracked again gets the money that it had if it was closed: %s',
  async (isClosed) => {
    const {order, code} = await openOrder();
    await showPayment((await openOrder()).token);
    const id = await pay({order_code: code});
    expect(await orderObject(order).handleHint(id)).toBe('accepted');
    await runSweep();
    const tracked = {order, code, closesAt: Date.now() + MINUTE};
    if (isClosed) await serviceObject().recordClosed(tracked);
    await serviceObject().trackOrder('DEMO', {...tracked, registeredAt: Date.now()});
    const holders = await runInDurableObject(serviceObject(), (_object, {storage}) =>
      storage.sql.exec('SELECT holder FROM seen WHERE id = ?', id).toArray(),
    );
    expect(holders).toEqual([{holder: isClosed ? null : order}]);
  },
);

describe('money that staff match to a different order moves there', () => {
  test.each([false, true])('from an order that got it from a sweep; its answer was lost: %s', async (isLost) => {
    const [first, second] = await openPair();
    if (isLost) await loseAnswers(first.order);
    const id = await pay({order_code: first.code});
    await runSweep();
    expect(await stateOf(first.token)).toBe('paid');
    await matchTo(id, second);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
  });

  test('from an order that has read it itself, before any list showed it', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    expect(await orderObject(first.order).handleHint(id)).toBe('accepted');
    await matchTo(id, second);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
  });

  test('when the first order reads its status, although no list can be read', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await matchTo(id, second);
    await setFault({operation: SEARCH, kind: '500-html'});
    await runDurableObjectAlarm(orderObject(first.order));
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
    await expect.poll(() => bookedRows(id)).toContainEqual(['money.withdrawn', first.order]);
  });

  test('when a notification is for the first order, which is then told that it has no such money', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await matchTo(id, second);
    expect(await orderObject(first.order).handleHint(id)).toBe('invalid');
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
  });

  test('and comes back if the other order never got it before the match was taken back', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await matchTo(id, second);
    await breakOrder(second.order);
    await runSweep();
    expect(await stateOf(first.token)).toBe('waiting');
    await matchTo(id, first);
    await runSweep();
    expect(await stateOf(first.token)).toBe('paid');
    await mendOrder(second.order);
    await advance(MINUTE);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['paid', 'waiting']);
    expect(await serviceObject().countUndelivered()).toBe(0);
  });

  test('and comes back if the process ended between the loss and the gain, and the match was taken back', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await matchTo(id, second);
    let isReached = false;
    await runInDurableObject(orderObject(second.order), (object) => {
      object.receiveArrivals = () => {
        isReached = true;
        return new Promise(() => {});
      };
    });
    const sweep = runSweep().catch(() => {});
    await expect.poll(() => isReached).toBe(true);
    await abortAllDurableObjects();
    await sweep;
    expect(await stateOf(first.token)).toBe('waiting');
    await matchTo(id, first);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['paid', 'waiting']);
  });

  test('from each order that may have it, although neither order answered and the books know of neither', async () => {
    const [first, second] = await openPair();
    const third = await openOrder();
    await showPayment(third.token);
    await breakMethod(outboxObject(), 'receive');
    await loseAnswers(first.order);
    await loseAnswers(second.order);
    const id = await pay({order_code: first.code});
    await runSweep();
    await matchTo(id, second);
    await runSweep();
    await breakRemoval(second.order);
    await matchTo(id, third);
    await runSweep();
    await mendRemoval(second.order);
    await mendMethod(outboxObject(), 'receive');
    await advance(MINUTE);
    await runSweep();
    expect([...(await statesOf(first, second)), await stateOf(third.token)]).toEqual(['waiting', 'waiting', 'paid']);
  });

  test('from an order that still has it although the service knows that it belongs to the other one', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: second.code});
    await runSweep();
    const money = {id, amount: 14990, currency: 'TRY', bank: 'Garanti BBVA', at: Date.now(), state: 'unknown'};
    await orderObject(first.order).receiveArrivals([money], Date.now());
    expect(await orderObject(first.order).handleHint(id)).toBe('invalid');
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
  });

  test('and the order that gains it from a status check reads status and refunds itself', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await runDurableObjectAlarm(orderObject(first.order));
    await control(`transfers/${id}/assign`, {order_code: second.code});
    const contact = {'contact[name]': 'Ada Yıldız', 'contact[iban]': 'TR330006100519786457841326'};
    await callPlatform('/refund/create', {code: 'DEMO', order: second.order, amount: '50.00', ...contact});
    await control(`transfers/${id}/status`, {status: 6});
    await advance(10 * MINUTE);
    await runDurableObjectAlarm(orderObject(first.order));
    expect(await showPayment(second.token)).toMatchObject({state: 'paid', refunded: '0.00'});
    await runDurableObjectAlarm(orderObject(second.order));
    expect(await showPayment(second.token)).toMatchObject({state: 'paid', refunded: '0.00', refunding: '50.00'});
  });
});
