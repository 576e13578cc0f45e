import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, orderObject, replaceBindings, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {askAsPage, openOrder, openSession, showPayment} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, countCalls, pay, setFault} from '../../support/sandbox.ts';

freshWorker();

const waiting = (asOf = Date.now()) => ({
  state: 'waiting',
  amount: '149.90',
  paid: '0.00',
  remaining: '149.90',
  late: false,
  unclear: false,
  notice: null,
  handed_over_at: null,
  transactions: [],
  as_of: wireTime(asOf),
});

test('before there is a code there is nothing to pay, and nothing to ask the platform', async () => {
  const {token} = await openSession();
  expect(await showPayment(token)).toEqual(waiting());
  expect(await calls()).toEqual([]);
});

test('shows what arrived once the platform was asked', async () => {
  const {token, code} = await openOrder();
  const openedAt = Date.now();
  expect(await showPayment(token)).toEqual(waiting());
  const at = platformTime();
  const id = await pay({order_code: code, sender: 'Ayşe Yılmaz', at});
  await advance(3 * SECOND);
  expect(await showPayment(token)).toEqual(waiting(openedAt));
  await runSweep();
  expect(await showPayment(token)).toEqual({
    ...waiting(),
    state: 'paid',
    paid: '149.90',
    remaining: '0.00',
    transactions: [{id, amount: '149.90', currency: 'TRY', bank: 'Garanti BBVA', at: wireTime(openedAt)}],
  });
});

test('several transfers add up, from too little to too much', async () => {
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

test('an order that nobody paid expires, and money that comes after is late', async () => {
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

test('an order that was read for the last time forgets everything', async () => {
  const {token, order} = await openOrder();
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(orderObject(order))).toBe(7 * DAY);
  await advance(7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(
    await runInDurableObject(orderObject(order), (_object, {storage}) => [
      storage.kv.get('record'),
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'arrivals'").toArray(),
    ]),
  ).toEqual([undefined, []]);
  expect(await alarmIn(orderObject(order))).toBeNull();
  expectProblem(await askAsPage('GET', '/v1/payment', {token}), PROBLEMS.session_expired);
});

/** An order whose only transfer has arrived. */
async function paidOrder() {
  const shopper = await openOrder();
  const id = await pay({order_code: shopper.code});
  await runSweep();
  return {...shopper, id};
}

test('asks for the status of what arrived, ever more slowly', async () => {
  const {order, id} = await paidOrder();
  const pauses: (number | null)[] = [];
  for (let count = 0; count < 7; count += 1) {
    pauses.push(await alarmIn(orderObject(order)));
    await advance(pauses.at(-1) ?? 0);
    await runDurableObjectAlarm(orderObject(order));
  }
  expect(pauses).toEqual([0, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 6 * HOUR]);
  expect((await calls('/transaction/get')).map(({params}) => params)).toEqual(Array.from({length: 7}, () => ({id})));
});

test('money the platform gave back is not paid any more', async () => {
  const {order, token} = await paidOrder();
  await replaceBindings(orderObject(order), {PLATFORM_STATUSES: {transaction: {'3': 'refunded'}}});
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({
    state: 'refunded',
    paid: '0.00',
    remaining: '149.90',
    transactions: [{amount: '149.90'}],
  });
});

/** What the platform lists has an amount nobody can read; asked for by itself, it is as the bank said. */
function garbleLists() {
  const real = globalThis.fetch;
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await real(input, init);
    const text = await response.text();
    return new Response(
      String(input).endsWith('/transaction/search')
        ? text.replaceAll(/"amount":"?149\.90"?/g, '"amount":"149,90 TL"')
        : text,
      response,
    );
  });
}

test('money whose amount cannot be read is not passed over, and counts as soon as it can be', async () => {
  const {order, token, code} = await openOrder();
  const id = await pay({order_code: code});
  garbleLists();
  await runSweep();
  expect(await showPayment(token)).toEqual({...waiting(), unclear: true});
  expect(logLines('transaction_unreadable')).toEqual([
    {level: 'error', event: 'transaction_unreadable', transaction: id},
  ]);
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({
    state: 'paid',
    unclear: false,
    transactions: [{id, amount: '149.90'}],
  });
});

test('a status nobody knows changes nothing', async () => {
  const {order, token} = await paidOrder();
  await replaceBindings(orderObject(order), {PLATFORM_STATUSES: {transaction: {'3': 'something new'}}});
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
});

test('a platform that does not tell the status is asked again, and what is known stays', async () => {
  const {order, token} = await paidOrder();
  await setFault({operation: '/transaction/get', kind: '500-html'});
  await runDurableObjectAlarm(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
  expect(await alarmIn(orderObject(order))).toBe(30 * SECOND);
});

test('money that arrives while statuses are asked for has a turn of its own', async () => {
  const {order, code, token} = await paidOrder();
  await runDurableObjectAlarm(orderObject(order));
  await pay({order_code: code, amount: '10.00'});
  await advance(3 * SECOND);
  await runSweep();
  expect(await alarmIn(orderObject(order))).toBe(0);
  await runDurableObjectAlarm(orderObject(order));
  expect(await countCalls('/transaction/get')).toBe(3);
  expect(await showPayment(token)).toMatchObject({state: 'overpaid', paid: '159.90'});
});

/** As the merchant's server has it done. */
const complete = (order: string) =>
  contextOf(env)
    .objects.commands('DEMO')
    .run(crypto.randomUUID(), {name: 'completeOrder', input: {service: 'DEMO', order}, mayQueue: false});

test('a merchant that supplied the goods completes the order, once', async () => {
  const {order, token} = await paidOrder();
  expect(await complete(order)).toEqual({state: 'done', result: {}});
  expect(await complete(order)).toEqual({state: 'done', result: {}});
  expect((await calls('/transaction/order-complete')).map(({params}) => params)).toEqual([{code: 'DEMO', order}]);
  expect(await showPayment(token)).toMatchObject({state: 'completed', paid: '149.90'});
  await evictDurableObject(orderObject(order));
  expect(await showPayment(token)).toMatchObject({state: 'completed'});
});

test('an order the platform does not complete is not completed', async () => {
  const {order, token} = await paidOrder();
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
