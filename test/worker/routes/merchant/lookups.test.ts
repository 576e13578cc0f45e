/** Tests what support and finance look up: orders by code and day, money without an order, refunds of a day, events. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {EndpointInput, EndpointName} from '../../../../worker/contract/merchant/endpoints.ts';
import type {MerchantEvent} from '../../../../worker/contract/merchant/events.ts';
import {formatInstant, formatPlatformDay} from '../../../../worker/lib/time.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND} from '../../support/clock.ts';
import {isStored, orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {openSocket} from '../../support/page-socket.ts';
import {askAsPage, openOrder, openSession} from '../../support/page.ts';
import {callPlatform, pay} from '../../support/sandbox.ts';
import {breakOutbox, outboxObject, repairOutbox} from '../../support/webhook-receiver.ts';
import {call, expectProblem, fieldsOf, newOrder, read} from './support/merchant-server.ts';

const today = () => formatPlatformDay(Date.now());

async function createOrder(amount = '149.90') {
  const order = newOrder();
  const {order_code: code} = await read('createOrderCode', {service: 'DEMO', order, amount, user_id: 'u-31'});
  return {order, code};
}

const eventsOfType = async (type: MerchantEvent['type']) => (await read('listEvents', {type})).items;

test('an order is found by its code while it is open, and for 400 days after its last change', async () => {
  const {order, code} = await createOrder();
  const createdAt = Date.now();
  const open = await read('getOrder', {service: 'DEMO', code: code.replaceAll(/(\d{4})(?=\d)/g, '$1 ')});
  expect(open).toEqual(await read('getOrder', {service: 'DEMO', order}));
  expect(open).toMatchObject({order, order_code: code, user_id: 'u-31', payment: {state: 'waiting'}});
  const id = await pay({order_code: code});
  await runSweep();
  await advance(20 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  const closed = await read('getOrder', {service: 'DEMO', code});
  expect(closed).toEqual({
    ...open,
    user_id: null,
    payment: {
      ...open.payment,
      state: 'paid',
      paid: '149.90',
      remaining: '0.00',
      refundable: {amount: '0.00', reason: null, left: '149.90'},
      transactions: [
        {
          id,
          kind: 'transfer',
          amount: '149.90',
          currency: 'TRY',
          bank_name: 'Garanti BBVA',
          at: expect.any(String) as string,
          time_unknown: false,
          state: 'unknown',
        },
      ],
    },
    check: null,
    history: [
      {state: 'waiting', at: formatInstant(createdAt)},
      {state: 'paid', at: formatInstant(createdAt)},
    ],
  });
  expect(await read('getOrder', {service: 'DEMO', order})).toEqual(closed);
  await advance(379 * DAY);
  expect(await read('getOrder', {service: 'DEMO', code})).toEqual(closed);
  await advance(2 * DAY);
  expectProblem(await call('getOrder', {service: 'DEMO', code}), 'unknown_order');
  expectProblem(await call('getOrder', {service: 'DEMO', order}), 'unknown_order');
});

test('support sees when an order was last checked, when it is checked next, and how many pages are open', async () => {
  const {order, token} = await openOrder();
  const check = async () => (await read('getOrder', {service: 'DEMO', order})).check;
  expect(await check()).toMatchObject({checked_at: null, open_pages: 0});
  await openSocket(token);
  await runSweep();
  expect(await check()).toEqual({
    checked_at: formatInstant(Date.now()),
    next_check_at: formatInstant(Date.now() + 3 * SECOND),
    open_pages: 1,
  });
});

const listOrders = async (input: Omit<EndpointInput<'listOrders'>, 'service'>) =>
  (await read('listOrders', {service: 'DEMO', ...input})).items.map(({order, state}) => [order, state]);

test('the orders of a day can be filtered by state, and are sorted by reference', async () => {
  const first = await createOrder();
  await advance(MINUTE);
  const second = await createOrder('20.00');
  await pay({order_code: first.code, amount: '100.00'});
  await runSweep();
  const all = [
    [second.order, 'waiting'],
    [first.order, 'partial'],
  ].sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  expect(await listOrders({day: today()})).toEqual(all);
  expect(await listOrders({day: today(), state: 'partial'})).toEqual([[first.order, 'partial']]);
  expect(await listOrders({day: today(), state: 'paid'})).toEqual([]);
  expect(await listOrders({day: formatPlatformDay(Date.now() - DAY)})).toEqual([]);
});

test('a long day is read page by page, each order once, and a cursor is refused for another query', async () => {
  const history = contextOf(env).objects.archivedOrders('DEMO', today().slice(0, 7));
  const summary = {
    state: 'waiting',
    offer: null,
    title: null,
    metadata: {},
    expiresAt: Date.now() + DAY,
    completedAt: null,
    cancelledAt: null,
    amount: '5.00',
    paid: '0.00',
    refunded: '0.00',
    remaining: '5.00',
    late: false,
    unclear: false,
    money: [],
  } as const;
  const past = Array.from({length: 150}, (_, number) => ({
    order: {...summary, order: `P-${1_000 + number}`, code: String(number), createdAt: Date.now() + number},
    at: Date.now(),
  }));
  await history.saveOrders(past);
  const first = await read('listOrders', {service: 'DEMO', day: today()});
  const second = await read('listOrders', {service: 'DEMO', day: today(), cursor: first.next_cursor ?? ''});
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([100, 50, null]);
  const orders = [...first.items, ...second.items].map(({order}) => order);
  expect(orders).toEqual(Array.from({length: 150}, (_, index) => `P-${1_000 + index}`));
  const other = await call('listOrders', {service: 'DEMO', day: today(), state: 'paid', cursor: first.next_cursor});
  expect(fieldsOf(other)).toEqual(['cursor']);
});

const listUnmatched = async (day = today()) =>
  (await read('listWork', {service: 'DEMO', kind: 'unmatched', from: day, to: day})).items.map(({booking}) => booking);

test('money without an order is reported once, and listed as unmatched', async () => {
  const {code} = await createOrder();
  await runSweep();
  const id = await pay({description: 'lamba', amount: '75.00', sender: 'Deniz Örnek'});
  await pay({order_code: code});
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    await advance(MINUTE);
    await runSweep();
  }
  const [event, ...others] = await eventsOfType('transaction.unmatched');
  expect(others).toEqual([]);
  expect(event?.data).toEqual({
    service: 'DEMO',
    transaction_id: id,
    order: null,
    order_code: null,
    amount: '75.00',
    currency: 'TRY',
    bank_name: 'Garanti BBVA',
    at: expect.any(String) as string,
    time_unknown: false,
  });
  expect(await listUnmatched()).toMatchObject([{transaction_id: id, amount: '75.00', order: null, order_code: null}]);
});

test('money for the code of an order that was forgotten here is reported and listed; other orders’ money is not', async () => {
  const {order, code} = await createOrder();
  const inTime = await pay({order_code: code});
  await runSweep();
  await advance(72 * HOUR + 7 * DAY + MINUTE);
  await createOrder();
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  const id = await pay({order_code: code, at: platformTime()});
  const {order: foreign} = await callPlatform('/orderToReference/create', {code: 'DEMO', order: 'F-1', amount: '1.00'});
  await pay({order_code: String(foreign), at: platformTime()});
  for (let sweeps = 0; sweeps < 2; sweeps += 1) {
    await advance(MINUTE);
    await runSweep();
  }
  expect((await eventsOfType('transaction.unmatched')).map(({data}) => data)).toMatchObject([
    {transaction_id: id, order, order_code: code, amount: '149.90'},
  ]);
  expect(await listUnmatched()).toMatchObject([{transaction_id: id, order, order_code: code}]);
  expect(await listUnmatched(formatPlatformDay(Date.now() - 10 * DAY))).toEqual([]);
  expect(inTime).not.toBe(id);
});

test('money that the sweep brings to an order which was just deleted is reported as money without an order', async () => {
  const {order, code} = await createOrder();
  await runSweep();
  await advance(72 * HOUR + 7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  const id = await pay({order_code: code, at: platformTime()});
  await runSweep();
  expect((await eventsOfType('transaction.unmatched')).map(({data}) => data)).toMatchObject([
    {transaction_id: id, order, order_code: code},
  ]);
  expect(await listUnmatched()).toMatchObject([{transaction_id: id}]);
});

test('money for a cancelled order is listed as soon as the order is deleted, and no sweep looks for it any more', async () => {
  const {order, code} = await createOrder();
  await runSweep();
  await advance(HOUR);
  await read('cancelOrder', {service: 'DEMO', order});
  await advance(7 * DAY + MINUTE);
  await runDurableObjectAlarm(orderObject(order));
  // After days without sweeps, the missed days take turns.
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await runSweep();
  expect(await serviceObject().ages()).toMatchObject({transfers: null});
  await createOrder();
  const id = await pay({order_code: code, at: platformTime()});
  await runSweep();
  expect(await eventsOfType('transaction.unmatched')).toMatchObject([{data: {transaction_id: id, order}}]);
  expect(await listUnmatched()).toMatchObject([{transaction_id: id}]);
});

test('money of an order that the Worker does not have yet is not reported as money without an order', async () => {
  await createOrder();
  const {token, order} = await openSession();
  const {order: code} = await callPlatform('/orderToReference/create', {code: 'DEMO', order, amount: '149.90'});
  const id = await pay({order_code: String(code)});
  await runSweep();
  expect((await askAsPage('POST', '/v1/order-code', {token})).body).toMatchObject({order_code: code});
  await askAsPage('GET', '/v1/payment', {token});
  await advance(MINUTE);
  await runSweep();
  expect((await read('getOrder', {service: 'DEMO', order})).payment).toMatchObject({
    state: 'paid',
    transactions: [{id}],
  });
  expect(await eventsOfType('transaction.unmatched')).toEqual([]);
});

test('money without an order is reported even if the outbox did not work when it was found', async () => {
  await createOrder();
  await pay({description: 'lamba'});
  await breakOutbox();
  await runSweep();
  await repairOutbox();
  expect(await eventsOfType('transaction.unmatched')).toEqual([]);
  await advance(MINUTE);
  await runSweep();
  expect(await eventsOfType('transaction.unmatched')).toHaveLength(1);
});

test('events can be filtered by order and type, and one event can be read by its id', async () => {
  const [first, second] = [await createOrder(), await createOrder()];
  for (const {code} of [first, second]) await pay({order_code: code});
  await runSweep();
  await read('completeOrder', {service: 'DEMO', order: first.order});
  const ofFirst = (await read('listEvents', {service: 'DEMO', order: first.order})).items;
  expect(ofFirst.map(({type}) => type)).toEqual(['payment.received', 'payment.completed']);
  const received = await eventsOfType('payment.received');
  expect(received.map(({data}) => (data as {order: string}).order).sort()).toEqual([first.order, second.order].sort());
  const both = await read('listEvents', {service: 'DEMO', order: first.order, type: 'payment.completed'});
  expect(both.items).toEqual(ofFirst.slice(1));
  expect(await read('getEvent', {id: ofFirst[0]?.id ?? ''})).toEqual(ofFirst[0]);
});

test('a filter that leaves out thousands of events reaches the last event in a few pages', async () => {
  const vendors = Array.from({length: 4_500}, (_, number) => ({
    type: 'vendor.registered' as const,
    key: `v-${number}`,
    at: Date.now(),
    data: {service: 'DEMO', vendor_code: String(number)},
  }));
  await outboxObject().append(vendors);
  const {order, code} = await createOrder();
  await pay({order_code: code});
  await runSweep();
  const pages = [await read('listEvents', {type: 'payment.received'})];
  while (pages.at(-1)?.more)
    pages.push(await read('listEvents', {type: 'payment.received', cursor: pages.at(-1)?.next_cursor ?? ''}));
  expect(pages.map(({items}) => items.length)).toEqual([0, 0, 1]);
  expect(pages.at(-1)?.items).toMatchObject([{data: {order}}]);
});

test('with `from=now`, a server gets only the events that follow', async () => {
  const none = await read('listEvents', {from: 'now'});
  expect(none).toEqual({items: [], next_cursor: null, more: false});
  const [first, second] = [await createOrder(), await createOrder()];
  await pay({order_code: first.code});
  await runSweep();
  const {items, next_cursor: cursor} = await read('listEvents', {from: 'now'});
  expect(items).toEqual([]);
  await pay({order_code: second.code});
  await advance(MINUTE);
  await runSweep();
  const later = await read('listEvents', {cursor: cursor ?? ''});
  expect(later.items).toMatchObject([{data: {order: second.order}}]);
});

const WRONG_FIELDS: readonly (readonly [EndpointName, object, string[]])[] = [
  ['getOrder', {service: 'DEMO'}, ['order']],
  ['getOrder', {service: 'DEMO', order: 'S-1', code: '1'}, ['order']],
  ['listOrders', {service: 'DEMO', day: '2026-02-30'}, ['day']],
  ['listOrders', {service: 'DEMO', day: '2026-02-03', state: 'lost'}, ['state']],
  ['listOrders', {service: 'DEMO', day: '2026-02-03', cursor: 'x'}, ['cursor']],
  ['listEvents', {order: 'S-1'}, ['service']],
  ['listEvents', {type: 'x'}, ['type']],
  ['listEvents', {from: 'yesterday'}, ['from']],
  ['listEvents', {from: 'now', cursor: 'x'}, ['from']],
  ['getEvent', {id: 'evt_1'}, ['id']],
];

test('the problem of a wrong look-up names its fields', async () => {
  for (const [name, input, fields] of WRONG_FIELDS) {
    const answer = await call(name, input);
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([422, fields]);
  }
});

test('unknown services, orders, codes and events are refused, and reading them stores nothing', async () => {
  const day = today();
  for (const name of ['getOrder', 'listOrders'] as const)
    expect((await call(name, {service: 'NOPE', ...(name === 'getOrder' ? {code: '1'} : {day})})).body).toMatchObject({
      code: 'unknown_service',
    });
  expectProblem(await call('getOrder', {service: 'DEMO', code: '999'}), 'unknown_order');
  expectProblem(await call('getOrder', {service: 'DEMO', order: 'S-unknown'}), 'unknown_order');
  expectProblem(await call('getEvent', {id: `evt_${'0'.repeat(32)}`}), 'not_found');
  expect((await read('listOrders', {service: 'DEMO', day})).items).toEqual([]);
  const {objects} = contextOf(env);
  expect(await isStored(orderObject('S-unknown'))).toBe(false);
  expect(await isStored(objects.archivedOrders('DEMO', day.slice(0, 7)))).toBe(false);
});
