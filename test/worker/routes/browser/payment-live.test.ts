import {evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, orderObject, runSweep, sweepObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket, PageSocket, requestSocket} from '../../support/page-socket.ts';
import {askAsPage, openOrder, openSession, ORIGIN, showPayment} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {pay} from '../../support/sandbox.ts';

freshWorker();

/** Another session of the same order, as a page of the merchant's may hold, that reads for so long. */
const signFor = (order: string, readMs: number) =>
  contextOf(env).sessions.sign({
    kind: 'payment',
    origin: ORIGIN,
    terms: {service: 'DEMO', order, amount: 14990, hours: 72},
    createUntil: 0,
    readUntil: Date.now() + readMs,
  });

test('tells where the payment stands on open and on every change, and never the same twice', async () => {
  const {token, code} = await openOrder();
  const page = await openSocket(token);
  expect(await page.next()).toEqual({
    state: 'waiting',
    amount: '149.90',
    paid: '0.00',
    remaining: '149.90',
    late: false,
    unclear: false,
    notice: null,
    handed_over_at: null,
    transactions: [],
    as_of: wireTime(),
  });
  await runSweep();
  await showPayment(token);
  expect(await page.rest()).toEqual([]);
  const id = await pay({order_code: code, amount: '49.90'});
  await advance(3 * SECOND);
  await runSweep();
  expect(await page.rest()).toMatchObject([{state: 'partial', paid: '49.90', as_of: wireTime(), transactions: [{id}]}]);
  await pay({order_code: code, amount: '100.00'});
  await advance(3 * SECOND);
  await runSweep();
  await runSweep();
  expect(await page.rest()).toMatchObject([{state: 'paid', paid: '149.90'}]);
});

test('the handshake names the protocol and never the session', async () => {
  const {token} = await openOrder();
  const answer = await requestSocket(`vezne.v1, ${token}`);
  expect(answer.status).toBe(101);
  expect(answer.headers.get('sec-websocket-protocol')).toBe('vezne.v1');
  expect(JSON.stringify([...answer.headers])).not.toContain(token);
  if (answer.webSocket) new PageSocket(answer.webSocket).close();
});

test('every page of the order is told', async () => {
  const {token, code} = await openOrder();
  const pages = await Promise.all(Array.from({length: 5}, () => openSocket(token)));
  await pay({order_code: code});
  await runSweep();
  for (const page of pages) expect((await page.rest()).map(({state}) => state)).toEqual(['waiting', 'paid']);
});

test('a page may listen before it has its code, and is told all the same', async () => {
  const {token} = await openSession();
  const page = await openSocket(token);
  expect((await page.next()).state).toBe('waiting');
  const {body} = await askAsPage('POST', '/v1/order-code', {token});
  await pay({order_code: (body as {order_code: string}).order_code});
  await runSweep();
  expect(await page.rest()).toMatchObject([{state: 'paid'}]);
});

test('a page of an order that sleeps is told when money wakes it', async () => {
  const {token, order, code} = await openOrder();
  const page = await openSocket(token);
  expect((await page.next()).state).toBe('waiting');
  await evictDurableObject(orderObject(order), {webSockets: 'hibernate'});
  expect(await page.rest()).toEqual([]);
  await pay({order_code: code});
  await runSweep();
  expect((await page.next()).state).toBe('paid');
  await evictDurableObject(orderObject(order), {webSockets: 'hibernate'});
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.rest()).toEqual([]);
});

test('the hours go by and the page is told, without anybody asking', async () => {
  const {token, order} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  expect(await alarmIn(orderObject(order))).toBe(72 * HOUR);
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.rest()).toMatchObject([{state: 'expired'}]);
});

test('an order that closes says goodbye', async () => {
  const {order} = await openOrder();
  const page = await openSocket(await signFor(order, 11 * DAY));
  await page.next();
  await advance(72 * HOUR + 7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.closed).toEqual({code: 1000, reason: 'order closed'});
});

test('a completed order is told', async () => {
  const {token, order} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  await orderObject(order).markCompleted();
  expect(await page.rest()).toMatchObject([{state: 'completed'}]);
});

test('the twenty-first page takes the place of the first', async () => {
  const {token, code} = await openOrder();
  const pages: PageSocket[] = [];
  for (let count = 0; count < 23; count += 1) pages.push(await openSocket(token));
  for (const page of pages.slice(0, 3)) expect(await page.closed).toEqual({code: 1013, reason: 'too many pages'});
  await pay({order_code: code});
  await runSweep();
  for (const page of pages.slice(3)) expect((await page.rest()).map(({state}) => state)).toEqual(['waiting', 'paid']);
});

test('a page that talks is not listened to, and stays open', async () => {
  const {token} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  for (const text of ['hello', '{"amount":"0.01"}', 'x'.repeat(10_000)]) page.send(text);
  expect(await page.rest()).toEqual([]);
});

test('asks for a session as its second subprotocol', async () => {
  const {token} = await openOrder();
  for (const protocols of [
    null,
    '',
    'vezne.v1',
    `vezne.v2, ${token}`,
    token,
    `${token}, vezne.v1`,
    'vezne.v1, x',
    `vezne.v1, ${token}x`,
  ]) {
    expectProblem(await requestSocket(protocols), PROBLEMS.unauthorized);
  }
  await advance(7 * DAY);
  expectProblem(await requestSocket(`vezne.v1, ${token}`), PROBLEMS.session_expired);
});

test('a socket ends with the session of its page, and another page goes on', async () => {
  const {token, order, code} = await openOrder();
  const [brief, long] = [await openSocket(await signFor(order, HOUR)), await openSocket(token)];
  for (const page of [brief, long]) expect(await page.next()).toMatchObject({state: 'waiting'});
  expect(await alarmIn(orderObject(order))).toBe(HOUR);
  await evictDurableObject(orderObject(order), {webSockets: 'hibernate'});
  await advance(HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await brief.closed).toEqual({code: 4401, reason: 'session ended'});
  await pay({order_code: code});
  await runSweep();
  expect((await long.rest()).map(({state}) => state)).toEqual(['paid']);
});

test('a socket that was opened before there was a code ends with its session too', async () => {
  const {order} = await openSession();
  const page = await openSocket(await signFor(order, HOUR));
  await advance(HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.closed).toEqual({code: 4401, reason: 'session ended'});
  expect(await alarmIn(orderObject(order))).toBeNull();
});

test('a page that asks whether it is still heard is answered, also while the order sleeps', async () => {
  const {token, order} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  await evictDurableObject(orderObject(order), {webSockets: 'hibernate'});
  expect(await page.rest()).toEqual([]);
});

test('a request that is no WebSocket is told what this address takes', async () => {
  const {token} = await openOrder();
  const answer = await askAsPage('GET', '/v1/payment/live', {token});
  expectProblem(answer, {
    ...PROBLEMS.invalid_request,
    status: 426,
    fields: [{path: '', message: 'This endpoint requires a WebSocket.'}],
  });
});

test('while a page listens the platform is asked every 3 s, then 15 s, then 60 s; after it left, every 5 min', async () => {
  const {token} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  const pauses: (number | null)[] = [];
  for (const stepMs of [0, 9 * MINUTE + 50 * SECOND, 10 * SECOND, 49 * MINUTE, MINUTE]) {
    await advance(stepMs);
    await runSweep();
    pauses.push(await alarmIn(sweepObject()));
  }
  expect(pauses).toEqual([3, 3, 15, 15, 60].map((seconds) => seconds * SECOND));
  page.close();
  expect(await page.closed).toEqual({code: 1000, reason: ''});
  await advance(2 * MINUTE);
  await runSweep();
  expect(await alarmIn(sweepObject())).toBe(5 * MINUTE);
});

test('a listening page still counts after another page only read once', async () => {
  const {token} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  await advance(MINUTE);
  await showPayment(token);
  await advance(5 * MINUTE);
  await runSweep();
  expect(await alarmIn(sweepObject())).toBe(3 * SECOND);
  page.close();
});
