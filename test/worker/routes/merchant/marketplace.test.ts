/** Tests orders with parts of several sub-merchants: in a session, at the platform, on a page and in `GET /orders`. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {exports} from 'cloudflare:workers';
import {describe, expect, inject, test} from 'vitest';
import {advance, DAY} from '../../support/clock.ts';
import {orderObject} from '../../support/durable-objects.ts';
import {logLines} from '../../support/log-lines.ts';
import {refundsObject} from '../../support/notifications.ts';
import {control, hold, pay, release, untilHeld} from '../../support/sandbox.ts';
import {call, expectProblem, newOrder, read, WORKER} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';
import {contact, injectFault, liftPlatformLimits} from './support/refundable-orders.ts';

const ORIGIN = 'http://localhost:5173';
const CREATE = '/orderToReference/create';

liftPlatformLimits();

interface Orders {
  readonly orders: readonly object[];
}

const PART = {sub_merchant_id: '31', amount: '100.00', payout: '90.00', fee: '10.00'};
const LAST = {sub_merchant_id: '33', amount: '20.00', payout: '20.00', fee: '0'};
const PARTS = [PART, {sub_merchant_id: '32', amount: '49.90', payout: '45 TL', fee: '4.9'}, LAST];
const sessionInput = (order = newOrder()) => ({
  kind: 'payment' as const,
  origin: ORIGIN,
  service: 'DEMO',
  order,
  amount: '169.90',
  parts: PARTS,
});

/** Opens the page of an order with parts, and lets its shopper ask for the code. */
async function openPage(input = sessionInput()) {
  const {token} = await read('createSession', input);
  const ask = async (path: string) => {
    const headers = {origin: ORIGIN, authorization: `Bearer ${token}`, 'content-type': 'application/json'};
    const answer = await exports.default.fetch(new Request(`${WORKER}${path}`, {method: 'POST', headers, body: '{}'}));
    return {status: answer.status, body: await answer.json<Record<string, unknown>>()};
  };
  const askForCode = () => ask('/v1/order-code');
  const getOrder = () => read('getOrder', {service: 'DEMO', order: input.order});
  const states = async () => (await getOrder()).parts.map(({state}) => state);
  return {order: input.order, ask, askForCode, getOrder, states};
}

/** The sub-merchants and amounts of the requests that the platform got. */
const sentParts = async (operation: string) =>
  (await platformCalls(operation)).map(({params}) => [params['sub_merchant_id'], params['amount']]);
const created = () => sentParts(CREATE);
const EACH = PARTS.map(({sub_merchant_id: id, amount}) => [id, amount]);

test.for([
  [
    'beside one split',
    {...PART, parts: PARTS, amount: '169.90'},
    'Expected either parts or the split of one sub-merchant.',
  ],
  ['of one sub-merchant twice', {parts: [PART, PART], amount: '200.00'}, 'Expected one part for each sub-merchant.'],
  ['with another sum', {parts: PARTS, amount: '169.91'}, 'Expected parts whose amounts add up to `amount`.'],
] as const)('parts %s are refused', async ([, fields, message]) => {
  expectProblem(await call('createSession', {...sessionInput(), ...fields}), 'invalid_request', {
    fields: [{path: 'parts', message}],
  });
});

describe('if the platform takes a part of each sub-merchant', () => {
  test('a page shows one code and the sum, and the server sees parts, payouts and refunds', async () => {
    const input = sessionInput();
    const {order, askForCode, getOrder} = await openPage(input);
    expect((await getOrder()).parts.map(({state}) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    const {body} = await askForCode();
    expect(body).toMatchObject({order, amount: '169.90'});
    const {order_code: code} = body;
    expect((await askForCode()).body).toMatchObject({order_code: code});
    expect(await created()).toEqual(EACH);
    expect((await platformCalls(CREATE))[1]?.params).toMatchObject({payout: '45 TL', fee: '4.9'});
    expect((await call('createSession', input)).status).toBe(201);
    const swapped = {...input, parts: [{...PART, payout: '1'}, ...PARTS.slice(1)]};
    expectProblem(await call('createSession', swapped), 'order_exists', {fields: expect.any(Array) as never});

    await pay({order_code: String(code), amount: '169.90'});
    const refund = {service: 'DEMO', order, contact, sub_merchant_id: '32'};
    for (const amount of ['9.90', '1.00']) await read('createRefund', {...refund, amount});
    await control('day-end', {notify: 'post'});
    await advance(DAY);
    await runDurableObjectAlarm(refundsObject());
    const {parts, refunds} = await getOrder();
    expect(refunds.map((one) => [one.sub_merchant_id, one.amount])).toEqual([
      ['32', '9.90'],
      ['32', '1.00'],
    ]);
    expect(parts).toEqual([
      {...PART, order_code: code, state: 'created', refunded: '0.00'},
      {...PARTS[1], fee: '4.90', order_code: code, state: 'created', refunded: '10.90'},
      {...LAST, fee: '0.00', order_code: code, state: 'created', refunded: '0.00'},
    ]);
    // The history keeps the parts after the order is deleted.
    await advance(10 * DAY);
    await runDurableObjectAlarm(orderObject(order));
    expect(await getOrder()).toMatchObject({check: null, parts});
  });

  test.for([
    ['empty', {after: true}, '169.90'],
    ['empty', {}, '120.00'],
    ['status', {status: 'ERR_010'}, '120.00'],
  ] as const)(
    'a part is not sent again after a lost answer or an internal error: %s %j',
    async ([fault, more, due]) => {
      const {order, askForCode, getOrder, states} = await openPage();
      await injectFault(CREATE, 'delay', {delay_ms: 1, times: 1});
      await injectFault(CREATE, fault, {...more, times: 1});
      const {status, body} = await askForCode();
      expect([status, body['amount']]).toEqual([200, '169.90']);
      await askForCode();
      expect(await created()).toEqual(EACH);
      expect(await states()).toEqual(['created', 'unknown', 'created']);
      expect(logLines('order_part_missing')).toMatchObject([{order}]);
      // At the platform nothing is there twice.
      const {order_code: code} = await getOrder();
      const {orders} = await (await fetch(`${inject('sandboxUrl')}/_sandbox/orders?limit=1`)).json<Orders>();
      expect(orders).toMatchObject([{order_code: code, amount: due}]);
    },
  );

  test('the platform’s bank page gets the parts too', async () => {
    const {ask} = await openPage();
    expect((await ask('/v1/hosted-payment')).status).toBe(200);
    expect(await sentParts('/orderToReference/direct')).toEqual(EACH);
  });

  test('if the process dies during the request for a part, no part is requested twice', async () => {
    const {askForCode, states} = await openPage();
    await injectFault(CREATE, 'delay', {delay_ms: 1, times: 1});
    await hold(CREATE, {times: 1});
    const first = askForCode();
    await untilHeld(1);
    await abortAllDurableObjects();
    await release(CREATE);
    await first;
    expect((await askForCode()).body).toMatchObject({amount: '169.90'});
    expect(await created()).toEqual(EACH);
    expect(await states()).toEqual(['created', 'unknown', 'created']);
  });
});

test('if the platform refuses the last part, no page shows the code', async () => {
  await control('readings', {sub_merchant_parts: 'refused'});
  const {askForCode, getOrder, states} = await openPage({
    ...sessionInput(),
    amount: '149.90',
    parts: PARTS.slice(0, 2),
  });
  for (const _ of [1, 2]) expect((await askForCode()).status).toBe(502);
  expect(await states()).toEqual(['created', 'waiting']);
  expect((await getOrder()).order_code).toBeNull();
});

test('if the platform refuses a second part, no page shows the code, and only this part is requested again', async () => {
  await control('readings', {sub_merchant_parts: 'refused'});
  const {order, askForCode, getOrder, states} = await openPage();
  for (const count of [1, 2]) {
    const {status, body} = await askForCode();
    expect([status, body['code']]).toEqual([502, 'platform_refused']);
    expect(await created()).toEqual([EACH[0], ...Array.from({length: count}, () => EACH[1])]);
  }
  expect(await states()).toEqual(['created', 'waiting', 'waiting']);
  expect(await getOrder()).toMatchObject({order_code: null, payment: {amount: '169.90'}});
  await control('readings', {sub_merchant_parts: 'same_code'});
  // The merchant's server may add a part itself.
  await read('createOrderCode', {service: 'DEMO', order, ...LAST});
  expect((await askForCode()).body).toMatchObject({order_code: (await getOrder()).parts[0]?.order_code});
  expect(await created()).toEqual([EACH[0], EACH[1], EACH[1], EACH[2], EACH[1]]);
  expect(await states()).toEqual(['created', 'created', 'created']);
});
