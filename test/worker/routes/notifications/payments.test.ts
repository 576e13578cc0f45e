/** Notifications of payments that arrive before a sweep finds the money. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {advance, DAY, SECOND} from '../../support/clock.ts';
import {alarmIn, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {notificationOf, refundOrder, refundResults, notify, notifyRefunds} from '../../support/notifications.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {callsDuring, control, pay, setFault} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const GET = '/transaction/get';
const bindings = {NOTIFICATIONS: 'payment'};

const notifyPayment = (content: unknown, more: Record<string, unknown> = bindings) =>
  notify('/hooks/payment', {body: JSON.stringify(content), bindings: more});
/** Types of the events of an order. An event of an earlier test may still arrive. */
const eventTypes = async ({order}: {order: string}) =>
  (await outboxObject().read(0)).items.flatMap(({type, data}) =>
    'order' in data && data.order === order ? [type] : [],
  );

test('after a notification, pages show the payment, and the later sweep causes no second event', async () => {
  const shopper = await openOrder();
  const txid = await pay({order_code: shopper.code});
  const searches = await callsDuring('/transaction/search', async () =>
    expect(await notifyPayment(await notificationOf(shopper, txid))).toBe('200 OK'),
  );
  expect(searches).toBe(0);
  expect(await showPayment(shopper.token)).toMatchObject({state: 'paid', transactions: [{id: txid}]});
  await runSweep();
  await advance(30 * SECOND);
  expect(await notifyPayment(await notificationOf(shopper, txid))).toBe('200 OK');
  expect(await showPayment(shopper.token)).toMatchObject({state: 'paid', paid: '149.90', transactions: [{id: txid}]});
  expect(await eventTypes(shopper)).toEqual(['payment.received']);
});

test('a notification may arrive as a GET, and its key may be made from another spelling of the amount', async () => {
  const shopper = await openOrder();
  const txid = await pay({order_code: shopper.code, amount: '100.00'});
  const {amount: _, ...fields} = await notificationOf(shopper, txid, '100');
  const query = new URLSearchParams(
    Object.entries({...fields, amount: '100.00'}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  expect(await notify(`/hooks/payment?${query}`, {method: 'GET', bindings})).toBe('200 OK');
  expect(await showPayment(shopper.token)).toMatchObject({state: 'partial', paid: '100.00'});
});

test('forged notifications change nothing, and with a wrong key they cost no platform call', async () => {
  const [shopper, other] = [await openOrder(), await openOrder()];
  const txid = await pay({order_code: other.code});
  expect(
    await callsDuring(GET, async () => {
      expect(await notifyPayment({...(await notificationOf(shopper, txid)), key: '0'.repeat(32)})).toBe(
        '400 Wrong Data',
      );
      expect(await notifyPayment({...(await notificationOf(shopper, txid)), amount: '1.00'})).toBe('400 Wrong Data');
      expect(await notifyPayment([])).toBe('400 Wrong Data');
    }),
  ).toBe(0);
  // A genuine key with the transaction of another order, and a genuine key with an unknown transaction.
  expect(await notifyPayment(await notificationOf(shopper, txid))).toBe('400 Wrong Data');
  expect(await notifyPayment(await notificationOf(shopper, '99999999'))).toBe('400 Wrong Data');
  expect(await showPayment(shopper.token)).toMatchObject({state: 'waiting', transactions: []});
});

test('after a failed check the answer is Try Again; a hundred equal notifications cost one platform call', async () => {
  const shopper = await openOrder();
  const txid = await pay({order_code: shopper.code});
  const content = await notificationOf(shopper, txid);
  await setFault({operation: GET, kind: '500-html'});
  expect(await notifyPayment([content])).toBe('503 Try Again');
  await control('faults');
  const sendHundred = () => Promise.all(Array.from({length: 100}, () => notifyPayment(content)));
  expect(await callsDuring(GET, async () => expect(new Set(await sendHundred())).toEqual(new Set(['200 OK'])))).toBe(1);
  expect(await callsDuring(GET, sendHundred)).toBe(0);
});

test('a notification for an unknown order is accepted without a platform call', async () => {
  expect(
    await callsDuring(GET, async () =>
      expect(await notifyPayment(await notificationOf({token: '', code: '1', order: 'S-unknown'}, '77'))).toBe(
        '200 OK',
      ),
    ),
  ).toBe(0);
});

test('a notification of a changed status updates the payment', async () => {
  const shopper = await openOrder();
  const txid = await pay({order_code: shopper.code});
  await notifyPayment(await notificationOf(shopper, txid));
  await control(`transfers/${txid}/status`, {status: 6});
  await advance(30 * SECOND);
  expect(await notifyPayment({...(await notificationOf(shopper, txid)), status: 6})).toBe('200 OK');
  expect(await showPayment(shopper.token)).toMatchObject({state: 'refunded'});
  expect(await eventTypes(shopper)).toEqual(['payment.received', 'payment.refunded']);
});

test('a notification may contain at most a thousand payments', async () => {
  expect(await notify('/hooks/payment', {body: `[${'{},'.repeat(999)}{}]`, bindings})).toBe('400 Wrong Data');
  expect(await notify('/hooks/payment', {body: `[${'{},'.repeat(1_000)}{}]`, bindings})).toBe('413 too_large');
});

test('the hook gets 404 unless NOTIFICATIONS names it, and 501 without the private keys', async () => {
  const shopper = await openOrder();
  const content = await notificationOf(shopper, await pay({order_code: shopper.code}));
  expect(await notifyPayment(content, {})).toBe('404 not_found');
  expect(await notifyPayment(content, {...bindings, MERCHANT_PRIVATE_KEY: undefined})).toBe('501 not_configured');
});

test('the notification of a full refund changes the order immediately, without another status check', async () => {
  const {order, token} = await refundOrder();
  await runSweep();
  await runDurableObjectAlarm(orderObject(order));
  const [result] = await refundResults();
  expect(await callsDuring(GET, () => notifyRefunds(result))).toBe(0);
  expect(await alarmIn(orderObject(order))).toBeGreaterThan(DAY);
  expect(await showPayment(token)).toMatchObject({state: 'refunded', paid: '0.00'});
  expect((await eventTypes({order})).sort()).toEqual([
    'payment.received',
    'payment.refunded',
    'refund.requested',
    'refund.settled',
  ]);
});
