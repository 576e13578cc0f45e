import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {describe, expect, test, vi} from 'vitest';
import {OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, orderObject, replaceBindings, runSweep, sweepObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {type Answer, askAsPage, newAddress, openOrder, openSession, read, showPayment} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, callPlatform, callsDuring, control, countCalls, setLine, pay, setFault} from '../../support/sandbox.ts';

freshWorker();

const CREATE = '/orderToReference/create';
const CHECK = '/orderToReference/check';
const askCode = (token: string): Promise<Answer> => askAsPage('POST', '/v1/order-code', {token});
const codeOf = (answer: Answer): string => read(answer, OrderCode).order_code;
const made = async () => [await countCalls(CREATE), await countCalls(CHECK)];

test('gives the shopper a code for what the session says, and asks the platform for nothing else', async () => {
  const {token, order} = await openSession();
  const answer = await askCode(token);
  expect(read(answer, OrderCode)).toEqual({
    order_code: expect.stringMatching(/^\d{12}$/) as string,
    order,
    amount: '149.90',
    currency: 'TRY',
    pay_until: expect.any(String) as string,
  });
  const hoursLeft = (Date.parse(read(answer, OrderCode).pay_until) - Date.now()) / HOUR;
  expect(Math.round(hoursLeft)).toBe(72);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect((await calls()).map(({method, path, params}) => ({method, path, params}))).toEqual([
    {method: 'POST', path: '/phs/orderToReference/create', params: {code: 'DEMO', order, amount: '149.90'}},
  ]);
});

test('fifty pages that ask at once are given one code of one order', async () => {
  const {token} = await openSession();
  const codes = await Promise.all(Array.from({length: 50}, async () => codeOf(await askCode(token))));
  expect(new Set(codes).size).toBe(1);
  expect(await made()).toEqual([1, 0]);
  expect(codeOf(await askCode(token))).toBe(codes[0]);
  expect(await made()).toEqual([1, 0]);
});

test.for(['empty', 'malformed', '500-html', 'redirect'] as const)(
  'the answer got lost on the way (%s): the order is read back and not made twice',
  async (kind) => {
    const {token} = await openSession();
    await setFault({operation: CREATE, kind, after: true, times: 1});
    const code = codeOf(await askCode(token));
    expect(await made()).toEqual([1, 1]);
    expect(codeOf(await askCode(token))).toBe(code);
  },
);

test('the line broke after the order was made: the next request reads it back', async () => {
  await openOrder();
  const {token, order} = await openSession();
  await setLine('truncated');
  expectProblem(await askCode(token), PROBLEMS.temporarily_unavailable);
  await setLine('open');
  const code = codeOf(await askCode(token));
  expect(await callPlatform(CHECK, {code: 'DEMO', order})).toMatchObject({status: '000', order: code});
  expect((await calls(CREATE)).filter(({params}) => params['order'] === order)).toHaveLength(1);
});

test('an order that never reached the platform is made by the next request', async () => {
  await openOrder();
  const {token} = await openSession();
  await setLine('reset');
  expectProblem(await askCode(token), PROBLEMS.temporarily_unavailable);
  await setLine('open');
  codeOf(await askCode(token));
});

test('an order that is there already is read back', async () => {
  const {token, order} = await openSession();
  const {order: code} = await callPlatform(CREATE, {code: 'DEMO', order, amount: '149.90'});
  expect(codeOf(await askCode(token))).toBe(code);
});

test('the object is cut off while the platform makes the order: the next request finds it', async () => {
  const {token, order} = await openSession();
  await setFault({operation: CREATE, kind: 'delay', delay_ms: 400, after: true, times: 1});
  const cutOff = askCode(token);
  await vi.waitFor(async () => expect(await countCalls(CREATE)).toBe(1), {timeout: 10_000});
  await abortAllDurableObjects();
  expectProblem(await cutOff, PROBLEMS.internal);
  const {order: found} = await callPlatform(CHECK, {code: 'DEMO', order});
  expect(codeOf(await askCode(token))).toBe(found);
  expect(await countCalls(CREATE)).toBe(1);
});

test('the object sleeps and wakes with its code', async () => {
  const {token, order, code} = await openOrder();
  await evictDurableObject(orderObject(order));
  expect(codeOf(await askCode(token))).toBe(code);
  expect(await made()).toEqual([1, 0]);
});

test('half an hour later the session still tells the code, and makes no new one', async () => {
  const {token, code} = await openOrder();
  const late = await openSession();
  await advance(30 * MINUTE - SECOND);
  codeOf(await askCode(late.token));
  const later = await openSession();
  await advance(30 * MINUTE);
  expect(codeOf(await askCode(token))).toBe(code);
  const before = await made();
  expectProblem(await askCode(later.token), PROBLEMS.session_expired);
  expect(await made()).toEqual(before);
});

test('who comes back after half an hour finds the code whose making was cut off, and pays with it', async () => {
  const {token, order} = await openSession();
  await setFault({operation: CREATE, kind: 'delay', delay_ms: 400, after: true, times: 1});
  const cutOff = askCode(token);
  await vi.waitFor(async () => expect(await countCalls(CREATE)).toBe(1), {timeout: 10_000});
  await abortAllDurableObjects();
  await cutOff;
  await advance(DAY);
  await setFault({operation: CHECK, kind: '500-html'});
  expectProblem(await askCode(token), PROBLEMS.temporarily_unavailable);
  await setFault({operation: CHECK, kind: 'clear'});
  const code = codeOf(await askCode(token));
  expect(await callPlatform(CHECK, {code: 'DEMO', order})).toMatchObject({status: '000', order: code});
  await pay({order_code: code});
  await runSweep();
  expect(await showPayment(token)).toMatchObject({state: 'paid'});
  expect(await countCalls(CREATE)).toBe(1);
});

test('who comes back after half an hour to an order that the platform never made is told that it is over', async () => {
  const {token} = await openSession();
  await setFault({operation: CREATE, kind: 'status', status: 'ERR_005', times: 1});
  expectProblem(await askCode(token), PROBLEMS.platform_refused);
  await advance(HOUR);
  expectProblem(await askCode(token), PROBLEMS.session_expired);
  expect(await made()).toEqual([1, 1]);
});

test('an order that never got its code is not looked for longer than somebody may ask for it', async () => {
  const {token} = await openSession();
  await setFault({operation: CREATE, kind: 'status', status: 'ERR_005', times: 1});
  await askCode(token);
  expect(await alarmIn(sweepObject())).not.toBeNull();
  await advance(HOUR);
  expect(await callsDuring('/transaction/search', runSweep)).toBe(0);
  expect(await alarmIn(sweepObject())).toBeNull();
});

test('a session that has come to its end tells nothing', async () => {
  const {token} = await openOrder();
  await advance(7 * 24 * 60 * MINUTE);
  expectProblem(await askCode(token), PROBLEMS.session_expired);
});

describe('one address', () => {
  const bindings = {LIMITS: {address_orders_per_minute: 3}};
  const askFrom = (address: string, token: string) =>
    askAsPage('POST', '/v1/order-code', {token, bindings, headers: {'cf-connecting-ip': address}});

  test('makes so many orders of a service in any minute, exactly, and others are not kept waiting', async () => {
    const address = newAddress();
    const sessions = await Promise.all(Array.from({length: 8}, openSession));
    const answers = await Promise.all(sessions.map(({token}) => askFrom(address, token)));
    const refused = sessions.filter((_session, index) => answers[index]?.status !== 200);
    expect([refused.length, await countCalls(CREATE)]).toEqual([5, 3]);
    for (const answer of answers.filter(({status}) => status !== 200)) {
      expectProblem(answer, PROBLEMS.rate_limited);
      expect(answer.headers.get('retry-after')).toBe('60');
    }
    for (const {token} of refused.slice(0, 3)) codeOf(await askFrom(newAddress(), token));
    await advance(MINUTE);
    for (const {token} of refused) codeOf(await askFrom(address, token));
  });

  test('that has none left still shows the codes it has', async () => {
    const address = newAddress();
    const sessions = await Promise.all(Array.from({length: 4}, openSession));
    const codes: string[] = [];
    for (const {token} of sessions.slice(0, 3)) codes.push(codeOf(await askFrom(address, token)));
    expectProblem(await askFrom(address, sessions[3]?.token ?? ''), PROBLEMS.rate_limited);
    for (let count = 0; count < 5; count += 1)
      expect(codeOf(await askFrom(address, sessions[0]?.token ?? ''))).toBe(codes[0]);
  });

  test('that asks again and again for one order, while the platform fails, has made one', async () => {
    const address = newAddress();
    const [waiting, next] = [await openSession(), await openSession()];
    await setFault({operation: CREATE, kind: 'status', status: 'ERR_005'});
    for (let count = 0; count < 5; count += 1)
      expectProblem(await askFrom(address, waiting.token), PROBLEMS.platform_refused);
    await setFault({operation: CREATE, kind: 'clear'});
    for (const {token} of [waiting, next]) codeOf(await askFrom(address, token));
  });
});

test('a token that expired is renewed on the way, unnoticed', async () => {
  await openOrder();
  await control('tokens/expire');
  const {token} = await openSession();
  codeOf(await askCode(token));
  expect(await countCalls('/getToken')).toBe(1);
});

test('an order the platform refuses is forgotten when its time is over', async () => {
  const {token, order} = await openSession();
  await setFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_005', times: 1});
  await askAsPage('POST', '/v1/order-code', {token});
  expect(await alarmIn(orderObject(order))).toBe(72 * HOUR);
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  await advance(7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(
    await runInDurableObject(orderObject(order), (_object, {storage}) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'arrivals'").toArray(),
    ),
  ).toEqual([]);
});

test('a question for a status that fails in us does not end an order’s clock', async () => {
  const {order, code} = await openOrder();
  await pay({order_code: code});
  await runSweep();
  await replaceBindings(orderObject(order), {MERCHANT_KEY: undefined});
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(orderObject(order))).toBe(30 * SECOND);
});
