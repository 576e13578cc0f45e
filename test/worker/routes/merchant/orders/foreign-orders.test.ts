/** Order numbers that another shop or environment of the merchant has used at the platform before. */

import {abortAllDurableObjects} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, describe, expect, test} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {OrderCode} from '../../../../../worker/contract/browser/answers.ts';
import {DAY, platformTime} from '../../../support/clock.ts';
import {orderObject, replaceBindings, runSweep, serviceObject} from '../../../support/durable-objects.ts';
import {freshWorker} from '../../../support/fresh-worker.ts';
import {notificationOf, notify} from '../../../support/notifications.ts';
import {askAsPage, openMerchantSession, openSession, read as readAnswer, showPayment} from '../../../support/page.ts';
import {expectProblem as expectPageProblem, PROBLEMS} from '../../../support/problems.ts';
import {callPlatform, calls, countCalls, hold, pay, release, setFault, untilHeld} from '../../../support/sandbox.ts';
import {call, expectProblem, read} from '../support/merchant-server.ts';

freshWorker();
const CREATE = '/orderToReference/create';
const CHECK = '/orderToReference/check';
const ORDER = {service: 'DEMO', order: 'S-1', amount: '149.90'};
const SESSION = {kind: 'payment', ...ORDER};
const named = {service: 'DEMO', order: 'S-1'};
// The router still has the token of an earlier test. With it, the call that a test holds would do nothing.
beforeEach(() => call('findOrderCode', named));
const requestCode = (token: string) => askAsPage('POST', '/v1/order-code', {token, body: {}});
const eventsOf = async () => (await read('listEvents', {})).items.map(({type, data}) => ({type, data}));
const paymentEvents = async () => (await eventsOf()).filter(({type}) => type.startsWith('payment.'));
const sweepAll = async () => {
  for (let count = 0; count < 8; count += 1) await runSweep();
};

/** Another system creates the order at the platform. @returns its code. */
async function createElsewhere(amount = '149.90'): Promise<string> {
  const {order: code} = await callPlatform(CREATE, {code: 'DEMO', order: 'S-1', amount});
  return String(code);
}

/** The platform notifies the Worker of money for an order, with the platform's number of the order. */
async function notifyPayment({code, order}: {code: string; order: string}, txid: string, more: object = {}) {
  const content = await notificationOf({code, order, token: ''}, txid);
  return notify('/hooks/payment', {body: JSON.stringify(content), bindings: {NOTIFICATIONS: 'payment', ...more}});
}

const FOREIGN = {
  platform: {status: 'ERR_019', message: 'Your Order is exists'},
  fields: [
    {
      path: 'order',
      message:
        'The platform had an order with this number before this Worker first asked for it. Use a number that no other ' +
        'shop or environment uses, or send `adopt: true` to take the order and its money.',
    },
  ],
};

describe.for([
  ['unpaid for 500.00', null],
  ['paid today', 0],
  ['paid yesterday', 1],
  ['paid three days ago', 3],
  ['paid seven days ago', 7],
] as const)('for an order of another system, %s,', ([_what, days]) => {
  const isPaid = days !== null;
  async function createForeign(): Promise<string> {
    const code = await createElsewhere(isPaid ? '149.90' : '500.00');
    if (isPaid) await pay({order_code: code, at: platformTime(Date.now() - days * DAY)});
    return code;
  }

  test('neither a page nor a server gets the code, and its money pays no order here', async () => {
    const code = await createForeign();
    const {token} = await openMerchantSession(SESSION);
    expectPageProblem(await requestCode(token), PROBLEMS.order_exists);
    expectProblem(await call('createOrderCode', ORDER), 'order_exists', FOREIGN);
    expectProblem(await call('createHostedOrderCode', ORDER), 'order_exists', FOREIGN);
    expect(await read('findOrderCode', named)).toMatchObject({order_code: code});
    expectPageProblem(await requestCode(token), PROBLEMS.order_exists);
    await pay({order_code: code, amount: '500.00'});
    await sweepAll();
    expect(await showPayment(token)).toMatchObject({state: 'waiting', order_code: null, paid: '0.00'});
    expect(await eventsOf()).toEqual([]);
  });

  if (days === 0)
    test('a notification of its money pays no order here', async () => {
      const code = await createForeign();
      const {token} = await openMerchantSession(SESSION);
      const notifyAgain = async () => notifyPayment({code, order: 'S-1'}, await pay({order_code: code}));
      expect(await notifyAgain()).toBe('200 OK');
      expectPageProblem(await requestCode(token), PROBLEMS.order_exists);
      expect(await notifyAgain()).toBe('200 OK');
      expect(await showPayment(token)).toMatchObject({state: 'waiting', transactions: []});
      expect(await eventsOf()).toEqual([]);
    });

  test('a server that adopts it gets its code, and all its money is told as known before', async () => {
    const code = await createForeign();
    const {token} = await openMerchantSession(SESSION);
    expectPageProblem(await requestCode(token), PROBLEMS.order_exists);
    expect(await read('createOrderCode', {...ORDER, adopt: true})).toMatchObject({order_code: code});
    // A repetition with a new key changes nothing.
    expect(await read('createOrderCode', {...ORDER, adopt: true})).toMatchObject({order_code: code});
    expect(readAnswer(await requestCode(token), OrderCode)).toMatchObject({order_code: code, amount: '149.90'});
    await sweepAll();
    const first = isPaid ? [{amount: '149.90', known_before: true}] : [];
    const later = [...first, {amount: '149.90', known_before: true}];
    await pay({order_code: code});
    await sweepAll();
    expect(await eventsOf()).toMatchObject([
      {type: 'payment.received', data: {order: 'S-1', order_code: code, transactions: later.slice(0, 1)}},
      ...(isPaid ? [{type: 'payment.overpaid', data: {transactions: later}}] : []),
    ]);
    expect((await read('getOrder', named)).payment?.transactions).toMatchObject(later);
    await expect
      .poll(async () => (await read('searchBookings', {...named, type: 'money.arrived'})).items)
      .toMatchObject(later.map(() => ({balance: '149.90', known_before: true})));
  });
});

describe('a code that our own request created is still found', () => {
  test.for([
    ['the answer was lost', {kind: 'malformed', after: true}],
    ['the platform answered with an internal error', {kind: 'status', status: 'ERR_010', after: true}],
  ] as const)('after %s to a page', async ([_what, fault]) => {
    const {token} = await openMerchantSession(SESSION);
    await setFault({operation: CREATE, ...fault, times: 1});
    const asked = await requestCode(token);
    const answer = asked.status === 200 ? asked : await requestCode(token);
    const {order: code} = await callPlatform(CHECK, {code: 'DEMO', order: 'S-1'});
    expect(readAnswer(answer, OrderCode).order_code).toBe(code);
  });

  test.for(['page', 'server'] as const)('after the object died during the request of a %s', async (who) => {
    const {token} = await openMerchantSession(SESSION);
    await hold(CREATE, {after: true});
    const asked = who === 'page' ? requestCode(token) : call('createOrderCode', ORDER);
    await untilHeld();
    await abortAllDurableObjects();
    await release(CREATE);
    await asked;
    const {order: code} = await callPlatform(CHECK, {code: 'DEMO', order: 'S-1'});
    expect(readAnswer(await requestCode(token), OrderCode).order_code).toBe(code);
  });

  test('after the answer to a server was lost, by its retry with a new key', async () => {
    await setFault({operation: CREATE, kind: 'malformed', after: true, times: 1});
    expectProblem(await call('createOrderCode', ORDER), 'outcome_unknown');
    expectProblem(await call('createOrderCode', ORDER), 'order_exists', {platform: FOREIGN.platform});
    const {order_code} = await read('getOrder', named);
    expect(order_code).toMatch(/^\d{12}$/);
    // The code is ours, so nothing was known before.
    expect(await read('createOrderCode', {...ORDER, adopt: true})).toMatchObject({order_code});
    await pay({order_code: String(order_code)});
    await runSweep();
    expect((await eventsOf()).at(0)?.data).toMatchObject({transactions: [{amount: '149.90'}]});
    expect(JSON.stringify(await eventsOf())).not.toContain('known_before');
  });

  test('for a reference that the Worker made', async () => {
    const {token, order} = await openSession();
    const {order: code} = await callPlatform(CREATE, {code: 'DEMO', order, amount: '149.90'});
    expect(readAnswer(await requestCode(token), OrderCode).order_code).toBe(code);
  });

  test('by a page whose request and the server’s run at the same time', async () => {
    const {token} = await openMerchantSession(SESSION);
    await hold(CREATE, {after: true});
    const made = call('createOrderCode', ORDER);
    await untilHeld();
    const asked = requestCode(token);
    await release(CREATE);
    const {order_code} = (await made).body as {order_code: string};
    expect(readAnswer(await asked, OrderCode).order_code).toBe(order_code);
    expect(await countCalls(CREATE)).toBe(1);
  });
});

test('while the first request for a number runs, another system’s money of that number is not taken', async () => {
  const code = await createElsewhere();
  const id = await pay({order_code: code, at: platformTime()});
  await hold(CREATE);
  const asked = call('createOrderCode', ORDER);
  await untilHeld();
  await sweepAll();
  await notifyPayment({code, order: 'S-1'}, id);
  expect(await paymentEvents()).toEqual([]);
  await release(CREATE);
  expectProblem(await asked, 'order_exists', FOREIGN);
  await sweepAll();
  expect(await paymentEvents()).toEqual([]);
});

test('two servers and a page that ask at the same time for an order of another system get nothing', async () => {
  await createElsewhere();
  const {token} = await openMerchantSession(SESSION);
  await hold(CREATE);
  const first = call('createOrderCode', ORDER);
  await untilHeld();
  const [second, asked] = [call('createOrderCode', ORDER), requestCode(token)];
  await release(CREATE);
  for (const answer of [await first, await second]) expectProblem(answer, 'order_exists', FOREIGN);
  expectPageProblem(await asked, PROBLEMS.order_exists);
});

test('a page that is refused asks the platform once, also after a server was refused', async () => {
  await createElsewhere();
  expectProblem(await call('createOrderCode', ORDER), 'order_exists', FOREIGN);
  const {token} = await openMerchantSession(SESSION);
  for (let count = 0; count < 3; count += 1) expectPageProblem(await requestCode(token), PROBLEMS.order_exists);
  expect(await countCalls(CREATE)).toBe(3);
});

test('with ORDER_PREFIX, the platform sees other numbers than the merchant, and another system may use the same', async () => {
  const bindings = {ORDER_PREFIX: 'stg-'};
  const {objects} = contextOf(env);
  for (const object of [orderObject('S-1'), serviceObject(), objects.commands('DEMO')])
    await replaceBindings(object, bindings);
  const foreign = await createElsewhere();
  const foreignId = await pay({order_code: foreign});
  const {token} = await openMerchantSession(SESSION);
  const {order_code, order} = readAnswer(await requestCode(token), OrderCode);
  expect(order).toBe('S-1');
  expect(order_code).not.toBe(foreign);
  expect(await callPlatform(CHECK, {code: 'DEMO', order: 'stg-S-1'})).toMatchObject({order: order_code});
  expect(await read('findOrderCode', named, {bindings})).toMatchObject({order: 'S-1', order_code});
  await runSweep();
  expect(await notifyPayment({code: foreign, order: 'S-1'}, foreignId, bindings)).toBe('200 OK');
  expect(await showPayment(token)).toMatchObject({state: 'waiting'});
  const id = await pay({order_code});
  expect(await notifyPayment({code: order_code, order: 'stg-S-1'}, id, bindings)).toBe('200 OK');
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
  expect(await eventsOf()).toMatchObject([{type: 'payment.received', data: {order: 'S-1', transactions: [{id}]}}]);
  const {items} = await read('searchTransactions', {service: 'DEMO'}, {bindings});
  expect(items.map((item) => [item.order_code, item.order])).toEqual([
    [order_code, 'S-1'],
    [foreign, null],
  ]);
  expect(await read('getTransaction', {id}, {bindings})).toMatchObject({order: 'S-1', order_code});
  await read('completeOrder', named, {bindings});
  expect((await calls('/transaction/order-complete')).map(({params}) => params['order'])).toEqual(['stg-S-1']);
});
