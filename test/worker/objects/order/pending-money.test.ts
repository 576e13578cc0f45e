/** Money whose status does not count as paid (`PAID_STATUSES`). */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import type {BookedRow} from '../../../../worker/objects/archive/books-store.ts';
import {OrderWatchers} from '../../../../worker/objects/order/order-watchers.ts';
import {advance, DAY, HOUR, MINUTE} from '../../support/clock.ts';
import {alarmIn, orderObject, replaceBindings, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openOrder, openWantedOrder, showPayment} from '../../support/page.ts';
import {control, countCalls, pay} from '../../support/sandbox.ts';
import {breakOutbox, outboxObject, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();

const APPROVED = {successful: 3, awaitingApproval: 5};
const outboxTypes = async () => (await outboxObject().read(0)).items.map(({type}) => type);

/** Opens an order of a merchant for whom only successful money counts, and pays it. */
async function payUnapproved() {
  const shopper = await openOrder();
  const bindings = {PAID_STATUSES: '3 8'};
  await replaceBindings(orderObject(shopper.order), bindings);
  await replaceBindings(serviceObject(), bindings);
  const id = await pay({order_code: shopper.code});
  const setStatus = (status: number) => control(`transfers/${id}/status`, {status});
  await setStatus(APPROVED.awaitingApproval);
  await runSweep();
  const runCheck = async () => {
    await advance(Math.max(0, (await alarmIn(orderObject(shopper.order))) ?? 0));
    await runDurableObjectAlarm(orderObject(shopper.order));
  };
  return {...shopper, setStatus, runCheck};
}

test('money that waits for approval is shown as such, does not expire, and counts when it is approved', async () => {
  const {token, setStatus, runCheck, order} = await payUnapproved();
  expect(await showPayment(token)).toMatchObject({state: 'pending', paid: '0.00', remaining: '0.00', unclear: true});
  await runCheck();
  const {payment, money = []} = (await orderObject(order).details()) ?? {};
  expect(payment).toMatchObject({state: 'pending'});
  expect(money).toMatchObject([{state: 'awaiting_approval', pending: true}]);
  expect(await outboxTypes()).toEqual(['payment.pending']);
  await advance(4 * DAY);
  await runSweep();
  await runCheck();
  expect(await outboxTypes()).toEqual(['payment.pending']);
  await setStatus(APPROVED.successful);
  await runCheck();
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90', late: false});
  expect(await outboxTypes()).toEqual(['payment.pending', 'payment.received']);
});

test('late money is late in the books, although its status is not known when it is booked', async () => {
  const {order, code} = await openOrder();
  for (const object of [orderObject(order), serviceObject()]) await replaceBindings(object, {PAID_STATUSES: '3 8'});
  await advance(73 * HOUR);
  await pay({order_code: code});
  await runSweep();
  const books = contextOf(env).objects.books('DEMO', formatMonth(Date.now()));
  const rows = () => books.bookingsOf(formatMonth(Date.now()), order) as Promise<readonly BookedRow[]>;
  await expect.poll(rows).toContainEqual(expect.objectContaining({type: 'money.arrived', late: true}));
});

test('the status of such money is read again after a minute, and at least every hour', async () => {
  const {order, runCheck} = await payUnapproved();
  await runCheck();
  const delays: number[] = [];
  for (let check = 0; check < 48; check += 1) {
    delays.push(((await alarmIn(orderObject(order))) ?? 0) / MINUTE);
    await runCheck();
  }
  expect(delays[0]).toBeCloseTo(1, 1);
  expect(Math.max(...delays)).toBeCloseTo(HOUR / MINUTE, 1);
  expect(await countCalls('/transaction/get')).toBe(49);
});

test('money that does not count until its order is deleted is reported once as unmatched', async () => {
  const {order, code, runCheck} = await payUnapproved();
  await advance(72 * HOUR + 7 * DAY + MINUTE);
  await breakOutbox();
  await runCheck();
  await runCheck();
  await repairOutbox();
  while (await orderObject(order).details()) await runCheck();
  const events = (await outboxObject().read(0)).items.map(({type, data}) => [type, 'order' in data && data.order]);
  expect(events).toEqual([
    ['payment.pending', order],
    ['transaction.unmatched', order],
  ]);
  expect((await outboxObject().read(0)).items[1]?.data).toMatchObject({order_code: code, amount: '149.90'});
});

test('money that comes while its order is being deleted is reported first', async () => {
  const {order} = await openWantedOrder();
  await advance(72 * HOUR + 7 * DAY + MINUTE);
  vi.spyOn(OrderWatchers.prototype, 'close').mockImplementationOnce(async () => {
    await breakOutbox();
    const arrival = {id: '7', amount: 14_990, currency: 'TRY', bank: 'Akbank', at: Date.now(), state: 'successful'};
    await orderObject(order).receiveArrivals([arrival], Date.now());
    return true;
  });
  await runDurableObjectAlarm(orderObject(order));
  await repairOutbox();
  while (await orderObject(order).details()) {
    await advance(HOUR);
    await runDurableObjectAlarm(orderObject(order));
  }
  expect(await outboxTypes()).toContain('payment.received');
});

test('by default, money counts whatever its status', async () => {
  const {token, code} = await openOrder();
  const id = await pay({order_code: code});
  await control(`transfers/${id}/status`, {status: APPROVED.awaitingApproval});
  await runSweep();
  expect(await showPayment(token)).toMatchObject({state: 'paid', paid: '149.90'});
});
