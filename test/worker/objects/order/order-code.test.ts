/** Tests the one way to an order's code, of pages and of the merchant's server, and what its refusal leaves. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {withLogScope} from '../../../../worker/lib/log-scope.ts';
import type {ServerCodeResult} from '../../../../worker/objects/order/order-code-requests.ts';
import {OrderCode} from '../../../../worker/objects/order/order-code.ts';
import type {OrderAccess} from '../../../../worker/objects/order/order-effects.ts';
import type {OrderParts} from '../../../../worker/objects/order/order-parts.ts';
import {
  EMPTY_ORDER,
  opened,
  type OrderState,
  type Preparation,
  withRecord,
} from '../../../../worker/objects/order/order-state.ts';
import {PlatformClient} from '../../../../worker/platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../../../worker/platform/failure.ts';
import type {OrderTerms} from '../../../../worker/session.ts';
import {advance, HOUR, SECOND} from '../../support/clock.ts';
import {orderObject, runSweep, storedIn, serviceObject} from '../../support/durable-objects.ts';
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
const requestOf = (amount: string, prepared: Preparation = {}, isRepeated = false) => ({
  request: {operation: 'orderCodeCreate', input: {code: 'DEMO', order: 'S-1', amount}} as const,
  preparation: {...prepared, by: 'root'},
  adopt: false,
  isRepeated,
});
const askAsServer = (asked: OrderTerms = terms, prepared: Preparation = {}): Promise<ServerCodeResult> =>
  testOrder().createCode(asked, requestOf('149.90', prepared));

const REFUSED: PlatformFailure = {outcome: 'refused', status: 'ERR_030', message: ''};
const UNSENT: PlatformFailure = {outcome: 'unsent', retryAfterMs: 1};

/**
 * The platform answers its next call with this failure, once `fail` is called. Flags, because a promise of one object
 * cannot be resolved by another one.
 */
function nextCall(failure = REFUSED): {readonly begun: () => Promise<void>; readonly fail: () => void} {
  const is = {begun: false, failed: false};
  const client = vi.spyOn(PlatformClient.prototype, 'call').mockImplementationOnce(async (operation) => {
    is.begun = true;
    await vi.waitUntil(() => is.failed, {interval: 1});
    throw new PlatformError(operation, failure);
  });
  onTestFinished(() => client.mockRestore());
  return {begun: () => expect.poll(() => is.begun).toBe(true), fail: () => void (is.failed = true)};
}

/** The server asks, and the platform has not answered yet. @returns what refuses the request. */
async function askRefused(asked: OrderTerms = terms, prepared: Preparation = {}): Promise<() => Promise<void>> {
  const {begun, fail} = nextCall();
  const answer = askAsServer(asked, prepared);
  await begun();
  return async () => {
    fail();
    expect(await answer).toMatchObject({failure: REFUSED});
  };
}

test('after a refusal, only the call is left of an order that did not exist before, and an existing order has its earlier terms again', async () => {
  await (
    await askRefused(terms, preparation)
  )();
  expect(await storedIn(testOrder())).toMatchObject([
    [],
    [['order', {...EMPTY_ORDER, calls: [{what: 'code.failed', by: 'root'}]}]],
  ]);
  await testOrder().prepare(terms, {});
  await (
    await askRefused({...terms, amount: 100}, preparation)
  )();
  expect((await testOrder().payment(terms)).amount).toBe('149.90');
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBeNull();
});

test('after two concurrent requests for the code, the order keeps its amount until both requests are refused', async () => {
  const refuseFirst = await askRefused(terms, preparation);
  const {begun, fail} = nextCall();
  const second = askAsServer(terms, preparation);
  await refuseFirst();
  await begun();
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBe(14990);
  fail();
  expect(await second).toMatchObject({failure: REFUSED});
  expect(await testOrder().prepare({...terms, amount: 9900}, {})).toBeNull();
});

test('if a code exists that an interrupted request may have made, the order looks it up', async () => {
  await testOrder().prepare(terms, {});
  await hold(CREATE, {after: true});
  const interrupted = askAsServer().catch(() => {});
  await untilHeld();
  await abortAllDurableObjects();
  await release(CREATE);
  await interrupted;
  expect(await askAsServer()).toMatchObject({failure: {status: 'ERR_019'}, isForeign: false});
  const searches = await countCalls(CHECK);
  const {order: code} = await callPlatform(CHECK, {code: 'DEMO', order: 'S-1'});
  expect(await testOrder().orderCode(terms, {mayCreate: false})).toMatchObject({code});
  expect(await countCalls(CHECK)).toBe(searches + 1);
});

test.for([
  ['that the Worker did not know', undefined],
  ['that was prepared with a lower amount', {...terms, amount: 9900}],
] as const)('an order %s keeps the split of a session that was made before the refusal', async ([_what, before]) => {
  if (before) await testOrder().prepare(before, {});
  const refuse = await askRefused(terms, preparation);
  expect(await testOrder().prepare(terms, preparation)).toBeNull();
  await refuse();
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

const receive = () =>
  testOrder().receiveArrivals(
    [{id: '77001', amount: 14990, currency: 'TRY', bank: 'Garanti BBVA', at: Date.now(), state: 'successful'}],
    Date.now(),
  );

describe('after the refusal', () => {
  const arrived = {state: 'paid', paid: '149.90', remaining: '0.00'};

  test('money is found if it is paid on a payment page that was opened before the refusal', async () => {
    const refuse = await askRefused();
    expect(await testOrder().openPaymentPage(page)).toMatchObject({url: expect.any(String) as string});
    await refuse();
    await testOrder().receiveCharge({id: '9001', amount: 14990, at: Date.now(), state: 'successful'}, Date.now());
    expect(await testOrder().payment(terms)).toMatchObject(arrived);
    expect(await outboxEvents()).toMatchObject([
      {type: 'payment.received', data: {order: 'S-1', order_code: null, paid: '149.90'}},
    ]);
  });

  test('money is not taken while nobody knows whose order it names, nor after the refusal', async () => {
    const refuse = await askRefused();
    expect(await receive()).toMatchObject({isUndecided: true});
    await refuse();
    expect(await receive()).toEqual({settled: false, createdAt: null});
    expect(await outboxEvents()).toEqual([]);
  });

  test('money is found if it is paid with a code for which a page had asked before the refusal', async () => {
    const refuse = await askRefused();
    const [result] = await Promise.all([testOrder().orderCode(terms), refuse()]);
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
  const {begun, fail} = nextCall(UNSENT);
  const asked = testOrder().orderCode(terms);
  await begun();
  const made = askAsServer();
  fail();
  expect(await asked).toEqual({failure: UNSENT});
  const {code} = (await made) as {code: string};
  expect(await testOrder().orderCode(terms)).toMatchObject({code});
});

test('pages and servers that ask at the same time ask the platform once, and get one code', async () => {
  await hold(CREATE, {after: true});
  const made = askAsServer();
  await untilHeld();
  const pages = [testOrder().orderCode(terms), testOrder().orderCode(terms, {mayCreate: false})];
  await release(CREATE);
  const {code} = (await made) as {code: string};
  expect(await Promise.all(pages)).toMatchObject([{code}, {code}]);
  expect([await countCalls(CREATE), await countCalls(CHECK)]).toEqual([1, 0]);
});

/** The order's object died during the first try of a server's request. */
describe('a repeated try', () => {
  const open = opened(EMPTY_ORDER, terms, 0);
  const asked = withRecord(open, {requested: true});
  const split = (code: string | undefined): OrderParts => [
    {amount: 10000, subMerchantId: '30', code: '1'},
    {...part, amount: 4990, code},
  ];
  const second = {parts: [{...part, amount: 4990}]};
  const UNKNOWN = {failure: {outcome: 'unknown', fault: 'connection'}, operation: 'orderCodeCreate'};

  test.for<[what: string, before: OrderState, prepared: Preparation, answer: object, operations: string[]]>([
    ['asks if the first one stored nothing', EMPTY_ORDER, {}, {code: 'new'}, ['orderCodeCreate']],
    ['asks if the first one stored nothing of a prepared order', open, {}, {code: 'new'}, ['orderCodeCreate']],
    ['finds the code', asked, {}, {code: 'found'}, ['orderCodeCheck']],
    ['finds the code of a split order', asked, preparation, {code: 'found'}, ['orderCodeCheck']],
    ['knows the code', withRecord(asked, {code: '1'}), {}, {code: '1'}, []],
    ['knows the code of its part', withRecord(asked, {code: '1', parts: split('2')}), second, {code: '2'}, []],
    ['knows nothing of its part', withRecord(asked, {code: '1', parts: split(undefined)}), second, UNKNOWN, []],
    ['takes no code of another amount', withRecord(asked, {amount: 1}), {}, UNKNOWN, []],
    ['takes no known code of another amount', withRecord(asked, {amount: 1, code: '1'}), {}, UNKNOWN, []],
    [
      'finds the code if its amount was changed meanwhile',
      withRecord(asked, {amount: 1, changed: true}),
      {},
      {code: 'found'},
      ['orderCodeCheck'],
    ],
  ])('%s', async ([_what, before, prepared, answer, operations]) => {
    let state = before;
    const made: string[] = [];
    const call = async (operation: string) => {
      made.push(operation);
      return {order: operation === 'orderCodeCheck' ? 'found' : 'new'};
    };
    const code = new OrderCode({
      state: () => state,
      commit: async (change: (order: OrderState, now: number) => OrderState) =>
        void (state = change(state, Date.now())),
      services: () => ({...contextOf(env), platform: {call}}),
    } as unknown as OrderAccess);
    expect(await code.create(terms, requestOf('149.90', prepared, true))).toMatchObject(answer);
    expect(made).toEqual(operations);
    expect(state.record?.amount).toBe(before.record?.amount ?? terms.amount);
    if (made.length === 0) expect(state.record?.parts).toEqual(before.record?.parts);
  });
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
