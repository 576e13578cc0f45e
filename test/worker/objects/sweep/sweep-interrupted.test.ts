/** Sweeps that are interrupted, and orders that cannot be reached. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {addTransactions, openBusyService, SEARCH, searches, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND, wireTime} from '../../support/clock.ts';
import {
  alarmIn,
  breakMethod,
  breakOrder,
  mendMethod,
  mendOrder,
  orderObject,
  renewToken,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openOrder, type Shopper, showPayment} from '../../support/page.ts';
import {control, hold, pay, release, setFault, untilHeld} from '../../support/sandbox.ts';

freshWorker();

const GET = '/transaction/get';
const thisMonth = () => formatMonth(Date.now());
const books = () => contextOf(env).objects.books('DEMO', thisMonth());
/** Makes the books unreadable for the sweep. */
const breakBooks = () => breakMethod(books(), 'bookingsOfMoney');
const mendBooks = () => mendMethod(books(), 'bookingsOfMoney');
/** Lets an order lose no money. */
const breakRemoval = (order: string) => breakMethod(orderObject(order), 'removeArrival');
const mendRemoval = (order: string) => mendMethod(orderObject(order), 'removeArrival');

const statesOf = async (...[first, second]: readonly [Shopper, Shopper]) => [
  await stateOf(first.token),
  await stateOf(second.token),
];

/** Two orders whose pages are open. */
async function openPair(): Promise<readonly [Shopper, Shopper]> {
  const pair = [await openOrder(), await openOrder()] as const;
  for (const {token} of pair) await showPayment(token);
  return pair;
}

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
  await serviceObject().deliverTransfer('DEMO', {...record, askedAt: Date.now(), isListed: true});
  await mendOrder(order);
  await advance(HOUR);
  await runSweep();
  expect((await showPayment(token)).transactions).toMatchObject([{at: firstReadAt, time_unknown: true}]);
});

/** Runs a sweep of which only what waits is delivered: the list cannot be read. */
async function retryOnly(): Promise<void> {
  await setFault({operation: SEARCH, kind: '500-html'});
  await advance(30 * SECOND);
  await runSweep();
  await control('faults');
}
const bookedRows = async (id: string) =>
  (await books().bookingsOfMoney(thisMonth(), [id])).map(({type, order}) => [type, order]).toSorted();

/** Assigns a transfer to an order, which reads it at once. */
async function assign(id: string, {order, code}: Shopper): Promise<void> {
  const before = (await bookedRows(id)).length;
  await control(`transfers/${id}/assign`, {order_code: code});
  await advance(SECOND);
  expect(await orderObject(order).handleHint(id)).toBe('accepted');
  await expect.poll(async () => (await bookedRows(id)).length).toBeGreaterThan(before);
}

describe('of what was read at different times, the newest counts', () => {
  test('money that an order has read itself is not taken away because it was listed without an order before', async () => {
    const shopper = await openOrder();
    await showPayment(shopper.token);
    const id = await pay({description: 'lamba'});
    await breakBooks();
    await runSweep();
    expect(logLines('history_waiting')).toMatchObject([{service: 'DEMO', rows: 1}]);
    await mendBooks();
    await assign(id, shopper);
    await retryOnly();
    expect(await showPayment(shopper.token)).toMatchObject({state: 'paid', transactions: [{id}]});
    await advance(MINUTE);
    await runSweep();
    expect(await showPayment(shopper.token)).toMatchObject({state: 'paid', transactions: [{id}]});
    expect(await serviceObject().countUndelivered()).toBe(0);
  });

  test('money that was listed for one order and then read by another belongs to the other one', async () => {
    const [first, second] = await openPair();
    await breakOrder(first.order);
    const id = await pay({order_code: first.code});
    await runSweep();
    await mendOrder(first.order);
    await assign(id, second);
    await retryOnly();
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
    await advance(MINUTE);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
    await expect.poll(() => bookedRows(id)).toEqual([['money.arrived', second.order]].toSorted());
  });

  test('money that waits is as old as the list that named its order, not as the first one', async () => {
    const [first, second] = await openPair();
    const id = await pay({description: 'lamba'});
    await breakBooks();
    await runSweep();
    await mendBooks();
    await assign(id, first);
    await control(`transfers/${id}/assign`, {order_code: second.code});
    await breakRemoval(first.order);
    await advance(30 * SECOND);
    await runSweep();
    await mendRemoval(first.order);
    await retryOnly();
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
  });

  test('an order that has read its money again keeps it, although a list named another order in between', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await control(`transfers/${id}/assign`, {order_code: second.code});
    await breakRemoval(first.order);
    await advance(3 * SECOND);
    await runSweep();
    await mendRemoval(first.order);
    await control(`transfers/${id}/assign`, {order_code: first.code});
    await advance(SECOND);
    expect(await orderObject(first.order).handleHint(id)).toBe('accepted');
    await retryOnly();
    expect(await statesOf(first, second)).toEqual(['paid', 'waiting']);
  });

  test('an order that an earlier try gave the money loses it when another order has read it since', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await control(`transfers/${id}/assign`, {order_code: second.code});
    await breakBooks();
    await advance(3 * SECOND);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
    await mendBooks();
    await assign(id, first);
    await retryOnly();
    expect(await statesOf(first, second)).toEqual(['paid', 'waiting']);
    await advance(MINUTE);
    await runSweep();
    expect(await statesOf(first, second)).toEqual(['paid', 'waiting']);
    expect(await serviceObject().countUndelivered()).toBe(0);
  });

  test('a late record of money that is older than its order gives it nothing that another order has read since', async () => {
    const first = await openOrder();
    await showPayment(first.token);
    const id = await pay({order_code: first.code});
    await runSweep();
    await advance(5 * MINUTE);
    const second = await openOrder();
    await showPayment(second.token);
    await runSweep();
    await control(`transfers/${id}/assign`, {order_code: second.code});
    await hold(GET, {after: true});
    const late = orderObject(second.order).handleHint(id);
    await untilHeld();
    await control(`transfers/${id}/assign`, {order_code: first.code});
    await advance(SECOND);
    expect(await orderObject(first.order).handleHint(id)).toBe('accepted');
    await release(GET);
    await late;
    expect(await statesOf(first, second)).toEqual(['paid', 'waiting']);
  });

  test('an order that is tracked again loses money that a list shows without an order', async () => {
    const {token, order, code} = await openOrder();
    await showPayment(token);
    const id = await pay({order_code: code});
    await runSweep();
    await serviceObject().trackOrder('DEMO', {order, code, registeredAt: Date.now(), closesAt: Date.now() + DAY});
    await advance(SECOND);
    const bank = {bank_name: 'Garanti BBVA', bank_code: 'garanti', transaction_date: wireTime(), create_time: null};
    const names = {order_refno: null, code: null, user_name: null, remote_description: null};
    const record = {id, amount: '149.90', currency: 'TL', ...bank, ...names, status: null};
    await serviceObject().deliverTransfer('DEMO', {...record, askedAt: Date.now(), isListed: true});
    expect(await stateOf(token)).toBe('waiting');
  });

  test('the time of the last search that a page shows does not go back', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    await breakRemoval(first.order);
    await control(`transfers/${id}/assign`, {order_code: second.code});
    await advance(3 * SECOND);
    await runSweep();
    await advance(HOUR);
    await runSweep();
    const {as_of: before} = await showPayment(first.token);
    await mendRemoval(first.order);
    await retryOnly();
    expect(Date.parse((await showPayment(first.token)).as_of)).toBeGreaterThanOrEqual(Date.parse(before));
  });
});

/** Lets an order receive money, and loses its answer. */
const loseAnswers = (order: string) =>
  runInDurableObject(orderObject(order), (object) => {
    const receive = object.receiveArrivals.bind(object);
    object.receiveArrivals = async (...money) => {
      await receive(...money);
      throw new Error('lost');
    };
  });
const matchTo = async (id: string, {code}: Shopper) => {
  await control(`transfers/${id}/assign`, {order_code: code});
  await advance(3 * SECOND);
};

describe('money that staff match to a different order moves there', () => {
  test.each([false, true])('from an order that a sweep gave it; its answer was lost: %s', async (isLost) => {
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
    expect(await bookedRows(id)).toContainEqual(['money.withdrawn', first.order]);
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

  test('from each order that may have got it, although none of the two answered', async () => {
    const [first, second] = await openPair();
    const third = await openOrder();
    await showPayment(third.token);
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
    await advance(MINUTE);
    await runSweep();
    expect([...(await statesOf(first, second)), await stateOf(third.token)]).toEqual(['waiting', 'waiting', 'paid']);
  });
});

test('an order that no sweep knows yet gets the money that it has read itself', async () => {
  const {token, order, code} = await openOrder();
  await showPayment(token);
  await runInDurableObject(serviceObject(), (_object, {storage}) => {
    storage.sql.exec('DELETE FROM tracked');
  });
  const id = await pay({order_code: code});
  expect(await orderObject(order).handleHint(id)).toBe('accepted');
  expect(await showPayment(token)).toMatchObject({state: 'paid', transactions: [{id}]});
});

/** @returns how many searches the next sweep makes. */
async function searchesLater(): Promise<number> {
  await advance(3 * SECOND);
  return searches();
}

test('money that an order has read itself counts as known when a long list shows it', async () => {
  const {token, order, code} = await openBusyService();
  await showPayment(token);
  await searchesLater();
  const before = await searchesLater();
  const id = await pay({order_code: code});
  expect(await orderObject(order).handleHint(id)).toBe('accepted');
  expect([await searchesLater(), await searchesLater()]).toEqual([before, before]);
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
