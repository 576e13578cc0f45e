/** Tests that the merchant finds each order that has a code and has not ended, also one that nobody has opened again. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {PlacedOrder} from '../../../../../worker/contract/browser/answers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../../support/clock.ts';
import {orderObject, renewToken, runSweep} from '../../../support/durable-objects.ts';
import {askAsPage, read as readPage} from '../../../support/page.ts';
import {pay} from '../../../support/sandbox.ts';
import {call, expectProblem, newOrder, read} from '../support/merchant-server.ts';

const service = 'DEMO';
let attempts = 0;

/** A stranger's order of an offer. @param isShown - Whether the page shows its payment before it is closed. */
async function place(isShown: boolean) {
  const body = {offer: 'gold', attempt: `attempt-${(attempts += 1)}-of-a-shopper`, shown_amount: '149.90'};
  const placed = readPage(await askAsPage('POST', '/v1/order-code', {body}), PlacedOrder);
  if (isShown) await askAsPage('GET', '/v1/payment', {token: placed.token});
  return {order: placed.order, code: placed.order_code};
}

const inGroups = (code: string) => code.replace(/(\d{4})(?=\d)/g, '$1 ');
const waiting = async (days = {}) =>
  (await read('listWork', {service, kind: 'waiting', ...days})).items.map(({waiting: one}) => one?.order);

test('an order is found by its code at once, and until it ends', async () => {
  await renewToken();
  const {order, code} = await place(true);
  const found = {order, order_code: code, payment: {state: 'waiting', amount: '149.90'}};
  for (const written of [code, inGroups(code)])
    expect(await read('getOrder', {service, code: written})).toMatchObject(found);
  await abortAllDurableObjects();
  await advance(70 * HOUR);
  expect(await read('getOrder', {service, code})).toMatchObject(found);
  // Half a code is no code.
  expectProblem(await call('getOrder', {service, code: code.slice(0, 6)}), 'unknown_order');
  await advance(2 * HOUR + 8 * DAY);
  await renewToken();
  await runDurableObjectAlarm(orderObject(order));
  for (let sweep = 0; sweep < 6; sweep += 1) await runSweep();
  expectProblem(await call('getOrder', {service, code}), 'unknown_order');
});

test('an order whose page was closed before it showed the payment is found ten seconds later', async () => {
  const {order, code} = await place(false);
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await read('getOrder', {service, code})).toMatchObject({order});
});

test('an order is found by its code after its money arrived, and after it was deleted', async () => {
  const {order, code} = await place(true);
  await pay({order_code: code});
  await runSweep();
  expect(await read('getOrder', {service, code})).toMatchObject({order, payment: {state: 'paid'}});
  await advance(11 * DAY);
  await renewToken();
  await runDurableObjectAlarm(orderObject(order));
  for (let sweep = 0; sweep < 6; sweep += 1) await runSweep();
  expect(await read('getOrder', {service, code})).toMatchObject({order, payment: {state: 'paid'}});
});

test('money with half a code is proposed to the order whose code it is, before others of the same amount', async () => {
  const other = newOrder();
  await read('createOrderCode', {service, order: other, amount: '149.90'});
  const {order, code} = await place(true);
  await pay({description: `siparis ${code.slice(0, 8)}`, amount: '149.90'});
  await runSweep();
  const unmatched = async () => (await read('listWork', {service, kind: 'unmatched'})).items[0]?.proposals;
  await expect.poll(unmatched).toMatchObject([
    {order, order_code: code, state: 'waiting', because: 'code'},
    {order: other, because: 'amount'},
  ]);
});

test('the orders that wait are listed, oldest first, until they are paid, cancelled or over', async () => {
  const before = await waiting();
  const placed = [await place(true)];
  for (let count = 0; count < 25; count += 1) {
    await advance(SECOND);
    placed.push(await place(true));
  }
  const [first, second, third] = placed.map(({order}) => order);
  const page = await read('listWork', {service, kind: 'waiting'});
  expect(page.items.at(before.length)).toMatchObject({
    booking: null,
    waiting: {order: first, order_code: placed[0]?.code, offer: 'gold'},
    payment: {state: 'waiting', remaining: '149.90'},
  });
  expect(page.items).toHaveLength(20);
  const next = await read('listWork', {service, kind: 'waiting', cursor: page.next_cursor ?? ''});
  const listed = [...page.items, ...next.items].map(({waiting: one}) => one?.order);
  expect(listed).toEqual([...before, ...placed.map(({order}) => order)]);
  expect(next.next_cursor).toBeNull();
  await read('cancelOrder', {service, order: second ?? ''});
  await pay({order_code: placed[2]?.code ?? ''});
  await runSweep();
  await advance(MINUTE);
  expect(await waiting()).not.toEqual(expect.arrayContaining([second]));
  expect(await waiting()).not.toEqual(expect.arrayContaining([third]));
  expect(await waiting({to: '2020-01-01'})).toEqual([]);
});
