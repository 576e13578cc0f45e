/** POST /v1/order-code: creating and finding the order code of a session. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {describe, expect, test} from 'vitest';
import {Handoff, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {
  alarmIn,
  isStored,
  orderObject,
  replaceBindings,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  type Answer,
  ask,
  askAsPage,
  newAddress,
  openMerchantSession,
  openOrder,
  openSession,
  read,
  SELLER,
  showPayment,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {
  callPlatform,
  calls,
  callsDuring,
  clearCalls,
  control,
  countCalls,
  hold,
  pay,
  setFault,
  setLine,
  untilHeld,
} from '../../support/sandbox.ts';

freshWorker();

/** The seller of the offer in wrangler.toml. */

const CREATE = '/orderToReference/create';
const CHECK = '/orderToReference/check';
const requestCode = (token: string): Promise<Answer> => askAsPage('POST', '/v1/order-code', {token});
const codeOf = (answer: Answer): string => read(answer, OrderCode).order_code;
const countCreateAndCheck = async () => [await countCalls(CREATE), await countCalls(CHECK)];

test('the order code is created from the session’s terms with a single platform call', async () => {
  await ask('/v1/banks');
  await clearCalls();
  const {token, order} = await openSession();
  const answer = await requestCode(token);
  expect(read(answer, OrderCode)).toEqual({
    order_code: expect.stringMatching(/^\d{12}$/) as string,
    order,
    amount: '149.90',
    currency: 'TRY',
    pay_until: expect.any(String) as string,
    // The account is null, because the request names no bank and the list has several banks.
    account: null,
    seller: SELLER,
  });
  const hoursLeft = (Date.parse(read(answer, OrderCode).pay_until) - Date.now()) / HOUR;
  expect(Math.round(hoursLeft)).toBe(72);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect((await calls()).map(({method, path, params}) => ({method, path, params}))).toEqual([
    {method: 'POST', path: '/phs/orderToReference/create', params: {code: 'DEMO', order, amount: '149.90'}},
  ]);
});

test('the answer with a code has the seller that the merchant’s server named, also on a second device', async () => {
  const seller = {name: 'Pazar · Ada Seramik', support_url: 'https://shop.example/help?order=S-1'};
  const session = {kind: 'payment', service: 'DEMO', order: `S-${Date.now()}`, amount: '20.00'};
  const unnamed = await openMerchantSession(session);
  expect(read(await requestCode(unnamed.token), OrderCode).seller).toBeUndefined();
  // The merchant's server may name a seller after the code was created. A later session without one keeps the seller.
  const {token} = await openMerchantSession({...session, seller});
  await openMerchantSession(session);
  expect(read(await requestCode(token), OrderCode).seller).toEqual(seller);
  const {code} = read(await askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201);
  const {body} = await askAsPage('POST', '/v1/handoffs/redeem', {body: {code}});
  expect(read(await requestCode((body as {token: string}).token), OrderCode).seller).toEqual(seller);
});

test('fifty concurrent requests for one order get the same code', async () => {
  const {token} = await openSession();
  const codes = await Promise.all(Array.from({length: 50}, async () => codeOf(await requestCode(token))));
  expect(new Set(codes).size).toBe(1);
  expect(await countCreateAndCheck()).toEqual([1, 0]);
  expect(codeOf(await requestCode(token))).toBe(codes[0]);
  expect(await countCreateAndCheck()).toEqual([1, 0]);
});

test.for(['empty', 'malformed', '500-html', 'redirect'] as const)(
  'if the platform’s reply is lost (%s), the code is read back and not created twice',
  async (kind) => {
    const {token} = await openSession();
    await setFault({operation: CREATE, kind, after: true, times: 1});
    const code = codeOf(await requestCode(token));
    expect(await countCreateAndCheck()).toEqual([1, 1]);
    expect(codeOf(await requestCode(token))).toBe(code);
  },
);

test('if the connection breaks after the code was created, the next request reads the code back', async () => {
  await openOrder();
  const {token, order} = await openSession();
  await setLine('truncated');
  expectProblem(await requestCode(token), PROBLEMS.temporarily_unavailable);
  await setLine('open');
  const code = codeOf(await requestCode(token));
  expect(await callPlatform(CHECK, {code: 'DEMO', order})).toMatchObject({status: '000', order: code});
  expect((await calls(CREATE)).filter(({params}) => params['order'] === order)).toHaveLength(1);
});

test('an order that never reached the platform gets its code with the next request', async () => {
  await openOrder();
  const {token} = await openSession();
  await setLine('reset');
  expectProblem(await requestCode(token), PROBLEMS.temporarily_unavailable);
  await setLine('open');
  codeOf(await requestCode(token));
});

test('if the platform already has the order, the Worker reads its code back', async () => {
  const {token, order} = await openSession();
  const {order: code} = await callPlatform(CREATE, {code: 'DEMO', order, amount: '149.90'});
  expect(codeOf(await requestCode(token))).toBe(code);
});

test('if the order’s object is aborted during the creation of the code, the next request finds the code', async () => {
  const {token, order} = await openSession();
  await hold(CREATE, {after: true});
  const interrupted = requestCode(token);
  await untilHeld();
  await abortAllDurableObjects();
  expectProblem(await interrupted, PROBLEMS.internal);
  const {order: found} = await callPlatform(CHECK, {code: 'DEMO', order});
  expect(codeOf(await requestCode(token))).toBe(found);
  expect(await countCalls(CREATE)).toBe(1);
});

test('an order keeps its code across an eviction', async () => {
  const {token, order, code} = await openOrder();
  await evictDurableObject(orderObject(order));
  expect(codeOf(await requestCode(token))).toBe(code);
  expect(await countCreateAndCheck()).toEqual([1, 0]);
});

test('after half an hour a session still returns its order code, but creates no new code', async () => {
  const {token, code} = await openOrder();
  const late = await openSession();
  await advance(30 * MINUTE - SECOND);
  codeOf(await requestCode(late.token));
  const later = await openSession();
  await advance(30 * MINUTE);
  expect(codeOf(await requestCode(token))).toBe(code);
  const before = await countCreateAndCheck();
  expectProblem(await requestCode(later.token), PROBLEMS.session_expired);
  expect(await countCreateAndCheck()).toEqual(before);
});

test('after an interrupted creation, a shopper who returns a day later gets the code and can pay with it', async () => {
  const {token, order} = await openSession();
  await hold(CREATE, {after: true});
  const interrupted = requestCode(token);
  await untilHeld();
  await abortAllDurableObjects();
  await interrupted;
  await advance(DAY);
  await setFault({operation: CHECK, kind: '500-html'});
  expectProblem(await requestCode(token), PROBLEMS.temporarily_unavailable);
  await setFault({operation: CHECK, kind: 'clear'});
  const code = codeOf(await requestCode(token));
  expect(await callPlatform(CHECK, {code: 'DEMO', order})).toMatchObject({status: '000', order: code});
  await pay({order_code: code});
  await runSweep();
  expect(await showPayment(token)).toMatchObject({state: 'paid'});
  expect(await countCalls(CREATE)).toBe(1);
});

test('after half an hour a session without an order code gets session_expired', async () => {
  const {token} = await openSession();
  await setFault({operation: CREATE, kind: 'status', status: 'ERR_005', times: 1});
  expectProblem(await requestCode(token), PROBLEMS.platform_refused);
  await advance(HOUR);
  expectProblem(await requestCode(token), PROBLEMS.session_expired);
  expect(await countCreateAndCheck()).toEqual([1, 0]);
});

test('sweeps for an order without a code stop after one that began when its session may no longer create one', async () => {
  const {token, order} = await openSession();
  await setFault({operation: CREATE, kind: '500-html', times: 1});
  await requestCode(token);
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(serviceObject())).not.toBeNull();
  await advance(HOUR);
  expect(await callsDuring('/transaction/search', runSweep)).toBeGreaterThan(0);
  await advance(HOUR);
  await runSweep();
  expect(await callsDuring('/transaction/search', runSweep)).toBe(0);
  expect(await alarmIn(serviceObject())).toBeNull();
});

test('an expired session shows no order code', async () => {
  const {token} = await openOrder();
  await advance(7 * 24 * 60 * MINUTE);
  expectProblem(await requestCode(token), PROBLEMS.session_expired);
});

describe('the order limit of an address', () => {
  const bindings = {LIMITS: {address_unpaid_orders_per_day: 3}};
  const requestCodeFrom = (address: string, token: string) =>
    askAsPage('POST', '/v1/order-code', {token, bindings, headers: {'cf-connecting-ip': address}});

  test('an address at its limit still gets the codes of its existing orders', async () => {
    const address = newAddress();
    const sessions = await Promise.all(Array.from({length: 4}, openSession));
    const codes: string[] = [];
    for (const {token} of sessions.slice(0, 3)) codes.push(codeOf(await requestCodeFrom(address, token)));
    expectProblem(await requestCodeFrom(address, sessions[3]?.token ?? ''), PROBLEMS.rate_limited);
    for (let count = 0; count < 5; count += 1)
      expect(codeOf(await requestCodeFrom(address, sessions[0]?.token ?? ''))).toBe(codes[0]);
  });
});

test('an expired platform token is renewed without an error for the shopper', async () => {
  await openOrder();
  await control('tokens/expire');
  const {token} = await openSession();
  codeOf(await requestCode(token));
  expect(await countCalls('/getToken')).toBe(1);
});

test('an order that the platform refuses is deleted a week after its deadline', async () => {
  const {token, order} = await openSession();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_005', times: 1});
  await askAsPage('POST', '/v1/order-code', {token});
  expect(await alarmIn(orderObject(order))).toBe(72 * HOUR);
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  await advance(7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await isStored(orderObject(order))).toBe(false);
});

test('an internal error during a status check does not stop the order’s alarms', async () => {
  const {order, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  await replaceBindings(orderObject(order), {MERCHANT_KEY: undefined});
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(orderObject(order))).toBe(MINUTE);
});
