/** Tests the history: what happened to an order stays readable for 400 days. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, onTestFinished, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth, formatPlatformDay} from '../../../../worker/lib/time.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import {NO_DETAILS} from '../../../../worker/objects/archive/booking.ts';
import type {OrderSummary} from '../../../../worker/objects/archive/order-history-store.ts';
import {advance, DAY, MINUTE, SECOND} from '../../support/clock.ts';
import {amendOrder, alarmIn, isStored, orderObject, runSweep} from '../../support/durable-objects.ts';
import {notice} from '../../support/events.ts';
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

const save = async (order: OrderSummary, at: number, month = formatMonth(order.createdAt)): Promise<void> => {
  await contextOf(env).objects.archivedOrders('DEMO', month).saveOrders([{order, at}]);
};

/** How many rows these calls read or write. */
const rowsBy = (kind: 'rowsRead' | 'rowsWritten', call: (object: Archive) => unknown): Promise<number> =>
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
  await save(summaryOf('first'), Date.now());
  const waiting = summaryOf('second');
  const paid = {...waiting, state: 'paid', paid: '149.90', remaining: '0.00'} as const;
  expect(await rowsBy('rowsWritten', (object) => object.saveOrders([{order: waiting, at: Date.now()}]))).toBe(2);
  expect(await rowsBy('rowsWritten', (object) => object.saveOrders([{order: paid, at: Date.now() + 1}]))).toBe(1);
  expect(await rowsBy('rowsWritten', (object) => object.saveOrders([{order: paid, at: Date.now() + MINUTE}]))).toBe(0);
});

test('an older summary that arrives late does not replace a newer summary', async () => {
  const waiting = summaryOf('S-1');
  const now = Date.now();
  await save({...waiting, state: 'paid'}, now);
  await save(waiting, now - 1);
  expect(await history().findOrder('S-1')).toMatchObject({state: 'paid', states: [{state: 'paid', at: now}]});
});

const names = (orders: readonly OrderSummary[]) => orders.map(({order}) => order);

test('a page of three orders reads fewer than ten rows, and the list skips orders that are too old to be read', async () => {
  const now = Date.now();
  for (let number = 100; number < 400; number += 1)
    await save(summaryOf(`S-${number}`, {state: number % 2 === 0 ? 'waiting' : 'paid'}), now);
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
  await save(summaryOf('S-103', {createdAt: now, state: 'refunded'}), Date.now());
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

/** Replaces the method that takes what happened; null restores the method. */
const replaceRecord = (record: (() => Promise<void>) | null, at = Date.now()): Promise<void> =>
  runInDurableObject(history(at), (object) => {
    if (record) Object.defineProperty(object, 'saveOrders', {configurable: true, value: record});
    else Reflect.deleteProperty(object, 'saveOrders');
  });

test('a history that does not answer delays no order code and no payment event', async () => {
  await openOrder();
  const answer = Promise.withResolvers<undefined>();
  await replaceRecord(() => answer.promise);
  const {order, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  expect((await outboxObject().read(0)).items).toMatchObject([{type: 'payment.received', data: {order}}]);
  await replaceRecord(null);
  answer.resolve(undefined);
});

/** Lets what the archive gets wait, if it is meant. @returns what lets it go on. */
function holdArchive(isMeant: (...args: Parameters<Archive['book']>) => boolean = () => true): () => void {
  const {promise: released, resolve} = Promise.withResolvers<void>();
  const {book} = Archive.prototype;
  const slow = vi.spyOn(Archive.prototype, 'book').mockImplementation(async function (
    this: Archive,
    ...args: Parameters<typeof book>
  ) {
    if (isMeant(...args)) await released;
    return book.apply(this, args);
  } as unknown as typeof book);
  onTestFinished(() => slow.mockRestore());
  return resolve;
}

test('what the outbox has for the archive is passed on again if the process dies before the archive has it', async () => {
  const {order} = await openWantedOrder();
  await expect.poll(() => history().findOrder(order)).toMatchObject({state: 'waiting'});
  holdArchive();
  await orderObject(order).cancel();
  const near = (await alarmIn(outboxObject())) ?? Infinity;
  expect(near).toBeLessThanOrEqual(10 * SECOND);
  vi.restoreAllMocks();
  await abortAllDurableObjects();
  await advance(near);
  await runDurableObjectAlarm(outboxObject());
  expect(await history().findOrder(order)).toMatchObject({state: 'cancelled'});
});

test('who waits until the archive has everything does not wait for what is handed over meanwhile', async () => {
  let count = 0;
  const handOver = () => {
    const snapshot = {...summaryOf(`S-${(count += 1)}`), at: Date.now(), service: 'DEMO', userId: null};
    const entry = {...NO_DETAILS, id: `entry ${count}`, what: 'order.noted', at: 0, snapshot, isKept: true} as const;
    return outboxObject().receive('DEMO', [entry]);
  };
  const {saveOrders} = Archive.prototype;
  const busy = vi.spyOn(Archive.prototype, 'saveOrders').mockImplementation(async function (
    this: Archive,
    ...args: Parameters<typeof saveOrders>
  ) {
    if (count < 50) await handOver();
    return saveOrders.apply(this, args);
  } as unknown as typeof saveOrders);
  onTestFinished(() => busy.mockRestore());
  await handOver();
  await outboxObject().settle('DEMO');
  expect(count).toBeLessThan(10);
  expect(await history().findOrder('S-1')).not.toBeNull();
  await expect.poll(() => count).toBe(50);
});

test('an archive that took a hand-over too late does not bring back what was removed meanwhile', async () => {
  const page = {reference: 'Onpage'};
  const at = Date.now();
  await save(summaryOf('S-1', {page}), at);
  await history().forgetPages(['S-1']);
  await save(summaryOf('S-1', {page}), at);
  expect((await history().findOrder('S-1'))?.page).not.toMatchObject(page);
});

test('while the archive cannot be reached, the outbox calls it less and less often, whatever orders hand over', async () => {
  const {order} = await openWantedOrder();
  await expect.poll(() => history().findOrder(order)).toMatchObject({state: 'waiting'});
  const record = vi.spyOn(Archive.prototype, 'saveOrders').mockImplementation(() => {
    throw new Error();
  });
  onTestFinished(() => record.mockRestore());
  await amendOrder(order, 20_000);
  await expect.poll(() => record).toHaveBeenCalledTimes(1);
  for (let attempt = 1; attempt < 9; attempt += 1) {
    await amendOrder(order, 20_000 + attempt);
    const due = (await alarmIn(outboxObject())) ?? Infinity;
    expect(due).toBeLessThanOrEqual(Math.min(10 * SECOND * 2 ** (attempt - 1), 15 * MINUTE));
    await advance(due);
    await runDurableObjectAlarm(outboxObject());
    expect(record).toHaveBeenCalledTimes(attempt + 1);
  }
  record.mockRestore();
  await advance((await alarmIn(outboxObject())) ?? 0);
  await runDurableObjectAlarm(outboxObject());
  expect(await history().findOrder(order)).toMatchObject({amount: '200.08'});
});

test('money that a search finds at once reaches the books, however much it is: no row is larger than two megabytes', async () => {
  const [at, description] = [Date.now(), 'x'.repeat(300)];
  const entries = Array.from({length: 5000}, (_, index) =>
    Object.assign({id: `unmatched T-${index}`, what: 'money.unmatched', at} as const, NO_DETAILS, {
      description,
      amount: 100,
      bank: 'Örnek Bank',
      method: 'transfer',
      transaction: `T-${index}`,
    } as const),
  );
  const release = holdArchive();
  await outboxObject().receive('MANY', entries);
  const largest = await runInDurableObject(outboxObject(), (_object, {storage}) =>
    storage.sql.exec<{bytes: number}>('SELECT max(octet_length(entries)) AS bytes FROM passing').one(),
  );
  expect(largest.bytes).toBeLessThan(2_000_000);
  release();
  await outboxObject().settle('MANY');
  const day = Number(formatPlatformDay(at).slice(8));
  const {totals} = await contextOf(env).objects.books('MANY', formatMonth(at)).sumsOf(day);
  expect(totals).toMatchObject([{type: 'money.unmatched', count: 5000}]);
});

test('what waits for the archive is only what the archive keeps', async () => {
  const [at, userId] = [Date.now(), 'u-1'];
  const snapshot = {...summaryOf('S-3'), at, service: 'DEMO', userId};
  const entry = {...NO_DETAILS, id: '1 0', at, order: 'S-3', userId};
  const told = {snapshot, tells: 'payment.overpaid'} as const;
  const book = vi.spyOn(Archive.prototype, 'book').mockImplementation(() => {
    throw new Error();
  });
  onTestFinished(() => book.mockRestore());
  await outboxObject().receive('DEMO', [
    {...entry, ...told, what: 'order.placed', isKept: true},
    {...entry, ...told, what: 'order.changed', id: '1 1'},
    {...entry, what: 'order.noted', id: '1 2', report: notice('S-3')},
  ]);
  const rows = await runInDurableObject(outboxObject(), (_object, {storage}) =>
    storage.sql.exec<{entries: string}>('SELECT entries FROM passing').toArray(),
  );
  expect(rows.map(({entries}) => JSON.parse(entries) as unknown)).toEqual([
    [
      [
        {...entry, type: 'order.placed'},
        {order: summaryOf('S-3'), at},
      ],
      [{...entry, type: 'order.changed', id: '1 1'}, null],
    ],
  ]);
});

test('an archive that does not answer delays that of no other service', async () => {
  await openWantedOrder();
  const release = holdArchive((_month, bookings) => bookings.some(({due}) => due === 20_000));
  const slow = await openWantedOrder();
  await amendOrder(slow.order, 20_000);
  const entry = {
    ...NO_DETAILS,
    id: '1 0',
    what: 'order.placed',
    at: Date.now(),
    order: 'S-2',
    state: 'waiting',
  } as const;
  await outboxObject().receive('OTHER', [entry]);
  const other = contextOf(env).objects.books('OTHER', formatMonth(Date.now()));
  await expect.poll(() => other.bookingsOf(formatMonth(Date.now()), 'S-2')).toMatchObject([{id: '1 0'}]);
  release();
});

test('an order that closes while the archive cannot be reached is in the archive later', async () => {
  const {order} = await openWantedOrder();
  const at = Date.now();
  await expect.poll(() => history(at).findOrder(order)).toMatchObject({state: 'waiting'});
  await advance(20 * DAY);
  await replaceRecord(() => Promise.reject(new Error()), at);
  await runDurableObjectAlarm(orderObject(order));
  expect(await isStored(orderObject(order))).toBe(false);
  await replaceRecord(null, at);
  await advance(10 * SECOND);
  await runDurableObjectAlarm(outboxObject());
  await expect.poll(() => history(at).findOrder(order)).toMatchObject({state: 'expired'});
});

test('an order can be read for 400 days after its last change, and is deleted within another 130 days', async () => {
  const at = Date.now();
  await save(summaryOf('S-2'), at);
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
  const stored = JSON.stringify(
    await runInDurableObject(history(), (_object, {storage}) => storage.sql.exec('SELECT * FROM orders').toArray()),
  );
  expect(stored).toContain(order);
  for (const person of ['Deniz', 'customer-4417']) expect(stored).not.toContain(person);
});
