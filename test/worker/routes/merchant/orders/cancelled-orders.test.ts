/** Orders that the merchant's server cancels, and what the server stores with an order. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {OrderCode} from '../../../../../worker/contract/browser/answers.ts';
import {formatPlatformDay} from '../../../../../worker/lib/time.ts';
import {advance, DAY, HOUR, wireTime, platformTime} from '../../../support/clock.ts';
import {orderObject, runSweep} from '../../../support/durable-objects.ts';
import {openSocket} from '../../../support/page-socket.ts';
import {askAsPage, openMerchantSession, read as readAnswer, ORIGIN, showPayment} from '../../../support/page.ts';
import {expectProblem as expectPageProblem, PROBLEMS} from '../../../support/problems.ts';
import {countCalls, hold, pay, release, untilHeld} from '../../../support/sandbox.ts';
import {call, expectProblem, fieldsOf, newOrder, read} from '../support/merchant-server.ts';

const SESSION = {kind: 'payment', service: 'DEMO', amount: '149.90'};
const askForCode = (token: string) => askAsPage('POST', '/v1/order-code', {token, body: {}});
const cancel = (order: string) => call('cancelOrder', {service: 'DEMO', order});
const paymentEvents = async (order: string) =>
  (await read('listEvents', {service: 'DEMO', order})).items.map(({type, data}) => [
    type,
    'paid' in data ? data.paid : null,
    'late' in data ? data.late : null,
  ]);

test('a cancelled order asks for no money, and money that comes all the same is reported as such', async () => {
  const order = newOrder();
  const {token} = await openMerchantSession({...SESSION, order});
  const {order_code} = readAnswer(await askForCode(token), OrderCode);
  const socket = await openSocket(token);
  expect((await socket.next()).state).toBe('waiting');
  const answer = {service: 'DEMO', order, state: 'cancelled', paid: '0.00', cancelled_at: wireTime()};
  expect((await cancel(order)).body).toEqual(answer);
  expect(await socket.next()).toMatchObject({state: 'cancelled', paid: '0.00'});
  await advance(HOUR);
  expect((await cancel(order)).body).toEqual(answer);
  await pay({order_code});
  await runSweep();
  expect(await showPayment(token)).toMatchObject({state: 'cancelled', paid: '149.90', late: true});
  expect(await paymentEvents(order)).toEqual([
    ['payment.cancelled', '0.00', false],
    ['payment.cancelled', '149.90', true],
  ]);
  expectProblem(await call('createSession', {...SESSION, kind: 'payment', origin: ORIGIN, order}), 'order_cancelled');
  socket.close();
});

test('no code and no payment page is created for a cancelled order, whether a page or a server asks', async () => {
  const order = newOrder();
  const {token} = await openMerchantSession({...SESSION, order});
  expect((await cancel(order)).status).toBe(200);
  expect(await showPayment(token)).toMatchObject({state: 'cancelled'});
  expectPageProblem(await askForCode(token), PROBLEMS.order_cancelled);
  for (const path of ['/v1/payment-pages', '/v1/hosted-payment'])
    expectPageProblem(await askAsPage('POST', path, {token, body: {}}), PROBLEMS.order_cancelled);
  for (const name of ['createOrderCode', 'createHostedOrderCode'] as const)
    expectProblem(await call(name, {service: 'DEMO', order, amount: '149.90'}), 'order_cancelled');
  expect(await countCalls('/orderToReference')).toBe(0);
});

test('an order that is cancelled while the platform makes its code stays cancelled, and its money is found', async () => {
  const order = newOrder();
  await hold('/orderToReference/create', {after: true});
  const creating = call('createOrderCode', {service: 'DEMO', order, amount: '149.90'});
  await untilHeld();
  expect((await cancel(order)).status).toBe(200);
  await release('/orderToReference/create');
  expectProblem(await creating, 'order_cancelled');
  const {order_code} = await read('getOrder', {service: 'DEMO', order});
  // The sandbox's clock goes on, and money after the cancellation is late.
  await pay({order_code: order_code ?? '', at: platformTime()});
  await runSweep();
  expect((await paymentEvents(order)).at(-1)).toEqual(['payment.cancelled', '149.90', false]);
});

test('an unknown order and an order whose money has arrived cannot be cancelled', async () => {
  expectProblem(await cancel(newOrder()), 'unknown_order');
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order, amount: '149.90'});
  await pay({order_code});
  await runSweep();
  expectProblem(await cancel(order), 'order_paid');
  expect(await read('getOrder', {service: 'DEMO', order})).toMatchObject({
    payment: {state: 'paid', cancelled_at: null},
  });
});

test('title and metadata come back with the order, its list and its events, and pages get only the title', async () => {
  const order = newOrder();
  const title = {tr: 'Seramik lamba', en: 'Ceramic lamp'};
  const metadata = {cart: '8817', store: 'kadikoy'};
  const {token} = await openMerchantSession({...SESSION, order, title: {...title, en: 'Lamp'}});
  await openMerchantSession({...SESSION, order, title, metadata});
  const code = readAnswer(await askForCode(token), OrderCode);
  const shown = await showPayment(token);
  expect(shown.title).toEqual(title);
  expect(JSON.stringify([code, shown, token])).not.toContain('8817');
  await pay({order_code: code.order_code});
  await runSweep();
  const {items} = await read('listEvents', {service: 'DEMO', order});
  expect(items).toMatchObject([{type: 'payment.received', data: {title, metadata}}]);
  const listed = await read('listOrders', {service: 'DEMO', day: formatPlatformDay(Date.now())});
  expect(listed.items.find((item) => item.order === order)).toMatchObject({title, metadata});
  expect(await read('getOrder', {service: 'DEMO', order})).toMatchObject({title, metadata});
  // The history has both after the order was deleted.
  await advance(80 * HOUR + 7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
  expect(await read('getOrder', {service: 'DEMO', order})).toMatchObject({title, metadata});
});

const WRONG = [
  [{title: {tr: 'Lamba'}}, ['title.en']],
  [{title: {tr: 'Lamba', en: 'x'.repeat(201)}}, ['title.en']],
  [{metadata: Object.fromEntries(Array.from({length: 11}, (_, index) => [`k${index}`, 'v']))}, ['metadata']],
  [{metadata: {['k'.repeat(41)]: 'v'}}, [`metadata.${'k'.repeat(41)}`]],
  [{metadata: {'a b': 'v'}}, ['metadata.a b']],
  [{metadata: {k: 'v'.repeat(201)}}, ['metadata.k']],
  [{metadata: {k: 7}}, ['metadata.k']],
] as const;

test('a session with a wrong title or wrong metadata is refused', async () => {
  for (const [fields, paths] of WRONG) {
    const session = {...SESSION, kind: 'payment', origin: ORIGIN, order: newOrder(), ...fields};
    expect(fieldsOf(await call('createSession', session))).toEqual(paths);
  }
});
