/** Tests the events that a merchant's server reads. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {EndpointAnswer} from '../../../../worker/contract/merchant/endpoints.ts';
import type {NewEvent} from '../../../../worker/objects/events/event.ts';
import {advance, DAY, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, storedIn, orderObject, runSweep} from '../../support/durable-objects.ts';
import {callPlatform, pay, setFault} from '../../support/sandbox.ts';
import {breakOutbox, repairOutbox} from '../../support/webhook-receiver.ts';
import {call, expectProblem, fieldsOf, newOrder, read} from './support/merchant-server.ts';

/** Creates an order and a payment notice about it. */
const createNotice = async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '149.9'};
  await read('createOrderCode', order);
  const {notice_code} = await read('createPaymentNotice', {
    ...order,
    bank: 'garanti',
    notice: {name: 'Ayşe Yılmaz', phone: '5321234567'},
  });
  return {order: order.order, notice_code};
};
const vendorEvent = (vendorCode: string): NewEvent => ({
  type: 'vendor.registered',
  key: vendorCode,
  at: Date.now(),
  data: {service: 'DEMO', vendor_code: vendorCode},
});

test('a payment notice creates an event without personal data', async () => {
  const {order, notice_code} = await createNotice();
  expect(await read('listEvents', {})).toEqual({
    items: [
      {
        id: expect.stringMatching(/^evt_/) as string,
        type: 'payment_notice.created',
        created_at: wireTime(),
        data: {service: 'DEMO', order, amount: '149.90', bank_code: 'garanti', notice_code},
      },
    ],
    next_cursor: expect.any(String) as string,
    more: false,
  });
});

test.for([
  ['whose code the Worker created', (order: object) => call('createOrderCode', order)],
  [
    'that only the platform knows',
    ({service: code, order, amount}: {service: string; order: string; amount: string}) =>
      callPlatform('/orderToReference/create', {code, order, amount}),
  ],
] as const)(
  'for an order %s, the event of a payment notice survives an outage of the outbox and a restart',
  async ([kind, createCode]) => {
    const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
    await createCode(order);
    await breakOutbox();
    const {notice_code} = await read('createPaymentNotice', {...order, bank: 'garanti'});
    await abortAllDurableObjects();
    await repairOutbox();
    await advance(10 * SECOND);
    await runDurableObjectAlarm(orderObject(order.order));
    expect((await read('listEvents', {})).items).toMatchObject([
      {type: 'payment_notice.created', data: {...order, bank_code: 'garanti', notice_code}},
    ]);
    if (kind === 'that only the platform knows') expect(await storedIn(orderObject(order.order))).toEqual([[], []]);
  },
);

test.for(['createOrderCode', 'createHostedOrderCode'] as const)(
  'an order that was created with %s creates payment events even if no page is open',
  async (name) => {
    const order = newOrder();
    const {order_code} = await read(name, {service: 'DEMO', order, amount: '149.90', user_id: 'u-1'});
    await pay({order_code, amount: '49.90'});
    await runSweep();
    await read('updateOrderCode', {service: 'DEMO', order, amount: '49.90'});
    await read('completeOrder', {service: 'DEMO', order});
    const common = {service: 'DEMO', order, order_code, offer: null, user_id: 'u-1', paid: '49.90'};
    expect((await read('listEvents', {})).items).toMatchObject([
      {type: 'payment.partial', data: {...common, amount: '149.90', remaining: '100.00'}},
      {type: 'payment.received', data: {...common, amount: '49.90', remaining: '0.00'}},
      {type: 'payment.completed', data: common},
    ]);
  },
);

/** Creates an order code, and loses the platform's reply with the code. */
const loseOrderCode = async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  await setFault({operation: '/orderToReference/create', kind: 'malformed', times: 1, after: true});
  expectProblem(await call('createOrderCode', order), 'outcome_unknown');
  return order;
};

test('money that arrives for an order creates an event even if the reply with the order code was lost', async () => {
  const {order} = await loseOrderCode();
  const {order: code} = await callPlatform('/orderToReference/check', {code: 'DEMO', order});
  await pay({order_code: String(code)});
  await runSweep();
  expect((await read('listEvents', {})).items).toMatchObject([
    {type: 'payment.received', data: {order, order_code: null, paid: '149.90'}},
  ]);
});

test('after a lost order code was looked up, its order still creates payment events a day later', async () => {
  const {service, order} = await loseOrderCode();
  const {order_code} = await read('findOrderCode', {service, order});
  await advance(DAY);
  await pay({order_code});
  await runSweep();
  expect((await read('listEvents', {})).items).toMatchObject([
    {type: 'payment.received', data: {order, order_code, paid: '149.90'}},
  ]);
});

test('after a lost answer and a retry with another amount, the order keeps its original amount', async () => {
  const order = await loseOrderCode();
  expectProblem(await call('createOrderCode', {...order, amount: '99.00'}), 'order_exists', {
    platform: {status: 'ERR_019', message: expect.any(String) as string},
  });
  await advance(DAY);
  const {order: order_code} = await callPlatform('/orderToReference/check', {code: 'DEMO', order: order.order});
  await pay({order_code: String(order_code), amount: '99.00'});
  await runSweep();
  expect((await read('listEvents', {})).items).toMatchObject([
    {type: 'payment.partial', data: {order: order.order, order_code, amount: '149.90', paid: '99.00'}},
  ]);
});

test('if the platform refuses a code, a new order only remembers why, and a prepared order keeps its terms', async () => {
  const refused = {service: 'DEMO', order: newOrder(), amount: '1.00'};
  const session = {
    kind: 'payment',
    origin: 'http://localhost:5173',
    service: 'DEMO',
    order: newOrder(),
    amount: '149.90',
  } as const;
  await read('createSession', session);
  for (const order of [refused, {...refused, order: session.order}]) {
    await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_017', times: 1});
    expect((await call('createOrderCode', order)).status).toBe(422);
  }
  expect(await alarmIn(orderObject(refused.order))).toBe(7 * DAY);
  const terms = {service: 'DEMO', order: session.order, amount: 14990, hours: 72};
  expect(await orderObject(session.order).orderCode(terms)).toMatchObject({amount: 14990});
});

test('a session without the split gets the order’s code, and a session with another user_id is refused', async () => {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {
    service: 'DEMO',
    order,
    amount: '149.90',
    payout: '140.00',
    sub_merchant_id: 31,
    fee: '9.90',
    user_id: 'u-1',
  });
  await read('createSession', {
    kind: 'payment',
    origin: 'http://localhost:5173',
    service: 'DEMO',
    order,
    amount: '149.90',
  });
  const terms = {service: 'DEMO', order, amount: 14990, hours: 72};
  expect(await orderObject(order).orderCode(terms)).toMatchObject({
    code: order_code,
    amount: 14990,
    expiresAt: expect.any(Number),
  });
  const refused = await call('createSession', {
    kind: 'payment',
    origin: 'http://localhost:5173',
    service: 'DEMO',
    order,
    amount: '149.90',
    user_id: 'u-2',
  });
  expect(refused.body).toMatchObject({code: 'order_exists', fields: [{path: 'order'}]});
});

test('a merchant’s server that passes each answer’s cursor to the next request gets every event once', async () => {
  expect(await read('listEvents', {})).toEqual({items: [], next_cursor: null, more: false});
  await contextOf(env)
    .objects.outbox()
    .append(Array.from({length: 230}, (_, index) => vendorEvent(`V-${index}`)));
  const received: string[] = [];
  let cursor: string | null = null;
  for (let more = true; more;) {
    const page: EndpointAnswer<'listEvents'> = await read('listEvents', cursor === null ? {} : {cursor});
    received.push(...page.items.map(({data}) => ('vendor_code' in data ? data.vendor_code : '')));
    ({next_cursor: cursor, more} = page);
  }
  expect(received).toEqual(Array.from({length: 230}, (_, index) => `V-${index}`));
  const {next_cursor: same, ...nothing} = await read('listEvents', {cursor: cursor ?? ''});
  expect(nothing).toEqual({items: [], more: false});
  expect(await read('listEvents', {cursor: same ?? ''})).toMatchObject(nothing);
  await contextOf(env)
    .objects.outbox()
    .append([vendorEvent('V-last')]);
  expect((await read('listEvents', {cursor: cursor ?? ''})).items.map(({data}) => data)).toEqual([
    {service: 'DEMO', vendor_code: 'V-last'},
  ]);
});

test('a cursor of a different list and an invalid cursor are refused', async () => {
  await createNotice();
  const {next_cursor} = await read('listEvents', {});
  for (const [name, cursor, message] of [
    ['listDeadEvents', next_cursor, 'This cursor is too old, or not of this request.'],
    ['listEvents', 'x', 'This cursor is too old, or not of this request.'],
    ['listEvents', '', 'This field is empty.'],
  ] as const)
    expectProblem(await call(name, {cursor}), 'invalid_request', {fields: [{path: 'cursor', message}]});
});

test('if no webhook is configured, there are no dead events, and no event can be sent again', async () => {
  await createNotice();
  expect(await read('listDeadEvents', {})).toEqual({items: [], next_cursor: null, total: 0});
  const id = (await read('listEvents', {})).items[0]?.id ?? '';
  expectProblem(await call('resendEvent', {id}), 'not_configured');
});

test('an event can be sent again to the webhook in the request, or to all that accept its type; unknown ids are refused', async () => {
  await createNotice();
  const id = (await read('listEvents', {})).items[0]?.id ?? '';
  const {id: webhook} = await read('createWebhook', {url: 'https://merchant.example/hook', types: ['refund.failed']});
  expectProblem(await call('resendEvent', {id}), 'not_configured');
  expect(await read('resendEvent', {id, webhook})).toEqual({id, state: 'waiting'});
  await read('updateWebhook', {id: webhook, types: null});
  expect(await read('resendEvent', {id})).toEqual({id, state: 'waiting'});
  expectProblem(await call('resendEvent', {id: 'evt_00000000000000000000000000000000'}), 'not_found');
  expect(fieldsOf(await call('resendEvent', {id: 'evt_1'}))).toEqual(['id']);
});
