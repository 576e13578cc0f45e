/** Changes of an order's amount that cross each other, other requests, lost answers and the end of the object. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {expect, inject, test} from 'vitest';
import {NewPaymentSession, OrderCode, PaymentPage} from '../../../../../worker/contract/browser/answers.ts';
import {advance, DAY, MINUTE, SECOND} from '../../../support/clock.ts';
import {orderObject, replaceBindings, runSweep, storedIn} from '../../../support/durable-objects.ts';
import {
  askAsPage,
  askMerchant,
  openMerchantSession,
  putOffer,
  read as readAnswer,
  showPayment,
} from '../../../support/page.ts';
import {expectProblem as expectPageProblem, PROBLEMS} from '../../../support/problems.ts';
import {
  callPlatform,
  control,
  countCalls,
  type Fault,
  hold,
  pay,
  release,
  setFault,
  untilHeld,
} from '../../../support/sandbox.ts';
import {outboxObject} from '../../../support/webhook-receiver.ts';
import {call, expectProblem, newOrder, read} from '../support/merchant-server.ts';
import {contact} from '../support/refundable-orders.ts';

const UPDATE = '/orderToReference/update';
const CREATE = '/orderToReference/create';
const service = 'DEMO';

async function newCode(amount = '60.00') {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {service, order, amount});
  return {order, order_code};
}

const patch = (order: string, amount: string, more: object = {}) =>
  call('updateOrderCode', {service, order, amount, ...more});

/** The amounts of the platform and of the Worker. */
async function amountsOf(order: string): Promise<(string | undefined)[]> {
  const answer = await fetch(`${inject('sandboxUrl')}/_sandbox/orders`);
  const {orders} = await answer.json<{orders: {order: string; amount: string}[]}>();
  const {payment} = await read('getOrder', {service, order});
  return [orders.find((one) => one.order === order)?.amount, payment?.amount];
}

const stateOf = async (order: string) => {
  const {payment} = await read('getOrder', {service, order});
  return [payment?.state, payment?.remaining, payment?.amount_unclear];
};

/** Lets the Worker send a change again whose answer is overdue. */
async function repeat(order: string, ms = MINUTE / 2): Promise<void> {
  await advance(ms);
  await runDurableObjectAlarm(orderObject(order));
}

test('of two changes of an amount whose answers cross, the later one counts at the platform and here', async () => {
  const {order, order_code} = await newCode('10.00');
  await hold(UPDATE, {after: true});
  const first = patch(order, '60.00');
  await untilHeld();
  const second = patch(order, '90.00');
  // The second change would be answered by now.
  for (let count = 0; count < 5; count += 1) await stateOf(order);
  expect(await countCalls(UPDATE)).toBe(1);
  await release(UPDATE);
  expect((await Promise.all([first, second])).map(({status}) => status)).toEqual([200, 200]);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
  await pay({order_code, amount: '60.00'});
  await runSweep();
  expect(await stateOf(order)).toEqual(['partial', '30.00', false]);
});

test.for(['page', 'server'] as const)('a change waits for a request of a %s for the code', async (who) => {
  const order = newOrder();
  const terms = {service, order, amount: '60.00'};
  const {token} = await openMerchantSession({kind: 'payment', ...terms});
  await hold(CREATE, {after: true});
  const asked =
    who === 'page' ? askAsPage('POST', '/v1/order-code', {token, body: {}}) : call('createOrderCode', terms);
  await untilHeld();
  const changed = patch(order, '90.00');
  for (let count = 0; count < 5; count += 1) await stateOf(order);
  expect(await countCalls(UPDATE)).toBe(0);
  await release(CREATE);
  expect([200, 201]).toContain((await asked).status);
  expect((await changed).status).toBe(200);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
});

test('if the order’s object dies during the server’s request for the code, a change that crosses it counts', async () => {
  const order = newOrder();
  await hold(CREATE, {after: true});
  const created = call('createOrderCode', {service, order, amount: '60.00'});
  await untilHeld();
  await abortAllDurableObjects();
  expect((await patch(order, '90.00')).status).toBe(200);
  await release(CREATE);
  expect((await created).status).toBe(201);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
});

test('a cancellation waits for a change, and both amounts agree', async () => {
  const {order} = await newCode();
  await hold(UPDATE, {after: true});
  const changed = patch(order, '90.00');
  await untilHeld();
  const cancelled = call('cancelOrder', {service, order});
  expect((await stateOf(order))[0]).toBe('waiting');
  await release(UPDATE);
  expect((await changed).status).toBe(200);
  expect((await cancelled).body).toMatchObject({state: 'cancelled'});
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
});

const LOST: Partial<Fault> = {kind: 'empty', times: 1};

test.each([
  ['made', true],
  ['not made', false],
])('a change whose answer is lost is sent again, and until then no money pays the order (%s)', async (_what, after) => {
  const {order, order_code} = await newCode();
  await setFault({operation: UPDATE, kind: 'empty', times: 1, after});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await pay({order_code, amount: '60.00'});
  await runSweep();
  expect(await stateOf(order)).toEqual(['waiting', '60.00', true]);
  await repeat(order);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
  await runSweep();
  expect(await stateOf(order)).toEqual(['partial', '30.00', false]);
  const {items} = await read('showTimeline', {service, order});
  expect(items.map(({what}) => what)).toEqual(expect.arrayContaining(['code.change_failed', 'code.changed']));
});

test('a change is sent again if the object dies between the platform’s answer and its own write', async () => {
  const {order} = await newCode();
  await hold(UPDATE, {after: true});
  const changed = patch(order, '90.00');
  await untilHeld();
  await abortAllDurableObjects();
  await release(UPDATE);
  expect((await changed).status).toBe(200);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
});

test('if the object dies during a change, the next change also counts if the first one reaches the platform later', async () => {
  const {order} = await newCode();
  await hold(UPDATE);
  const first = Promise.allSettled([orderObject(order).changeCode({code: service, order, amount: '90.00'}, 'root')]);
  await untilHeld();
  await abortAllDurableObjects();
  await first;
  await orderObject(order).changeCode({code: service, order, amount: '70.00'}, 'root');
  await release(UPDATE);
  await expect.poll(() => amountsOf(order)).toEqual(['90.00', '90.00']);
  expect(await stateOf(order)).toEqual(['waiting', '90.00', true]);
  await repeat(order);
  expect(await amountsOf(order)).toEqual(['70.00', '70.00']);
  expect(await stateOf(order)).toEqual(['waiting', '70.00', false]);
});

test('after a lost change of one part and a change of another, the larger amount counts until an update is answered', async () => {
  await control('readings', {sub_merchant_parts: 'same_code'});
  const order = newOrder();
  const part = (id: string, amount: string) => ({
    service,
    order,
    amount,
    payout: '1',
    fee: '1.00',
    sub_merchant_id: id,
  });
  for (const [id, amount] of Object.entries({31: '60.00', 32: '40.00'}))
    await read('createOrderCode', part(id, amount));
  await setFault({operation: UPDATE, kind: 'empty', times: 2});
  for (const [id, amount] of Object.entries({31: '90.00', 32: '30.00'}))
    expect((await call('updateOrderCode', part(id, amount))).status).toBeGreaterThan(400);
  await repeat(order);
  expect(await stateOf(order)).toEqual(['waiting', '130.00', true]);
  await read('updateOrderCode', part('31', '90.00'));
  expect(await stateOf(order)).toEqual(['waiting', '120.00', false]);
});

test('a change of the whole order counts more than a change of its part that was lost before', async () => {
  const order = newOrder();
  const split = {payout: '1', fee: '1.00', sub_merchant_id: '31'};
  await read('createOrderCode', {service, order, amount: '60.00', ...split});
  await setFault({operation: UPDATE, kind: 'empty', times: 1});
  expect((await call('updateOrderCode', {service, order, amount: '90.00', ...split})).status).toBeGreaterThan(400);
  await read('updateOrderCode', {service, order, amount: '70.00'});
  await repeat(order);
  expect(await amountsOf(order)).toEqual(['70.00', '70.00']);
  expect(await stateOf(order)).toEqual(['waiting', '70.00', false]);
});

test('after the object and the server’s request died together, no money pays the order until the alarm has sent the change again', async () => {
  const {order, order_code} = await newCode();
  await hold(UPDATE, {after: true});
  const changed = Promise.allSettled([orderObject(order).changeCode({code: service, order, amount: '90.00'}, 'root')]);
  await untilHeld();
  await abortAllDurableObjects();
  await release(UPDATE);
  expect(await changed).toMatchObject([{status: 'rejected'}]);
  await pay({order_code, amount: '60.00'});
  await runSweep();
  expect((await stateOf(order))[0]).toBe('waiting');
  await repeat(order);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
  await runSweep();
  expect((await stateOf(order))[0]).toBe('partial');
});

test('if the platform refuses a change that may be made, the amount is unclear, and the larger one counts', async () => {
  const {order, order_code} = await newCode();
  await setFault({operation: UPDATE, ...LOST, kind: 'empty', after: true});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await setFault({operation: UPDATE, kind: 'status', status: 'ERR_018', times: 1});
  await repeat(order);
  expect(await stateOf(order)).toEqual(['waiting', '90.00', true]);
  await pay({order_code, amount: '60.00'});
  await runSweep();
  expect(await stateOf(order)).toEqual(['partial', '30.00', true]);
  // A change that is refused leaves the amount unclear, and one that is made ends this.
  await setFault({operation: UPDATE, kind: 'status', status: 'ERR_017', times: 1});
  expectProblem(await patch(order, '50.00'), 'amount_invalid', {
    platform: {status: 'ERR_017', message: expect.any(String) as string},
  });
  expect(await stateOf(order)).toEqual(['partial', '30.00', true]);
  expect((await patch(order, '60.00')).status).toBe(200);
  expect(await stateOf(order)).toEqual(['paid', '0.00', false]);
});

test('changes that are refused while an earlier one has no answer tell the state once', async () => {
  const {order, order_code} = await newCode();
  await pay({order_code, amount: '60.00'});
  await runSweep();
  await setFault({operation: UPDATE, ...LOST, kind: 'empty', after: true});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await setFault({operation: UPDATE, kind: 'status', status: 'ERR_017', times: 3});
  for (const amount of ['50.00', '51.00', '52.00']) {
    expectProblem(await patch(order, amount), 'amount_invalid', {
      platform: {status: 'ERR_017', message: expect.any(String) as string},
    });
    expect(await stateOf(order)).toEqual(['partial', '30.00', true]);
  }
  await repeat(order);
  expect(await stateOf(order)).toEqual(['partial', '30.00', false]);
  const {items} = await outboxObject().read(0);
  const states = items.flatMap(({data}) =>
    'state' in data && 'order' in data && data.order === order ? data.state : [],
  );
  expect(states).toEqual(['paid', 'partial']);
});

/** An order of 60.00 with a change to 90.00 that the platform refuses, after an answer of it was lost. */
async function unclearOrder(order = newOrder()) {
  const {order_code} = await read('createOrderCode', {service, order, amount: '60.00'});
  await setFault({operation: UPDATE, ...LOST, kind: 'empty'});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await setFault({operation: UPDATE, kind: 'status', status: 'ERR_018', times: 1});
  await repeat(order);
  expect(await stateOf(order)).toEqual(['waiting', '90.00', true]);
  return {order, order_code};
}

test('an order with an unclear amount is paid by transfer, and by charge once the platform has answered a change', async () => {
  const {order, order_code} = await newCode();
  const session = (amount: string) => ({kind: 'payment', service, order, amount, origin: 'http://localhost:5173'});
  const {token} = await openMerchantSession(session('60.00'));
  const openPage = () => askAsPage('POST', '/v1/payment-pages', {token, body: {}});
  await setFault({operation: UPDATE, ...LOST, kind: 'empty'});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  expectPageProblem(await openPage(), PROBLEMS.temporarily_unavailable);
  await setFault({operation: UPDATE, kind: 'status', status: 'ERR_018', times: 1});
  await repeat(order);
  expectPageProblem(await openPage(), PROBLEMS.temporarily_unavailable);
  expect(await countCalls('/pay/token')).toBe(0);
  const code = await askAsPage('POST', '/v1/order-code', {token, body: {}});
  expect(readAnswer(code, OrderCode)).toMatchObject({order_code, amount: '90.00'});
  expect(await showPayment(token)).toMatchObject({state: 'waiting', remaining: '90.00', unclear: false});
  // The merchant's server may know either amount.
  for (const amount of ['60.00', '90.00']) expect((await call('createSession', session(amount))).status).toBe(201);
  expectProblem(await call('createSession', session('50.00')), 'order_exists', {
    fields: [{path: 'amount', message: expect.stringContaining('90.00') as string}],
  });
  expect((await patch(order, '60.00')).status).toBe(200);
  readAnswer(await openPage(), PaymentPage);
});

test('no payment page of an amount is given that changed while the page was opened', async () => {
  const {order} = await newCode();
  const {token} = await openMerchantSession({kind: 'payment', service, order, amount: '60.00'});
  await hold('/pay/token');
  const opened = askAsPage('POST', '/v1/payment-pages', {token, body: {}});
  await untilHeld();
  await setFault({operation: UPDATE, ...LOST, kind: 'empty'});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await release('/pay/token');
  expectPageProblem(await opened, PROBLEMS.temporarily_unavailable);
});

test('of an order with an unclear amount, no more is refunded than what is left of its money', async () => {
  const {order, order_code} = await unclearOrder();
  await pay({order_code, amount: '60.00'});
  await runSweep();
  expect(await stateOf(order)).toEqual(['partial', '30.00', true]);
  await read('createRefund', {service, order, amount: '60.00', contact});
  expectProblem(await call('createRefund', {service, order, amount: '60.00', contact}), 'refund_too_large', {
    fields: [{path: 'amount', message: expect.stringContaining('0.00') as string}],
  });
  expect(await countCalls('/refund/create')).toBe(1);
});

test('a cancelled order with an unclear amount and no money is no work, and its history says that it was unclear', async () => {
  const {order} = await unclearOrder();
  await read('cancelOrder', {service, order});
  const booked = async () => (await read('searchBookings', {service, order})).items.map(({state}) => state);
  await expect.poll(booked).toContain('cancelled');
  const {items} = await read('listWork', {service, kind: 'cancelled'});
  expect(items.filter(({booking}) => booking?.order === order)).toEqual([]);
  await advance(11 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  expect(await stateOf(order)).toEqual(['cancelled', '90.00', true]);
});

test('a bill whose amount is unclear has the amount that pages show, and takes each amount that may be right', async () => {
  const {order} = await unclearOrder();
  const bill = {kind: 'payment', service, order, title: {tr: 'Lamba', en: 'Lamp'}};
  const name = await putOffer('unclear-bill', {order, amount: '60.00'});
  const entered = await askAsPage('POST', '/v1/sessions', {body: {offer: name}});
  expect(readAnswer(entered, NewPaymentSession, 201).amount).toBe('90.00');
  for (const amount of ['60.00', '90.00'])
    expect((await askMerchant('offers/unclear-bill', {...bill, amount}, undefined, 'PUT')).status).toBe(200);
  expect((await patch(order, '80.00')).status).toBe(200);
  const refused = await askMerchant('offers/unclear-bill', {...bill, amount: '60.00'}, undefined, 'PUT');
  expect(refused.body).toMatchObject({code: 'order_exists'});
});

test.each([
  ['is not sent', '429', 'rate_limited'],
  ['is refused', 'ERR_017', 'amount_invalid'],
] as const)('if a later change %s, the change whose answer was lost is sent again', async (_what, status, code) => {
  const {order} = await newCode();
  await setFault({operation: UPDATE, ...LOST, kind: 'empty'});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await setFault({operation: UPDATE, kind: 'status', status});
  expect((await patch(order, '50.00')).body).toMatchObject({code});
  await release(UPDATE);
  await repeat(order);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
  expect(await stateOf(order)).toEqual(['waiting', '90.00', false]);
});

test('a change that is not sent because the settings are wrong is not stored', async () => {
  const {order} = await newCode();
  const object = orderObject(order);
  await replaceBindings(object, {PHS_URL: 'no URL'});
  await runInDurableObject(object, async (inside) => {
    const changed = inside.changeCode({code: service, order, amount: '90.00'}, 'root');
    await expect(changed).rejects.toThrow('PHS_URL');
  });
  await replaceBindings(object, {});
  expect(await stateOf(order)).toEqual(['waiting', '60.00', false]);
});

test('a page whose request for the code waits for a change gets no code if the order is cancelled meanwhile', async () => {
  const order = newOrder();
  const {token} = await openMerchantSession({kind: 'payment', service, order, amount: '60.00'});
  await hold(UPDATE);
  const changed = patch(order, '90.00');
  await untilHeld();
  const cancelled = call('cancelOrder', {service, order});
  for (let count = 0; count < 5; count += 1) await stateOf(order);
  const asked = askAsPage('POST', '/v1/order-code', {token, body: {}});
  for (let count = 0; count < 5; count += 1) await stateOf(order);
  await release(UPDATE);
  await changed;
  expect((await cancelled).status).toBe(200);
  expectPageProblem(await asked, PROBLEMS.order_cancelled);
  expect(await countCalls(CREATE)).toBe(0);
});

test('while the platform answers no change, it is sent again five times, and then the order takes money', async () => {
  const {order, order_code} = await newCode();
  await setFault({operation: UPDATE, kind: 'empty'});
  expectProblem(await patch(order, '90.00'), 'outcome_unknown');
  await pay({order_code, amount: '90.00'});
  for (const seconds of [10, 20, 40, 80, 160]) await repeat(order, seconds * SECOND);
  const sent = await countCalls(UPDATE);
  expect(sent).toBeGreaterThan(3);
  await repeat(order, 6 * MINUTE);
  await repeat(order, 6 * MINUTE);
  await runSweep();
  expect(await stateOf(order)).toEqual(['paid', '0.00', true]);
  expect(await countCalls(UPDATE)).toBeLessThanOrEqual(6);
});

test.each([
  ['a session and a request', ['createSession', 'createOrderCode']],
  ['a request', ['createOrderCode']],
  ['a request and a session', ['createOrderCode', 'createSession']],
] as const)('an order of another system that %s met is not changed before it is adopted', async (_what, names) => {
  const order = newOrder();
  const terms = {service, order, amount: '60.00'};
  await callPlatform(CREATE, {code: service, order, amount: '60.00'});
  for (const name of names)
    await call(name, name === 'createSession' ? {...terms, kind: 'payment', origin: 'http://localhost:5173'} : terms);
  expect((await patch(order, '90.00')).body).toMatchObject({code: 'order_exists', fields: [{path: 'order'}]});
  expect(await countCalls(UPDATE)).toBe(0);
  await read('createOrderCode', {service, order, amount: '60.00', adopt: true});
  expect((await patch(order, '90.00')).status).toBe(200);
  expect(await amountsOf(order)).toEqual(['90.00', '90.00']);
});

test('agreed parameters are not stored, so their change is not sent again', async () => {
  const {order} = await newCode();
  await setFault({operation: UPDATE, kind: 'empty', times: 1});
  const extra = {campaign: 'agreed-value'};
  await orderObject(order).changeCode({code: service, order, amount: '90.00', extra}, 'root');
  expect(JSON.stringify(await storedIn(orderObject(order)))).not.toContain('agreed-value');
  await repeat(order);
  expect(await countCalls(UPDATE)).toBe(1);
  expect(await stateOf(order)).toEqual(['waiting', '90.00', true]);
});
