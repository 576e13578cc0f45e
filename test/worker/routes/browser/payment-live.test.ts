/** GET /v1/payment/live: the WebSocket that sends a payment to a page. */

import {evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, isStored, orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket, PageSocket, requestSocket} from '../../support/page-socket.ts';
import {
  askAsPage,
  askMerchant,
  openOrder,
  openSession,
  ORIGIN,
  showPayment,
  waitingPayment,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {pay} from '../../support/sandbox.ts';

freshWorker();

/** Signs another session of the order, with which a page may read the payment for `readMs`. */
const signReadSession = (order: string, readMs: number) =>
  contextOf(env).sessions.sign({
    kind: 'payment',
    origin: ORIGIN,
    terms: {service: 'DEMO', order, amount: 14990, hours: 72},
    createUntil: 0,
    readUntil: Date.now() + readMs,
  });

test('a socket sends the payment when it opens and on every change, and sends no payment twice', async () => {
  const {token, order, code} = await openOrder();
  const page = await openSocket(token);
  const first = await page.next();
  expect(first).toEqual(waitingPayment(order, code));
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
  const last = await page.rest();
  expect(last).toMatchObject([{state: 'paid', paid: '149.90'}]);
  expect(last[0]?.revision).toBeGreaterThan(first.revision);
  expect((await showPayment(token)).revision).toBe(last[0]?.revision);
});

test('the answer to the handshake names the protocol but not the session', async () => {
  const {token} = await openOrder();
  const answer = await requestSocket(`vezne.v1, ${token}`);
  expect(answer.status).toBe(101);
  expect(answer.headers.get('sec-websocket-protocol')).toBe('vezne.v1');
  expect(JSON.stringify([...answer.headers])).not.toContain(token);
  if (answer.webSocket) new PageSocket(answer.webSocket).close();
});

test('the Worker sends the state “paid” to every open page of an order', async () => {
  const {token, code} = await openOrder();
  const pages = await Promise.all(Array.from({length: 5}, () => openSocket(token)));
  await pay({order_code: code});
  await runSweep();
  for (const page of pages) expect((await page.rest()).map(({state}) => state)).toEqual(['waiting', 'paid']);
});

test('a page that opens its socket before the order code exists gets all later changes', async () => {
  const {token} = await openSession();
  const page = await openSocket(token);
  expect((await page.next()).state).toBe('waiting');
  const {body} = await askAsPage('POST', '/v1/order-code', {token});
  await pay({order_code: (body as {order_code: string}).order_code});
  await runSweep();
  expect(await page.rest()).toMatchObject([{state: 'paid'}]);
});

test('a page gets changes from an order that was hibernating', async () => {
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

test('a page is notified when the order expires, without sending a request', async () => {
  const {token, order} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  expect(await alarmIn(orderObject(order))).toBe(72 * HOUR);
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.rest()).toMatchObject([{state: 'expired'}]);
});

test('a page with a part of the money is notified that the time to pay is over', async () => {
  const {token, order, code} = await openOrder();
  const page = await openSocket(token);
  await pay({order_code: code, amount: '49.90'});
  await runSweep();
  await page.rest();
  await advance(72 * HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.rest()).toMatchObject([{state: 'partial', overdue: true}]);
});

test('a page is notified that its money is on its way back', async () => {
  const {token, order, code} = await openOrder();
  const page = await openSocket(token);
  await pay({order_code: code});
  await runSweep();
  await page.rest();
  const contact = {name: 'Ayşe Yılmaz', iban: 'TR330006100519786457841326'};
  await askMerchant('refunds', {service: 'DEMO', order, amount: '149.90', contact});
  expect(await page.rest()).toMatchObject([{state: 'paid', refunding: '149.90'}]);
});

test('when an order closes, it closes its sockets', async () => {
  const {order} = await openOrder();
  const page = await openSocket(await signReadSession(order, 11 * DAY));
  await page.next();
  await advance(72 * HOUR + 7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.closed).toEqual({code: 1000, reason: 'order closed'});
});

test('a page is notified when the order is completed', async () => {
  const {token, order} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  await orderObject(order).markCompleted(null);
  expect(await page.rest()).toMatchObject([{state: 'completed'}]);
});

test('each page after the twentieth closes the socket of the oldest page', async () => {
  const {token, code} = await openOrder();
  const pages: PageSocket[] = [];
  for (let count = 0; count < 23; count += 1) pages.push(await openSocket(token));
  for (const page of pages.slice(0, 3)) expect(await page.closed).toEqual({code: 1013, reason: 'too many pages'});
  await pay({order_code: code});
  await runSweep();
  for (const page of pages.slice(3)) expect((await page.rest()).map(({state}) => state)).toEqual(['waiting', 'paid']);
});

test('messages from a page are ignored and do not close its socket', async () => {
  const {token} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  for (const text of ['hello', '{"amount":"0.01"}', 'x'.repeat(10_000)]) page.send(text);
  expect(await page.rest()).toEqual([]);
});

test('a socket needs a session as its second subprotocol', async () => {
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

test('when a page’s session expires, its socket closes and the other pages stay connected', async () => {
  const {token, order, code} = await openOrder();
  const [brief, long] = [await openSocket(await signReadSession(order, HOUR)), await openSocket(token)];
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

test('a socket that was opened before the order code exists closes when its session ends', async () => {
  const {order} = await openSession();
  const page = await openSocket(await signReadSession(order, HOUR));
  await advance(HOUR);
  await runDurableObjectAlarm(orderObject(order));
  expect(await page.closed).toEqual({code: 4401, reason: 'session ended'});
  expect(await alarmIn(orderObject(order))).toBeNull();
});

test('a ping is answered even while the order hibernates', async () => {
  const {token, order} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  await evictDurableObject(orderObject(order), {webSockets: 'hibernate'});
  expect(await page.rest()).toEqual([]);
});

test('an address that opens too many sockets is refused without waking an order', async () => {
  const {token} = await openOrder();
  const ADDRESS_RATE = {limit: ({key}: {key: string}) => Promise.resolve({success: !key.startsWith('sockets ')})};
  expectProblem(await requestSocket(`vezne.v1, ${token}`, {bindings: {ADDRESS_RATE}}), PROBLEMS.rate_limited);
});

test('a request without a WebSocket upgrade gets 426', async () => {
  const {token} = await openOrder();
  const answer = await askAsPage('GET', '/v1/payment/live', {token});
  expectProblem(answer, {
    ...PROBLEMS.invalid_request,
    status: 426,
    fields: [{path: '', message: 'This endpoint requires a WebSocket.'}],
  });
});

test('while a socket is open, sweeps run every 3 s, then 15 s, then 60 s; after that, every 5 min', async () => {
  const {token} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  const delays: (number | null)[] = [];
  for (const stepMs of [0, 9 * MINUTE + 50 * SECOND, 10 * SECOND, 49 * MINUTE, MINUTE]) {
    await advance(stepMs);
    await runSweep();
    delays.push(await alarmIn(serviceObject()));
  }
  expect(delays).toEqual([3, 3, 15, 15, 60].map((seconds) => seconds * SECOND));
  page.close();
  expect(await page.closed).toEqual({code: 1000, reason: ''});
  await advance(2 * MINUTE);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(5 * MINUTE);
});

test('after the last page of an order without a code has closed, nothing of the order stays stored', async () => {
  const {token, order} = await openSession();
  const [first, second] = [await openSocket(token), await openSocket(token)];
  first.close();
  await first.closed;
  expect(await isStored(orderObject(order))).toBe(true);
  second.close();
  await second.closed;
  await expect.poll(() => isStored(orderObject(order))).toBe(false);
  expect((await askAsPage('POST', '/v1/order-code', {token, body: {}})).status).toBe(200);
});

test('while one page has an open socket, sweeps stay frequent, even if another page reads and leaves', async () => {
  const {token} = await openOrder();
  const page = await openSocket(token);
  await page.next();
  await advance(MINUTE);
  await showPayment(token);
  await advance(5 * MINUTE);
  await runSweep();
  expect(await alarmIn(serviceObject())).toBe(3 * SECOND);
  page.close();
});
