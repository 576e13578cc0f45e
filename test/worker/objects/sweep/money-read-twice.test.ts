/** Transfers of which lists, notifications and status checks say different things at different times. */

import {runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {describe, expect, test, vi} from 'vitest';
import {OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {openBusyService, SEARCH, searches, stateOf} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {
  breakOrder,
  mendMethod,
  mendOrder,
  orderObject,
  replaceBindings,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {askAsPage, openOrder, openSession, read, showPayment} from '../../support/page.ts';
import {control, hold, pay, release, setFault, untilHeld} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';
import {
  assign,
  bookedRows,
  books,
  breakBooks,
  breakRemoval,
  matchTo,
  mendBooks,
  mendRemoval,
  openPair,
  retryOnly,
  statesOf,
} from './moved-money.ts';

freshWorker();

const GET = '/transaction/get';

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
    await expect.poll(() => bookedRows(id)).toEqual([['money.arrived', second.order]]);
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
    await serviceObject().deliverTransfer('DEMO', {...record, askedAt: Date.now()});
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

/** Changes what the platform answers of transactions. */
function changeAnswers(change: (url: string, body: {data?: object[]; transaction?: object}) => void): void {
  const realFetch = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const answer = await realFetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes('/transaction/')) return answer;
    const body = (await answer.json()) as {data?: object[]};
    change(url, body);
    return Response.json(body);
  });
}

/** The events of these orders. */
const eventsOf = async (...orders: readonly string[]) =>
  (await outboxObject().read(0)).items.flatMap(({type, data}) =>
    'order' in data && orders.includes(String(data.order)) ? [`${type} ${orders.indexOf(String(data.order))}`] : [],
  );

describe('a list that repeats itself is no news, although an order has read otherwise since', () => {
  const NAMELESS = {order_refno: null, code: null};
  test.each([
    ['and showed the transfer before', true],
    ['and shows the transfer for the first time', false],
  ])('it names no order %s', async (_, isListed) => {
    const shopper = await openOrder();
    await showPayment(shopper.token);
    const id = await pay({description: 'lamba'});
    if (isListed) await runSweep();
    let lags = true;
    changeAnswers((_url, {data = []}) => {
      if (lags) for (const row of data) Object.assign(row, NAMELESS);
    });
    await control(`transfers/${id}/assign`, {order_code: shopper.code});
    await advance(SECOND);
    expect(await orderObject(shopper.order).handleHint(id)).toBe('accepted');
    for (const still of [true, true, false]) {
      lags = still;
      await advance(3 * SECOND);
      await runSweep();
      expect(await stateOf(shopper.token)).toBe('paid');
    }
    expect(await eventsOf(shopper.order)).toEqual(['payment.received 0']);
  });

  test('it names the order that had the money before', async () => {
    const [first, second] = await openPair();
    const id = await pay({order_code: first.code});
    await runSweep();
    let lags = true;
    changeAnswers((_url, {data = []}) => {
      if (lags) for (const row of data) Object.assign(row, {order_refno: first.order, code: first.code});
    });
    await matchTo(id, second);
    expect(await orderObject(second.order).handleHint(id)).toBe('accepted');
    for (const still of [true, true, false]) {
      lags = still;
      await advance(3 * SECOND);
      await runSweep();
      expect(await statesOf(first, second)).toEqual(['waiting', 'paid']);
    }
    const events = await eventsOf(first.order, second.order);
    expect(events.toSorted()).toEqual(['payment.received 0', 'payment.received 1', 'payment.withdrawn 0']);
  });

  test('an order keeps money that lists show as its own, although records name an order that nobody knows', async () => {
    const {token, order, code} = await openOrder();
    await showPayment(token);
    changeAnswers((_url, {transaction}) => {
      if (transaction) Object.assign(transaction, {order_refno: 'ELSEWHERE-1', code: null});
    });
    await pay({order_code: code});
    for (let minutes = 0; minutes < 30; minutes += 10) {
      await runSweep();
      await runDurableObjectAlarm(orderObject(order));
      expect(await stateOf(token)).toBe('paid');
      await advance(10 * MINUTE);
    }
  });
});

/** Lets a method wait until it is released. */
async function pauseMethod(stub: DurableObjectStub, name: string) {
  const state = {isAsked: false, isFree: false};
  await runInDurableObject(stub, (object) => {
    const methods = object as unknown as Record<string, (...args: unknown[]) => unknown>;
    const real = methods[name]?.bind(object);
    methods[name] = async (...args) => {
      state.isAsked = true;
      await vi.waitUntil(() => state.isFree, {timeout: 60_000, interval: 5});
      return real?.(...args);
    };
  });
  return {untilAsked: () => expect.poll(() => state.isAsked).toBe(true), go: () => (state.isFree = true)};
}

test('an order that is tracked while a sweep asks the books gets its money with the next try', async () => {
  await showPayment((await openOrder()).token);
  const id = await pay({description: 'lamba'});
  await runSweep();
  // The sweep does not know the code of an order whose page has not opened its payment.
  const {token} = await openSession();
  const {order_code: code} = read(await askAsPage('POST', '/v1/order-code', {token}), OrderCode);
  await control(`transfers/${id}/assign`, {order_code: code});
  const paused = await pauseMethod(books(), 'bookingsOfMoney');
  await advance(3 * SECOND);
  const sweep = runSweep();
  await paused.untilAsked();
  await showPayment(token);
  paused.go();
  await sweep;
  await mendMethod(books(), 'bookingsOfMoney');
  await advance(MINUTE);
  await runSweep();
  expect(await stateOf(token)).toBe('paid');
});

test('a notification that waits for the service does not overwrite a newer status', async () => {
  const [{token, order, code}, other] = await openPair();
  for (const object of [orderObject(order), serviceObject()]) await replaceBindings(object, {PAID_STATUSES: '3 8'});
  const id = await pay({order_code: code});
  await control(`transfers/${id}/status`, {status: 5});
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
  expect(await stateOf(token)).toBe('pending');
  await advance(20 * SECOND);
  const paused = await pauseMethod(orderObject(other.order), 'receiveArrivals');
  await pay({order_code: other.code});
  const sweep = runSweep();
  await paused.untilAsked();
  await hold(GET, {after: true});
  const hint = orderObject(order).handleHint(id);
  await untilHeld();
  await release(GET);
  await advance(MINUTE);
  await control(`transfers/${id}/status`, {status: 3});
  await runDurableObjectAlarm(orderObject(order));
  paused.go();
  await sweep;
  expect(await hint).toBe('accepted');
  expect(await stateOf(token)).toBe('paid');
});

test('money that was first shown without an amount arrives when a notification tells it', async () => {
  const {token, order, code} = await openOrder();
  await showPayment(token);
  const id = await pay({order_code: code});
  const bank = {bank_name: 'Garanti BBVA', bank_code: 'garanti', transaction_date: wireTime(), create_time: null};
  const names = {order_refno: order, code, user_name: null, remote_description: null};
  const shown = {id, amount: '0.00', currency: 'TL', ...bank, ...names, status: null, askedAt: Date.now()};
  await serviceObject().deliverTransfer('DEMO', shown);
  await advance(3 * SECOND);
  expect(await orderObject(order).handleHint(id)).toBe('accepted');
  expect(await stateOf(token)).toBe('paid');
});

test('the time of the last search that a page shows does not move with a notification or with another try', async () => {
  const [first, second] = await openPair();
  await runSweep();
  const {as_of: before} = await showPayment(first.token);
  await setFault({operation: SEARCH, kind: '500-html'});
  await advance(HOUR);
  const id = await pay({order_code: first.code, amount: '1.00'});
  expect(await orderObject(first.order).handleHint(id)).toBe('accepted');
  expect(await showPayment(first.token)).toMatchObject({state: 'partial', as_of: before});
  await breakOrder(second.order);
  const other = await pay({order_code: second.code});
  await control('faults');
  const searched = wireTime();
  await runSweep();
  await mendOrder(second.order);
  await advance(MINUTE);
  await retryOnly();
  expect(await showPayment(second.token)).toMatchObject({state: 'paid', as_of: searched, transactions: [{id: other}]});
});
