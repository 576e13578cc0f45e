/** Tests the history: what happened to an order stays readable for 400 days. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, onTestFinished, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import type {OrderSummary} from '../../../../worker/objects/archive/order-history-store.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, isStored, orderObject, runSweep, storedIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askMerchant, openOrder, openWantedOrder, showPayment} from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const history = (at = Date.now()): DurableObjectStub<Archive> =>
  contextOf(env).objects.archivedOrders('DEMO', formatMonth(at));

const summaryOf = (order: string, change: Partial<OrderSummary> = {}): OrderSummary => ({
  order,
  code: `8${order}`,
  state: 'waiting',
  createdAt: Date.now(),
  offer: null,
  title: null,
  metadata: {},
  expiresAt: Date.now() + DAY,
  completedAt: null,
  cancelledAt: null,
  amount: '149.90',
  paid: '0.00',
  refunded: '0.00',
  remaining: '149.90',
  late: false,
  unclear: false,
  money: [],
  ...change,
});

/** How many rows these calls read or write. */
const rowsBy = (kind: 'rowsRead' | 'rowsWritten', call: (object: Archive) => void | Promise<void>): Promise<number> =>
  runInDurableObject(history(), async (object, {storage}) => {
    const {sql} = storage;
    const exec = sql.exec.bind(sql);
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    Object.defineProperty(sql, 'exec', {
      configurable: true,
      value: (query: string, ...bindings: unknown[]) => {
        const cursor = exec(query, ...bindings);
        cursors.push(cursor);
        return cursor;
      },
    });
    await call(object);
    Reflect.deleteProperty(sql, 'exec');
    return cursors.reduce((sum, cursor) => sum + cursor[kind], 0);
  });

test('a payment writes three rows: two when its code is made, one when it is paid, and none when its order closes', async () => {
  await history().saveOrder(summaryOf('first'), Date.now());
  const waiting = summaryOf('second');
  const paid = {...waiting, state: 'paid', paid: '149.90', remaining: '0.00'} as const;
  expect(await rowsBy('rowsWritten', (object) => object.saveOrder(waiting, Date.now()))).toBe(2);
  expect(await rowsBy('rowsWritten', (object) => object.saveOrder(paid, Date.now()))).toBe(1);
  expect(await rowsBy('rowsWritten', (object) => object.saveOrder(paid, Date.now() + MINUTE))).toBe(0);
});

test('an older summary that arrives late does not replace a newer summary', async () => {
  const waiting = summaryOf('S-1');
  const now = Date.now();
  await history().saveOrder({...waiting, state: 'paid'}, now);
  await history().saveOrder(waiting, now - 1);
  expect(await history().findOrder('S-1')).toMatchObject({state: 'paid', states: [{state: 'paid', at: now}]});
});

const names = (orders: readonly OrderSummary[]) => orders.map(({order}) => order);

test('a page of three orders reads fewer than ten rows, and the list skips orders that are too old to be read', async () => {
  const now = Date.now();
  for (let number = 100; number < 400; number += 1)
    await history().saveOrder(summaryOf(`S-${number}`, {state: number % 2 === 0 ? 'waiting' : 'paid'}), now);
  const query = {day: new Date(now).toISOString().slice(0, 10), state: null, limit: 3};
  const rowsRead = await rowsBy('rowsRead', async (object) => {
    expect(names(object.listOrders({...query, after: 'S-201'}))).toEqual(['S-202', 'S-203', 'S-204']);
  });
  expect(rowsRead).toBeLessThan(10);
  expect(names(await history().listOrders({...query, state: 'paid', after: 'S-201'}))).toEqual([
    'S-203',
    'S-205',
    'S-207',
  ]);
  await advance(DAY);
  await history(now).saveOrder(summaryOf('S-103', {createdAt: now, state: 'refunded'}), Date.now());
  await advance(399 * DAY + MINUTE);
  expect(names(await history(now).listOrders({...query, after: ''}))).toEqual(['S-103']);
});

test('a page that reads its order after a minute puts it into the history, where it stays there when its object is deleted', async () => {
  const {order, code, token} = await openOrder();
  await showPayment(token);
  expect(await history().findOrder(order)).toBeNull();
  await advance(MINUTE);
  await showPayment(token);
  const at = Date.now();
  await expect
    .poll(() => history().findOrder(order))
    .toMatchObject({state: 'waiting', code, states: [{state: 'waiting', at}]});
  await advance(MINUTE);
  const id = await pay({order_code: code});
  await runSweep();
  await advance(20 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await isStored(orderObject(order))).toBe(false);
  const found = await history(at).findOrderByCode(code);
  expect(found).toMatchObject({order, state: 'paid', paid: '149.90', money: [{id, amount: 14_990}]});
  expect(found?.states.map(({state}) => state)).toEqual(['waiting', 'paid']);
});

/** Replaces the method that stores a summary; null restores the method. */
const replaceSave = (save: (() => Promise<void>) | null, at = Date.now()): Promise<void> =>
  runInDurableObject(history(at), (object) => {
    if (save) Object.defineProperty(object, 'saveOrder', {configurable: true, value: save});
    else Reflect.deleteProperty(object, 'saveOrder');
  });

test('a history that does not answer delays no order code and no payment event', async () => {
  await openOrder();
  const answer = Promise.withResolvers<undefined>();
  await replaceSave(() => answer.promise);
  const {order, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  expect((await outboxObject().read(0)).items).toMatchObject([{type: 'payment.received', data: {order}}]);
  await replaceSave(null);
  answer.resolve(undefined);
});

/** Lets calls of this method of the archive wait. @returns what lets them go on. */
function holdArchive(method: 'book' | 'saveOrder'): () => void {
  const {promise: released, resolve} = Promise.withResolvers<void>();
  const archive = Archive.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const write = archive[method];
  const slow = vi.spyOn(archive, method).mockImplementation(async function (this: Archive, ...args) {
    await released;
    return write?.apply(this, args);
  });
  onTestFinished(() => slow.mockRestore());
  return resolve;
}

test('the near alarm of a change stays until the books have answered, so that a row is not late if the process dies', async () => {
  const {order} = await openWantedOrder();
  await expect.poll(() => alarmIn(orderObject(order))).toBeGreaterThan(DAY);
  const release = holdArchive('book');
  await orderObject(order).cancel();
  expect(await alarmIn(orderObject(order))).toBeLessThanOrEqual(10 * SECOND);
  release();
  await expect.poll(() => alarmIn(orderObject(order))).toBeGreaterThan(DAY);
});

test('the near alarm of a new code stays until the history has answered, even if a page opens meanwhile', async () => {
  const release = holdArchive('saveOrder');
  const order = 'S-1';
  const terms = {service: 'DEMO', order, amount: 14_990, hours: 72};
  const request = {operation: 'orderCodeCreate', input: {code: 'DEMO', order, amount: '149.90'}} as const;
  await orderObject(order).createCode(terms, {request, preparation: {by: 'root'}, adopt: false, isRepeated: false});
  await orderObject(order).payment(terms);
  expect(await alarmIn(orderObject(order))).toBeLessThanOrEqual(10 * SECOND);
  release();
  await expect.poll(() => alarmIn(orderObject(order))).toBeGreaterThan(DAY);
});

test('while the history cannot be reached, an order calls it less and less often', async () => {
  const {order} = await openWantedOrder();
  const save = await runInDurableObject(history(), (object) =>
    vi.spyOn(Object.getPrototypeOf(object) as Archive, 'saveOrder').mockImplementation(() => {
      throw new Error();
    }),
  );
  onTestFinished(() => save.mockRestore());
  // Each delay is 0.75 of the longest, in the middle of what is expected.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  await orderObject(order).amend(20_000, {});
  for (let attempt = 0; attempt < 9; attempt += 1) {
    await expect.poll(() => save).toHaveBeenCalledTimes(attempt + 1);
    const longest = Math.min(10 * SECOND * 2 ** attempt, 15 * MINUTE);
    // The order plans the next attempt when it hears of the failure. Before, its alarm is due in 10 s or less.
    await expect
      .poll(() => alarmIn(orderObject(order)))
      .toSatisfy((ms) => ms > (attempt === 0 ? 0 : longest / 2) && ms <= longest);
    await advance((await alarmIn(orderObject(order))) ?? 0);
    await runDurableObjectAlarm(orderObject(order));
  }
  save.mockRestore();
  await runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => history().findOrder(order)).toMatchObject({amount: '200.00'});
});

test('if a summary is the same again after one that failed, the order does not try again without end', async () => {
  const {order} = await openWantedOrder();
  await orderObject(order).amend(15_000, {});
  await replaceSave(() => Promise.reject(new Error()));
  await orderObject(order).amend(20_000, {});
  await expect.poll(() => alarmIn(orderObject(order))).toBeLessThanOrEqual(10 * SECOND);
  await replaceSave(null);
  await orderObject(order).amend(15_000, {});
  await advance(10 * SECOND);
  const alarmAfterRun = async () => {
    await runDurableObjectAlarm(orderObject(order));
    return alarmIn(orderObject(order));
  };
  await expect.poll(alarmAfterRun).toBeGreaterThan(DAY);
});

test('a history that fails and then hangs does not wake the order again and again', async () => {
  const {order} = await openWantedOrder();
  await replaceSave(() => Promise.reject(new Error()));
  await orderObject(order).amend(20_000, {});
  await expect.poll(() => alarmIn(orderObject(order))).toBeLessThanOrEqual(10 * SECOND);
  const answer = Promise.withResolvers<undefined>();
  let calls = 0;
  await replaceSave(() => ((calls += 1), answer.promise));
  await advance(10 * SECOND);
  const alarm = runDurableObjectAlarm(orderObject(order));
  await expect.poll(() => calls).toBe(1);
  await advance(HOUR);
  await orderObject(order).amend(25_000, {});
  expect([calls, await alarmIn(orderObject(order))]).toEqual([1, null]);
  await replaceSave(null);
  answer.resolve(undefined);
  await alarm;
  expect(await history().findOrder(order)).toMatchObject({amount: '250.00'});
});

test('an order that closes while the history cannot be reached stays until the history has its summary', async () => {
  const {order} = await openWantedOrder();
  const at = Date.now();
  await advance(20 * DAY);
  await replaceSave(() => Promise.reject(new Error()), at);
  await runDurableObjectAlarm(orderObject(order));
  expect(await isStored(orderObject(order))).toBe(true);
  await replaceSave(null, at);
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await isStored(orderObject(order))).toBe(false);
  expect(await history(at).findOrder(order)).toMatchObject({state: 'expired'});
});

test('an order can be read for 400 days after its last change, and is deleted within another 130 days', async () => {
  const at = Date.now();
  await history().saveOrder(summaryOf('S-2'), at);
  await advance(400 * DAY - MINUTE);
  expect(await history(at).findOrder('S-2')).toMatchObject({order: 'S-2'});
  await advance(2 * MINUTE);
  expect(await history(at).findOrder('S-2')).toBeNull();
  expect(
    await history(at).listOrders({day: new Date(at).toISOString().slice(0, 10), state: null, after: '', limit: 9}),
  ).toEqual([]);
  const left = (await alarmIn(history(at))) ?? 0;
  expect(left).toBeLessThan(130 * DAY);
  await advance(left);
  await runDurableObjectAlarm(history(at));
  expect(await isStored(history(at))).toBe(false);
});

test('the history has no sender of a transfer and no user id of the merchant', async () => {
  const order = 'S-7';
  const made = await askMerchant('order-codes', {service: 'DEMO', order, amount: '149.90', user_id: 'customer-4417'});
  const {order_code: code} = made.body as {order_code: string};
  await pay({order_code: code, sender: 'Deniz Örnek'});
  await runSweep();
  await expect.poll(() => history().findOrder(order)).toMatchObject({state: 'paid'});
  const stored = JSON.stringify(await storedIn(history()));
  expect(stored).toContain(order);
  for (const person of ['Deniz', 'customer-4417']) expect(stored).not.toContain(person);
});
