/**
 * Tests what happens if the platform refuses an order code that the merchant's server requested, while pages may use
 * the order.
 */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {withLogScope} from '../../../../worker/lib/log-scope.ts';
import {OrderCode} from '../../../../worker/objects/order/order-code.ts';
import type {OrderAccess} from '../../../../worker/objects/order/order-effects.ts';
import {EMPTY_ORDER, isUntracked, type OrderState} from '../../../../worker/objects/order/order-state.ts';
import {PlatformError} from '../../../../worker/platform/failure.ts';
import {advance, HOUR, SECOND} from '../../support/clock.ts';
import {storedIn, orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {callPlatform, calls, countCalls, hold, pay, release, untilHeld} from '../../support/sandbox.ts';

freshWorker();

const CREATE = '/orderToReference/create';
const CHECK = '/orderToReference/check';
const terms = {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72};
const part = {amount: 14990, payout: '140.00', subMerchantId: '31', fee: '9.90'};
const preparation = {parts: [part], userId: 'u-1'};
const testOrder = () => orderObject(terms.order);
const outboxEvents = async () => (await contextOf(env).objects.outbox().read(0)).items;
const page = {
  terms,
  page: {serviceId: '1', item: 'Lamp', successUrl: 'https://shop.example/ok', failureUrl: 'https://shop.example/no'},
  reopen: false,
};

test('after a refusal, an order that did not exist before is deleted, and an existing order has its earlier terms again', async () => {
  await testOrder().expectCode(terms, preparation);
  await testOrder().codeRefused(false);
  expect(await storedIn(testOrder())).toEqual([[], []]);
  await testOrder().prepare(terms, {});
  await testOrder().expectCode({...terms, amount: 100}, preparation);
  await testOrder().codeRefused(false);
  expect((await testOrder().payment(terms)).amount).toBe('149.90');
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBeNull();
});

test('after two concurrent requests for the code, the order keeps its amount until both requests are refused', async () => {
  for (let count = 0; count < 2; count += 1) await testOrder().expectCode(terms, preparation);
  await testOrder().codeRefused(false);
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBe(14990);
  await testOrder().codeRefused(false);
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBeNull();
});

test('if a code exists that an interrupted request may have made, the order looks it up', async () => {
  await testOrder().prepare(terms, {});
  await testOrder().expectCode(terms, {});
  await abortAllDurableObjects();
  const {order: code} = await callPlatform(CREATE, {code: 'DEMO', order: 'S-1', amount: '149.90'});
  await testOrder().expectCode(terms, {});
  await testOrder().codeRefused(true);
  const searches = await countCalls(CHECK);
  expect(await testOrder().orderCode(terms, {mayCreate: false})).toMatchObject({code});
  expect(await countCalls(CHECK)).toBe(searches);
});

test.for([
  ['that the Worker did not know', undefined],
  ['that was prepared with a lower amount', {...terms, amount: 9900}],
] as const)('an order %s keeps the split of a session that was made before the refusal', async ([_what, before]) => {
  if (before) await testOrder().prepare(before, {});
  await testOrder().expectCode(terms, preparation);
  expect(await testOrder().prepare(terms, preparation)).toBeNull();
  await testOrder().codeRefused(false);
  expect(await testOrder().orderCode(terms)).toMatchObject({amount: 14990});
  expect((await calls(CREATE)).map(({params}) => params)).toEqual([
    {
      code: 'DEMO',
      order: 'S-1',
      amount: '149.90',
      payout: '140.00',
      sub_merchant_id: '31',
      fee: '9.90',
      user_id: 'u-1',
    },
  ]);
});

describe('after the refusal', () => {
  const arrived = {state: 'paid', paid: '149.90', remaining: '0.00'};

  test('money is found if it is paid on a payment page that was opened before the refusal', async () => {
    await testOrder().expectCode(terms, {});
    expect(await testOrder().openPaymentPage(page)).toMatchObject({url: expect.any(String) as string});
    await testOrder().codeRefused(false);
    await testOrder().receiveCharge({id: '9001', amount: 14990, at: Date.now(), state: 'successful'}, Date.now());
    expect(await testOrder().payment(terms)).toMatchObject(arrived);
    expect(await outboxEvents()).toMatchObject([
      {type: 'payment.received', data: {order: 'S-1', order_code: null, paid: '149.90'}},
    ]);
  });

  test('money is not taken while nobody knows whose order it names, nor after the refusal', async () => {
    await testOrder().expectCode(terms, {});
    const receive = () =>
      testOrder().receiveArrivals(
        [{id: '77001', amount: 14990, currency: 'TRY', bank: 'Garanti BBVA', at: Date.now(), state: 'successful'}],
        Date.now(),
      );
    expect(await receive()).toMatchObject({isUndecided: true});
    await testOrder().codeRefused(false);
    expect(await receive()).toEqual({settled: false, createdAt: null});
    expect(await outboxEvents()).toEqual([]);
  });

  test('money is found if it is paid with a code that a page had made before the refusal', async () => {
    await testOrder().expectCode(terms, {});
    const [result] = await Promise.all([testOrder().orderCode(terms), testOrder().codeRefused(false)]);
    const {code} = result as {code: string};
    expect(await countCalls(CREATE)).toBe(1);
    await pay({order_code: code});
    await runSweep();
    expect(await testOrder().payment(terms)).toMatchObject(arrived);
    expect(await outboxEvents()).toMatchObject([
      {type: 'payment.received', data: {order: 'S-1', order_code: code, paid: '149.90'}},
    ]);
  });
});

test('a page whose request was not sent does not undo the request of the merchant’s server', async () => {
  let state = EMPTY_ORDER;
  const call = async (operation: string) => {
    await code.expect(terms, {}, 'create');
    throw new PlatformError(operation, {outcome: 'unsent', retryAfterMs: 1});
  };
  const code: OrderCode = new OrderCode({
    state: () => state,
    commit: (change: (order: OrderState, now: number) => OrderState) =>
      Promise.resolve(void (state = change(state, Date.now()))),
    services: () => ({...contextOf(env), platform: {call}}),
  } as unknown as OrderAccess);
  expect(await code.get(terms)).toMatchObject({failure: {outcome: 'unsent'}});
  expect(state.record && isUntracked(state.record)).toBe(true);
});

/** Asks as a request does. Only then the methods of objects can be replaced. */
const askCode = () => withLogScope({request_id: '1'}, () => testOrder().orderCode(terms));

test('a change of the amount while a page’s code is requested is refused, and a code that the page got later counts', async () => {
  await testOrder().prepare(terms, {});
  await hold(CREATE);
  const asked = askCode();
  await untilHeld();
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBe(terms.amount);
  await release(CREATE);
  expect(await asked).toMatchObject({amount: terms.amount});
});

test('if the request for the code is interrupted, the alarm makes the sweep look for the order’s money', async () => {
  await hold(CREATE, {after: true});
  const asked = askCode().catch(() => 'interrupted');
  await untilHeld();
  await abortAllDurableObjects();
  expect(await asked).toBe('interrupted');
  await advance(10 * SECOND);
  await runDurableObjectAlarm(testOrder());
  const query = 'SELECT code, closes_at AS until FROM tracked';
  const tracked = await runInDurableObject(serviceObject(), (_sweep, {storage}) => storage.sql.exec(query).toArray());
  expect(tracked).toEqual([{code: null, until: Date.now() + HOUR}]);
});
