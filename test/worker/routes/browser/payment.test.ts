/** GET /v1/payment: the state of a payment, and what an order does while it waits for money. */

import {evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, isStored, orderObject, renewToken, replaceBindings, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {askAsPage, openOrder, openSession, showPayment, waitingPayment} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {callPlatform, calls, callsDuring, countCalls, pay, setFault} from '../../support/sandbox.ts';

freshWorker();

test('before the order code exists the payment is waiting and names the seller, and the platform is not called', async () => {
  const {token, order} = await openSession();
  expect(await showPayment(token)).toEqual(waitingPayment(order, null));
  expect(await calls()).toEqual([]);
});

test('a payment shows arrived money after the next sweep', async () => {
  const {token, order, code} = await openOrder();
  const openedAt = Date.now();
  expect(await showPayment(token)).toEqual(waitingPayment(order, code));
  const at = platformTime();
  const id = await pay({order_code: code, sender: 'Ayşe Yılmaz', at});
  await advance(3 * SECOND);
  expect(await showPayment(token)).toEqual(waitingPayment(order, code, openedAt));
  await runSweep();
  expect(await showPayment(token)).toEqual({
    ...waitingPayment(order, code),
    state: 'paid',
    paid: '149.90',
    refunded: '0.00',
    refunding: '0.00',
    remaining: '0.00',
    transactions: [{id, amount: '149.90', currency: 'TRY', bank: 'Garanti BBVA', at: wireTime(openedAt)}],
  });
});

test('several transfers add up, from partial to paid to overpaid', async () => {
  const {token, code} = await openOrder();
  for (const [amount, state, paid, remaining] of [
    ['49.90', 'partial', '49.90', '100.00'],
    ['100.00', 'paid', '149.90', '0.00'],
    ['0.01', 'overpaid', '149.91', '0.00'],
  ] as const) {
    await pay({order_code: code, amount});
    await runSweep();
    expect(await showPayment(token)).toMatchObject({state, paid, remaining, late: false});
  }
});

test('a page shows money of an order whose code was lost on its way', async () => {
  const {token, order} = await openSession();
  await setFault({operation: '/orderToReference/create', kind: 'malformed', times: 1, after: true});
  await setFault({operation: '/orderToReference/check', kind: '500-html'});
  expect((await askAsPage('POST', '/v1/order-code', {token, body: {}})).status).toBe(503);
  await setFault({operation: '/orderToReference/check', kind: 'clear'});
  const {order: code} = await callPlatform('/orderToReference/check', {code: 'DEMO', order});
  await pay({order_code: String(code), amount: '49.90'});
  await advance(MINUTE);
  await runDurableObjectAlarm(orderObject(order));
  await runSweep();
  expect(await showPayment(token)).toMatchObject({
    state: 'partial',
    paid: '49.90',
    remaining: '100.00',
    order_code: null,
    transactions: [{amount: '49.90'}],
  });
});

test('an unpaid order expires, and money that arrives afterwards is late', async () => {
  const {token, code, order} = await openOrder();
  await advance(72 * HOUR - SECOND);
  expect(await showPayment(token)).toMatchObject({state: 'waiting'});
  await advance(SECOND);
  expect(await showPayment(token)).toMatchObject({state: 'expired', late: false});
  await advance(DAY);
  await pay({order_code: code, at: platformTime()});
  await runSweep();
  expect(await showPayment(token)).toMatchObject({state: 'paid', late: true});
  await evictDurableObject(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'paid', late: true, as_of: wireTime()});
});

test('an order deletes its data when no session can read it any more', async () => {
  const {token, order} = await openOrder();
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(orderObject(order))).toBe(6 * MINUTE);
  await advance(7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await isStored(orderObject(order))).toBe(false);
  expect(await alarmIn(orderObject(order))).toBeNull();
  expectProblem(await askAsPage('GET', '/v1/payment', {token}), PROBLEMS.session_expired);
});

/** Opens an order and pays it with one transfer. */
async function openPaidOrder() {
  const shopper = await openOrder();
  const id = await pay({order_code: shopper.code});
  await runSweep();
  return {...shopper, id};
}

/** Runs the order's alarms until it closes. @returns the times of its checks of the money's status, in ms from now. */
async function runUntilClosed(order: string): Promise<number[]> {
  const start = Date.now();
  const checks: number[] = [];
  for (let delay = await alarmIn(orderObject(order)); delay !== null; delay = await alarmIn(orderObject(order))) {
    await advance(delay);
    await renewToken();
    if ((await callsDuring('/transaction/get', () => runDurableObjectAlarm(orderObject(order)))) > 0)
      checks.push(Date.now() - start);
  }
  return checks;
}

test('an order checks the status of its money seven times until it closes, with growing delays', async () => {
  const {order, id} = await openPaidOrder();
  const checks = [0, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 4 * DAY];
  const sums = checks.map((_, index) => checks.slice(0, index + 1).reduce((sum, delay) => sum + delay, 0));
  expect(await runUntilClosed(order)).toEqual(sums);
  expect((await calls('/transaction/get')).map(({params}) => params)).toEqual(Array.from({length: 7}, () => ({id})));
});

test('more money is checked alone, and each refund has all money checked once more', async () => {
  const {order, code, id} = await openPaidOrder();
  for (let count = 0; count < 12; count += 1) {
    await advance(HOUR);
    await renewToken();
    if (count === 9) await pay({order_code: code, amount: '1.00'});
    await runSweep();
    await orderObject(order).receiveRefund({id: `${count}`, amount: 100, transactionId: id});
    await runDurableObjectAlarm(orderObject(order));
  }
  await runUntilClosed(order);
  const reads = (await calls('/transaction/get')).map(({params}) => params['id']);
  // Twelve times with a refund, and at the two times that follow.
  expect(reads.filter((read) => read === id)).toHaveLength(15);
  expect(reads).toHaveLength(21);
});

test.each(['completed', 'refunded'])('the money of a %s order is not checked again', async (end) => {
  const {order, id} = await openPaidOrder();
  await runDurableObjectAlarm(orderObject(order));
  if (end === 'completed') await orderObject(order).markCompleted(null);
  else await orderObject(order).receiveRefund({id: '1', amount: 14990, transactionId: id});
  expect(await runUntilClosed(order)).toEqual([]);
  expect(await countCalls('/transaction/get')).toBe(1);
  expect(await countCalls('/refund/getByOrder')).toBe(0);
});

test('money that the platform refunded no longer counts as paid', async () => {
  const {order, token} = await openPaidOrder();
  await replaceBindings(orderObject(order), {PLATFORM_STATUSES: {transaction: {'3': 'refunded'}}});
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({
    state: 'refunded',
    paid: '0.00',
    refunded: '149.90',
    remaining: '0.00',
    transactions: [{amount: '149.90'}],
  });
});

/** Makes amounts unreadable in the platform's lists, but not in replies for a single transaction. */
function garbleListedAmounts() {
  const originalFetch = globalThis.fetch;
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await originalFetch(input, init);
    const text = await response.text();
    return new Response(
      String(input).endsWith('/transaction/search')
        ? text.replaceAll(/"amount":"?149\.90"?/g, '"amount":"149,90 TL"')
        : text,
      response,
    );
  });
}

test('money with an unreadable amount makes the payment unclear until the amount can be read', async () => {
  const {order, token, code} = await openOrder();
  const id = await pay({order_code: code});
  garbleListedAmounts();
  await runSweep();
  expect(await showPayment(token)).toEqual({...waitingPayment(order, code), unclear: true});
  expect(logLines('transaction_unreadable')).toMatchObject([
    {level: 'error', event: 'transaction_unreadable', transaction: id},
  ]);
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({
    state: 'paid',
    unclear: false,
    transactions: [{id, amount: '149.90'}],
  });
});

test('if the Worker does not know a transaction status, the payment stays unchanged', async () => {
  const {order, token} = await openPaidOrder();
  await replaceBindings(orderObject(order), {PLATFORM_STATUSES: {transaction: {'3': 'something new'}}});
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
});

test('a failed status check is retried and leaves the payment unchanged', async () => {
  const {order, token} = await openPaidOrder();
  await setFault({operation: '/transaction/get', kind: '500-html'});
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
  expect(await alarmIn(orderObject(order))).toBe(10 * MINUTE);
});

test('money that arrives between status checks is checked immediately', async () => {
  const {order, code, token} = await openPaidOrder();
  await runDurableObjectAlarm(orderObject(order));
  await pay({order_code: code, amount: '10.00'});
  await advance(3 * SECOND);
  await runSweep();
  expect(await alarmIn(orderObject(order))).toBe(0);
  await runDurableObjectAlarm(orderObject(order));
  expect(await countCalls('/transaction/get')).toBe(2);
  expect(await showPayment(token)).toMatchObject({state: 'overpaid', paid: '159.90'});
});

/** Completes an order as the merchant API does. */
const complete = (order: string) =>
  contextOf(env)
    .objects.commands('DEMO')
    .run(crypto.randomUUID(), {name: 'completeOrder', input: {service: 'DEMO', order}, mayQueue: false, askedBy: null});

test('completing an order twice sends one call to the platform', async () => {
  const {order, token} = await openPaidOrder();
  expect(await complete(order)).toEqual({state: 'done', result: {}});
  expect(await complete(order)).toEqual({state: 'done', result: {}});
  expect((await calls('/transaction/order-complete')).map(({params}) => params)).toEqual([{code: 'DEMO', order}]);
  expect(await showPayment(token)).toMatchObject({state: 'completed', paid: '149.90'});
  await evictDurableObject(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'completed'});
});

test('an order stays paid if the platform refuses to complete it', async () => {
  const {order, token} = await openPaidOrder();
  await setFault({operation: '/transaction/order-complete', kind: 'status', status: 'ERR_018', times: 1});
  expect(await complete(order)).toEqual({
    state: 'failed',
    refusal: {
      operation: 'orderComplete',
      failure: {outcome: 'refused', status: 'ERR_018', message: 'There is spending recording'},
    },
  });
  expect(await showPayment(token)).toMatchObject({state: 'paid'});
  expect(await complete('S-NONE')).toMatchObject({state: 'failed', refusal: {failure: {status: 'ERR_014'}}});
});
