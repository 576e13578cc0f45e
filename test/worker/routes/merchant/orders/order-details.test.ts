/** Tests `GET /merchant/v1/orders`: all that the Worker knows about one order, without a call to the platform. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {formatInstant, formatMonth} from '../../../../../worker/lib/time.ts';
import {advance, DAY, HOUR, MINUTE} from '../../../support/clock.ts';
import {isStored, orderObject, runSweep} from '../../../support/durable-objects.ts';
import {pay} from '../../../support/sandbox.ts';
import {ask, call, expectProblem, fieldsOf, newOrder, read} from '../support/merchant-server.ts';
import {platformCalls} from '../support/platform-calls.ts';

const CONTACT = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
const orderOf = (order: string) => read('getOrder', {service: 'DEMO', order});

const refundable = (left: string) => ({amount: '0.00', reason: null, left});

async function createOrder(amount = '149.90') {
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service: 'DEMO', order, amount, user_id: 'u-31'});
  return {order, code};
}

/** Runs the sweep, which finds the money, and the order's alarm, which reads the money's status. */
async function findMoney(order: string): Promise<void> {
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
}

test('a merchant sees an order from its code to its money, its completion and its refunds', async () => {
  const createdAt = Date.now();
  const {order, code} = await createOrder();
  const waiting = {
    service: 'DEMO',
    order,
    order_code: code,
    offer: null,
    user_id: 'u-31',
    title: null,
    metadata: {},
    buyer: null,
    parts: [],
    created_at: formatInstant(createdAt),
    deleted_at: formatInstant(createdAt + 72 * HOUR + 7 * DAY),
    payment: {
      state: 'waiting',
      amount: '149.90',
      paid: '0.00',
      refunded: '0.00',
      remaining: '149.90',
      currency: 'TRY',
      late: false,
      refundable: {amount: '0.00', reason: null, left: '0.00'},
      unclear: false,
      amount_unclear: false,
      pay_until: formatInstant(createdAt + 72 * HOUR),
      completed_at: null,
      cancelled_at: null,
      transactions: [],
    },
    // A test before may have searched.
    check: {
      checked_at: expect.toBeOneOf([null, expect.any(String)]) as string | null,
      next_check_at: formatInstant(createdAt),
      open_pages: 0,
    },
    history: [{state: 'waiting', at: formatInstant(createdAt)}],
    payment_notices: [],
    refunds: [],
  };
  expect(await orderOf(order)).toEqual(waiting);
  const {check: _, history: __, ...same} = waiting;

  // The sandbox's clock goes on while the test runs, so the transfers have explicit times.
  const first = await pay({order_code: code, amount: '100.00', at: formatInstant(createdAt)});
  await findMoney(order);
  const transfer = {
    id: first,
    kind: 'transfer',
    amount: '100.00',
    currency: 'TRY',
    bank_name: 'Garanti BBVA',
    time_unknown: false,
    at: formatInstant(createdAt),
    state: 'successful',
  };
  const partial = {
    ...waiting.payment,
    state: 'partial',
    paid: '100.00',
    remaining: '49.90',
    refundable: refundable('100.00'),
    transactions: [transfer],
  };
  expect(await orderOf(order)).toMatchObject({...same, payment: partial});

  await advance(MINUTE);
  const second = await pay({order_code: code, amount: '49.90', at: formatInstant(createdAt + MINUTE)});
  await findMoney(order);
  const transactions = [transfer, {...transfer, id: second, amount: '49.90', at: formatInstant(createdAt + MINUTE)}];
  const paid = {
    ...partial,
    state: 'paid',
    paid: '149.90',
    remaining: '0.00',
    refundable: refundable('149.90'),
    transactions,
  };
  expect(await orderOf(order)).toMatchObject({...same, payment: paid});

  const {id} = await read('createRefund', {service: 'DEMO', order, amount: '10.00', contact: CONTACT});
  const refund = {
    id,
    sub_merchant_id: null,
    refund_link_id: null,
    amount: '10.00',
    status: null,
    state: 'waiting',
    transaction_id: null,
    refund_time: null,
    refund_time_text: null,
    bank_receipt_no: null,
    requested_at: formatInstant(createdAt + MINUTE),
  };
  const withRefund = await orderOf(order);
  expect(withRefund.refunds).toEqual([refund]);
  expect(withRefund.payment?.refundable).toEqual(refundable('139.90'));

  await read('completeOrder', {service: 'DEMO', order});
  expect((await orderOf(order)).payment).toMatchObject({
    state: 'completed',
    completed_at: formatInstant(createdAt + MINUTE),
    refundable: refundable('0.00'),
  });
});

test('reading an order costs no call to the platform and changes nothing', async () => {
  const {order, code} = await createOrder();
  await pay({order_code: code});
  const before = (await platformCalls()).length;
  const first = await orderOf(order);
  for (let count = 0; count < 3; count += 1) expect(await orderOf(order)).toEqual(first);
  expect(first.payment?.state).toBe('waiting');
  expect((await platformCalls()).length).toBe(before);
});

const answerLate = () => scheduler.wait(60_000);

test('if the history does not answer, reading an order fails after two seconds', async () => {
  const {order, code} = await createOrder();
  const history = contextOf(env).objects.archivedOrders('DEMO', formatMonth(Date.now()));
  await runInDurableObject(history, (instance) => {
    Object.assign(instance, {findOrder: answerLate, findOrderByCode: answerLate});
  });
  const refused = await Promise.all([{order}, {code}].map((named) => call('getOrder', {service: 'DEMO', ...named})));
  for (const answer of refused) expectProblem(answer, 'temporarily_unavailable');
  await abortAllDurableObjects();
  expect((await orderOf(order)).history).toMatchObject([{state: 'waiting'}]);
});

test('a prepared order without an order code is waiting, and its code is null', async () => {
  const order = newOrder();
  await read('createSession', {
    kind: 'payment',
    origin: 'http://localhost:5173',
    service: 'DEMO',
    order,
    amount: '5.00',
  });
  expect(await orderOf(order)).toMatchObject({
    order_code: null,
    payment: {state: 'waiting', amount: '5.00', remaining: '5.00', transactions: []},
  });
});

test('money that cannot be counted is listed, and makes the payment unclear', async () => {
  const {order} = await createOrder();
  const at = Date.now();
  const money = {currency: 'TRY', bank: 'garanti', at};
  await orderObject(order).receiveArrivals(
    [
      {...money, id: '9', amount: null, state: 'unknown'},
      {...money, id: '8', amount: 14_990, currency: 'EUR', state: 'unknown'},
      {...money, id: '7', amount: 5_000, at: at - 1000, state: 'refunded'},
    ],
    at,
  );
  await orderObject(order).receiveCharge({id: '6', amount: 4_990, at: at + 1000, state: 'successful'}, at);
  const {payment} = await orderOf(order);
  expect(payment).toMatchObject({paid: '49.90', unclear: true});
  expect(
    payment?.transactions.map(({id, kind, amount, currency, bank_name}) => [id, kind, amount, currency, bank_name]),
  ).toEqual([
    ['7', 'transfer', '50.00', 'TRY', 'garanti'],
    ['8', 'transfer', '149.90', 'EUR', 'garanti'],
    ['9', 'transfer', null, 'TRY', 'garanti'],
    ['6', 'charge', '49.90', 'TRY', null],
  ]);
});

test('a notice that a page sent is listed, without the shopper’s personal data', async () => {
  const {order} = await createOrder();
  const result = await orderObject(order).createNotice({
    bank: 'garanti',
    amount: 14_990,
    shopper: {name: 'Ayşe Yılmaz', email: 'ayse@shop.example', user_ip: '192.0.2.7'},
  });
  const {payment_notices: notices} = await orderOf(order);
  expect(notices).toEqual([
    {
      notice_code: 'code' in result ? result.code : '',
      bank_code: 'garanti',
      amount: '149.90',
      state: 'waiting',
      created_at: formatInstant(Date.now()),
    },
  ]);
});

test('a request for an unknown order gets unknown_order, stores nothing and does not call the platform', async () => {
  for (const order of [newOrder(), 'ö/ä?&=', 'x'.repeat(255)]) {
    expectProblem(await call('getOrder', {service: 'DEMO', order}), 'unknown_order');
    expect(await isStored(orderObject(order))).toBe(false);
  }
  expect(await platformCalls()).toEqual([]);
});

test('the reference of an order is unknown in another service', async () => {
  const {order} = await createOrder();
  const services = {DEMO: {micropaymentId: 1}, MORE: {}};
  expectProblem(await call('getOrder', {service: 'MORE', order}, {bindings: {SERVICES: services}}), 'unknown_order');
});

test('the history of a deleted order and its refunds can still be read, without the user id', async () => {
  const [{order: plain}, {order: refunded, code}] = [await createOrder(), await createOrder()];
  await pay({order_code: code});
  await findMoney(refunded);
  const {id} = await read('createRefund', {service: 'DEMO', order: refunded, amount: '149.90', contact: CONTACT});
  await advance(72 * HOUR + 7 * DAY);
  for (const order of [plain, refunded]) {
    await runDurableObjectAlarm(orderObject(order));
    expect(await isStored(orderObject(order))).toBe(false);
  }
  expect(await orderOf(plain)).toMatchObject({payment: {state: 'expired'}, check: null, refunds: []});
  expect(await orderOf(refunded)).toMatchObject({
    order_code: code,
    user_id: null,
    payment: {state: 'paid', paid: '149.90'},
    check: null,
    payment_notices: [],
    refunds: [{id, amount: '149.90'}],
  });
  expect(await isStored(orderObject(refunded))).toBe(false);
});

test('the refunds of an order are listed in the order of their requests, without those of other orders', async () => {
  const {order} = await createOrder();
  const refunds = contextOf(env).objects.refunds();
  for (const id of ['12', '11']) await refunds.recordRequested({id, service: 'DEMO', order, amount: 100});
  await refunds.recordRequested({id: '13', service: 'DEMO', order: newOrder(), amount: 100});
  expect((await orderOf(order)).refunds.map(({id}) => id)).toEqual(['12', '11']);
});

test.for([
  ['without a service', '?order=S-1', ['service']],
  ['without an order', '?service=DEMO', ['order']],
  ['with an empty order', '?service=DEMO&order=', ['order']],
  ['with an order that is too long', `?service=DEMO&order=${'x'.repeat(256)}`, ['order']],
  ['with two orders', '?service=DEMO&order=S-1&order=S-2', ['order']],
  ['with an unknown field', '?service=DEMO&order=S-1&state=paid', ['state']],
] as const)('a request %s is refused', async ([, query, fields]) => {
  const answer = await ask(`/merchant/v1/orders${query}`);
  expect([answer.status, fieldsOf(answer)]).toEqual([422, [...fields]]);
});

test('a service that is not configured, and a request without the key, are refused', async () => {
  expectProblem(await call('getOrder', {service: 'OTHER', order: 'S-1'}), 'unknown_service', {
    fields: expect.any(Array) as never,
  });
  expectProblem(
    await ask('/merchant/v1/orders?service=DEMO&order=S-1', {headers: {authorization: ''}}),
    'unauthorized',
  );
});
