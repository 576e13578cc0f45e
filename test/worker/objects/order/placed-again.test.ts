/** An order that ended without a code, and is placed again under the same reference. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {balanceOf} from '../../../../worker/objects/archive/booking.ts';
import {findPastOrder, findRows} from '../../../../worker/objects/archive/find-in-archive.ts';
import {call} from '../../routes/merchant/support/merchant-server.ts';
import {advance, DAY, HOUR, MINUTE, platformTime} from '../../support/clock.ts';
import {isStored, orderObject, repeatAlarm, runSweep} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {askAsPage, askMerchant, openMerchantSession} from '../../support/page.ts';
import {callPlatform, pay, setFault} from '../../support/sandbox.ts';
import {breakOutbox, outboxObject, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();
liftLimitsPerSecond();

const order = 'S-1';
const object = () => orderObject(order);
const placed = {service: 'DEMO', order, amount: '149.90'};
const eventsOf = async () =>
  (await outboxObject().read(0)).items.flatMap(({type, data}) =>
    'late' in data ? [`${type} ${data.paid}${data.late ? ' late' : ''}`] : [],
  );
const rows = async () => {
  const found = await findRows(contextOf(env).objects, 'DEMO', order);
  return found.toSorted((a, b) => a.bookedAt - b.bookedAt || a.number - b.number);
};
const told = async () => (await rows()).map(({type, state, at}) => ({type, state, at}));

/** Opens a payment page of the order, so that the books have it although it has no code. */
async function openPage(): Promise<void> {
  const {token} = await openMerchantSession({kind: 'payment', ...placed});
  expect((await askAsPage('POST', '/v1/payment-pages', {token, body: {}})).status).toBe(200);
}

async function getCode(): Promise<string> {
  const made = await askMerchant('order-codes', placed);
  expect(made.status, made.text).toBe(201);
  return (made.body as {order_code: string}).order_code;
}

async function pass(ms: number): Promise<void> {
  await advance(ms);
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await runSweep();
  await runDurableObjectAlarm(object());
}

/** The order dies after the outbox has heard of its end, and before it is deleted. */
async function dieWhileDeleting(): Promise<void> {
  await advance(8 * DAY);
  await runInDurableObject(object(), (dying) => {
    Object.defineProperty(dying, 'erase', {value: () => new Promise(() => {})});
  });
  void runDurableObjectAlarm(object()).catch(() => {});
  await advance(MINUTE);
  await abortAllDurableObjects();
}

test.each(['nothing dies', 'the order dies before it is deleted, and after the outbox has heard of its end'])(
  'an order that closed without a code and is placed again has its own events, rows and summary: %s',
  async (what) => {
    const first = Date.now();
    await openPage();
    await pass(73 * HOUR);
    await pass(HOUR);
    const ended = [
      {type: 'order.placed', state: 'waiting', at: first},
      {type: 'order.changed', state: 'expired', at: first + 72 * HOUR},
    ];
    await expect.poll(told).toEqual(ended);
    expect(await eventsOf()).toEqual(['payment.expired 0.00']);
    if (what === 'nothing dies') await pass(8 * DAY);
    else {
      await dieWhileDeleting();
      await repeatAlarm(object());
    }
    expect(await isStored(object())).toBe(false);
    const second = Date.now();
    const code = await getCode();
    await pay({order_code: code});
    await pass(MINUTE);
    await expect
      .poll(told)
      .toEqual([
        ...ended,
        {type: 'order.placed', state: 'waiting', at: second},
        {type: 'money.arrived', state: 'paid', at: expect.any(Number) as number},
      ]);
    expect(await eventsOf()).toEqual(['payment.expired 0.00', 'payment.received 149.90']);
    await pass(12 * DAY);
    const past = await findPastOrder(contextOf(env).objects, 'DEMO', (month) => month.findOrder(order));
    expect(past).toMatchObject({code, state: 'paid', createdAt: second, states: [{state: 'waiting'}, {state: 'paid'}]});
  },
);

test('an order that dies when it closes without a code, and is placed again before it is deleted, is the same order', async () => {
  const first = Date.now();
  await openPage();
  await pass(73 * HOUR);
  await pass(HOUR);
  await dieWhileDeleting();
  const code = await getCode();
  await repeatAlarm(object());
  await pay({order_code: code});
  await pass(MINUTE);
  await expect
    .poll(async () => (await told()).map(({type, state}) => [type, state]))
    .toEqual([
      ['order.placed', 'waiting'],
      ['order.changed', 'expired'],
      ['order.amended', null],
      ['money.arrived', 'paid'],
    ]);
  expect(await eventsOf()).toEqual(['payment.expired 0.00', 'payment.received 149.90']);
  expect(await object().details()).toMatchObject({createdAt: first, code});
});

test('an order that is refused, and placed again before the outbox has what happened, is booked once and whole', async () => {
  await breakOutbox();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_008', times: 1});
  const notice = {...placed, bank: 'garanti', redirect_url: 'https://shop.example'};
  await askMerchant('payment-notices', notice);
  const refused = await call('createOrderCode', placed);
  expect(refused.status).not.toBe(201);
  expect(await object().details()).toBeNull();
  await abortAllDurableObjects();
  const code = await getCode();
  await abortAllDurableObjects();
  await repairOutbox();
  await advance(MINUTE);
  await runDurableObjectAlarm(object());
  await pay({order_code: code});
  await pass(MINUTE);
  await expect.poll(async () => (await told()).map(({type}) => type)).toEqual(['order.placed', 'money.arrived']);
  const ids = (await rows()).map(({id}) => id);
  expect(new Set(ids).size).toBe(2);
});

test('an order that expired without a code and then gets one expires again only after a search for its money', async () => {
  await object().prepare({service: 'DEMO', order, amount: 14990, hours: 72}, {});
  await advance(73 * HOUR);
  await runDurableObjectAlarm(object());
  expect(await eventsOf()).toEqual(['payment.expired 0.00']);
  const code = await getCode();
  await advance(72 * HOUR - MINUTE);
  await pay({order_code: code, at: platformTime()});
  await advance(2 * MINUTE);
  await runDurableObjectAlarm(object());
  expect(await eventsOf()).toEqual(['payment.expired 0.00']);
  await pass(HOUR);
  expect(await eventsOf()).toEqual(['payment.expired 0.00', 'payment.received 149.90']);
});

test('an order that has a charge keeps the time at which it was placed when it is prepared again', async () => {
  const terms = {service: 'DEMO', order, amount: 14990, hours: 72};
  const first = Date.now();
  await object().prepare(terms, {});
  const charge = {id: '9001', amount: 5000, at: first, state: 'successful'};
  await object().receiveCharge(charge, first);
  await advance(2 * DAY);
  await object().prepare(terms, {});
  await object().receiveCharge({...charge, state: 'failed'}, Date.now());
  await runDurableObjectAlarm(object());
  expect((await object().details())?.payment).toMatchObject({state: 'waiting', paid: '0.00'});
  await expect
    .poll(async () => (await told()).map(({type}) => type))
    .toEqual(['order.placed', 'money.arrived', 'money.withdrawn', 'order.changed']);
  const past = await findPastOrder(contextOf(env).objects, 'DEMO', (month) => month.findOrder(order));
  expect(past).toMatchObject({createdAt: first, paid: '0.00'});
});

/** Makes an order whose code the platform has and the Worker never learns. @returns the code. */
async function loseCode(): Promise<string> {
  const operations = ['create', 'check'].map((name) => `/orderToReference/${name}`);
  for (const operation of operations) await setFault({operation, kind: 'empty', after: true});
  expect((await call('createOrderCode', placed)).status).toBe(504);
  for (const operation of operations) await setFault({operation, kind: 'clear'});
  const {order: code} = (await callPlatform('/orderToReference/check', {code: 'DEMO', order})) as {order: string};
  return code;
}

async function close(): Promise<void> {
  await pass(73 * HOUR);
  expect(await object().details()).toMatchObject({code: null});
  await pass(12 * DAY);
  expect(await isStored(object())).toBe(false);
  // The sweeps go on for another order.
  expect((await call('createOrderCode', {...placed, order: 'S-2'})).status).toBe(201);
}

test('money for an order that closed without its code is told, and the order has it once it is adopted', async () => {
  const code = await loseCode();
  await close();
  const id = await pay({order_code: code, at: platformTime()});
  await advance(MINUTE);
  await runSweep();
  const {items} = await outboxObject().read(0);
  expect(items.filter(({type}) => type === 'transaction.unmatched').map(({data}) => data)).toMatchObject([
    {transaction_id: id, order},
  ]);
  await expect.poll(async () => (await told()).map(({type}) => type)).toContain('money.unmatched');
  await call('createOrderCode', {...placed, adopt: true});
  await pass(MINUTE);
  expect((await object().details())?.payment).toMatchObject({state: 'paid', paid: '149.90'});
});

test('an order that had money when it closed without its code has the money again once it is adopted, and the books have it once', async () => {
  const code = await loseCode();
  await pass(MINUTE);
  await pay({order_code: code, at: platformTime()});
  await pass(MINUTE);
  expect((await object().details())?.payment).toMatchObject({state: 'paid'});
  await close();
  await call('createOrderCode', {...placed, adopt: true});
  await pass(MINUTE);
  await pass(MINUTE);
  expect((await object().details())?.payment).toMatchObject({state: 'paid', paid: '149.90'});
  await expect.poll(async () => (await rows()).reduce((sum, row) => sum + balanceOf(row), 0)).toBe(14990);
  expect((await told()).filter(({type}) => type.startsWith('money')).map(({type}) => type)).toEqual(
    expect.arrayContaining(['money.arrived', 'money.withdrawn', 'money.arrived']),
  );
});

test('an order that has expired stays expired if the platform refuses its code', async () => {
  await openPage();
  await pass(73 * HOUR);
  await pass(HOUR);
  expect(await eventsOf()).toEqual(['payment.expired 0.00']);
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_008', times: 1});
  expect((await call('createOrderCode', placed)).status).toBe(422);
  expect((await object().details())?.payment.state).toBe('expired');
});
