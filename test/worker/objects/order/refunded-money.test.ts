/** What an order shows and reports after money was sent back. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {READINGS} from '../../../../sandbox/records/readings.ts';
import {contextOf} from '../../../../worker/context.ts';
import {lastMonths} from '../../../../worker/lib/time.ts';
import type {BookedRow} from '../../../../worker/objects/archive/books-store.ts';
import type {OrderAccess} from '../../../../worker/objects/order/order-effects.ts';
import {withArrivals, withReadArrival} from '../../../../worker/objects/order/order-money.ts';
import {EMPTY_ORDER, opened} from '../../../../worker/objects/order/order-state.ts';
import {checkArrivalStatuses} from '../../../../worker/objects/order/payment-hints.ts';
import type {PlatformClient} from '../../../../worker/platform/client.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {orderObject, renewToken, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {notifyRefunds, refundResults, refundsObject} from '../../support/notifications.ts';
import {openOrder, type Shopper, showPayment} from '../../support/page.ts';
import {callPlatform, callsDuring, control, pay} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const CONTACT = {'contact[name]': 'Ayşe Yılmaz', 'contact[iban]': 'TR330006100519786457841326'};
const BY_ORDER = '/refund/getByOrder';

/** Opens an order of 149.90 and pays these amounts. */
async function openPaidOrder(...amounts: string[]): Promise<Shopper & {transactions: string[]}> {
  const shopper = await openOrder();
  const transactions = [];
  for (const amount of amounts) {
    transactions.push(await pay({order_code: shopper.code, amount}));
    await advance(3 * SECOND);
    await runSweep();
  }
  return {...shopper, transactions};
}

/** Makes a refund at the platform, without the Worker. @returns the refund's id. */
async function refundElsewhere(order: string, amount: string): Promise<string> {
  const {refund_id} = await callPlatform('/refund/create', {code: 'DEMO', order, amount, ...CONTACT});
  return String(refund_id);
}

/** Makes a refund that the Worker knows, and that the bank pays on the same day. */
async function refund(order: string, amount: string, outcome?: number): Promise<string> {
  const id = await refundElsewhere(order, amount);
  const kurus = Math.round(Number(amount) * 100);
  await refundsObject().recordRequested({id, service: 'DEMO', order, amount: kurus});
  for (const result of await refundResults(outcome === undefined ? {} : {[id]: outcome}))
    expect(await notifyRefunds(result)).toBe('200 OK');
  await runDurableObjectAlarm(orderObject(order));
  return id;
}

/** What a page shows: the state, and the amounts that were paid, refunded and are missing. */
async function shown(token: string): Promise<string> {
  const {state, paid, refunded, remaining} = await showPayment(token);
  return [state, paid, refunded, remaining].join(' ');
}

/** The payment events of the order, each with its state and amounts. */
async function paymentEvents(order: string): Promise<string[]> {
  return (await outboxObject().read(0)).items.flatMap(({type, data}) =>
    'paid' in data && data.order === order
      ? [[type, data.state, data.paid, data.refunded, data.remaining].join(' ')]
      : [],
  );
}

/** The rows of the order's refunds in the books of this month and the last one. */
async function bookedRefunds(order: string): Promise<readonly BookedRow[]> {
  const months = lastMonths(2, Date.now()).toReversed();
  const {objects} = contextOf(env);
  const rows = await Promise.all(months.map((month) => objects.books('DEMO', month).bookingsOf(month, order)));
  return (rows as BookedRow[][]).flat().filter(({type}) => type.startsWith('refund.'));
}

/** Runs the order's checks of its money until the one that reads the list of refunds. */
async function runStatusChecks(order: string): Promise<void> {
  for (const delay of [0, 10 * MINUTE, HOUR, 6 * HOUR, DAY]) {
    await advance(delay);
    await renewToken();
    await runDurableObjectAlarm(orderObject(order));
  }
}

test('an order stays paid after the refund of a part, and is refunded after the refund of the rest', async () => {
  const {order, token} = await openPaidOrder('149.90');
  await refund(order, '49.90');
  expect(await shown(token)).toBe('paid 100.00 49.90 0.00');
  await refund(order, '100.00');
  expect(await shown(token)).toBe('refunded 0.00 149.90 0.00');
  expect(await paymentEvents(order)).toEqual([
    'payment.received paid 149.90 0.00 0.00',
    'payment.changed paid 100.00 49.90 0.00',
    'payment.refunded refunded 0.00 149.90 0.00',
  ]);
});

test('if the excess of an overpaid order is refunded, and then the rest, no event asks for a second delivery', async () => {
  const {order, token} = await openPaidOrder('149.90', '50.10');
  await refund(order, '50.10');
  expect(await shown(token)).toBe('paid 149.90 50.10 0.00');
  await refund(order, '149.90');
  expect(await shown(token)).toBe('refunded 0.00 200.00 0.00');
  expect(await paymentEvents(order)).toEqual([
    'payment.received paid 149.90 0.00 0.00',
    'payment.overpaid overpaid 200.00 0.00 0.00',
    'payment.changed paid 149.90 50.10 0.00',
    'payment.refunded refunded 0.00 200.00 0.00',
  ]);
});

test.for(['one of two transfers', 'the refund of a part'] as const)(
  'a refund that only the platform’s records show lowers what was paid, and the order stays paid: %s',
  async (story) => {
    const {order, token, transactions} = await openPaidOrder('100.00', '49.90');
    await runDurableObjectAlarm(orderObject(order));
    if (story === 'one of two transfers') await control(`transfers/${transactions[1]}/status`, {status: 6});
    else {
      await refundElsewhere(order, '49.90');
      await control('day-end', {notify: 'post'});
      // Only the platform's record of the refund shows that money was sent back: the transfer of 100.00 keeps its
      // status.
      expect(await refundResults()).toEqual([]);
    }
    await runStatusChecks(order);
    expect(await shown(token)).toBe('paid 100.00 49.90 0.00');
    expect(await paymentEvents(order)).toEqual([
      'payment.partial partial 100.00 0.00 49.90',
      'payment.received paid 149.90 0.00 0.00',
      'payment.changed paid 100.00 49.90 0.00',
    ]);
    await expect.poll(() => bookedRefunds(order)).toMatchObject([{type: 'refund.settled', amount: 4990}]);
    await runStatusChecks(order);
    expect(await bookedRefunds(order)).toHaveLength(1);
  },
);

test.for(['is stored', 'was deleted'])(
  'the books have a refund once that the status of the money showed before its record came, when the order %s',
  async (story) => {
    const {order, transactions} = await openPaidOrder('100.00', '49.90');
    await runDurableObjectAlarm(orderObject(order));
    await control(`transfers/${transactions[1]}/status`, {status: 6});
    await runStatusChecks(order);
    await expect.poll(() => bookedRefunds(order)).toMatchObject([{type: 'refund.settled', refund: null, amount: 4990}]);
    const [byStatus] = await bookedRefunds(order);
    // The day of the status is closed.
    await advance(story === 'is stored' ? 2 * DAY : 12 * DAY);
    await renewToken();
    await runDurableObjectAlarm(orderObject(order));
    expect((await orderObject(order).details()) !== null).toBe(story === 'is stored');
    const id = await refundElsewhere(order, '40.00');
    for (const result of await refundResults({[id]: 3})) expect(await notifyRefunds(result)).toBe('200 OK');
    await runDurableObjectAlarm(orderObject(order)).catch(() => undefined);
    await expect
      .poll(async () =>
        (await bookedRefunds(order)).map(({type, amount, corrects}) => [type, amount, corrects]).toSorted(),
      )
      .toEqual([
        ['refund.settled', 4000, null],
        ['refund.settled', 4990, null],
        ['refund.withdrawn', 4990, byStatus?.day],
      ]);
  },
);

test.for(READINGS.refunded_status)(
  'the refund of a part is reported as a part, if the status of the transfer means: %s',
  async (refunded_status) => {
    await control('readings', {refunded_status});
    const {order, token} = await openPaidOrder('149.90');
    const id = await refundElsewhere(order, '49.90');
    await runDurableObjectAlarm(orderObject(order));
    expect(await shown(token)).toBe('paid 149.90 0.00 0.00');
    await control('day-end', {notify: 'post', outcomes: {[id]: 3}});
    await runStatusChecks(order);
    expect(await shown(token)).toBe('paid 100.00 49.90 0.00');
    expect((await paymentEvents(order)).at(-1)).toBe('payment.changed paid 100.00 49.90 0.00');
  },
);

test('only the check that follows a day after the money arrived reads the list of refunds, once', async () => {
  const {order} = await openPaidOrder('149.90');
  const runs = [0, 10 * MINUTE, HOUR, 6 * HOUR].map((delay) => async () => {
    await advance(delay);
    await runDurableObjectAlarm(orderObject(order));
  });
  for (const run of runs) expect(await callsDuring(BY_ORDER, run)).toBe(0);
  await advance(DAY);
  await renewToken();
  expect(await callsDuring(BY_ORDER, () => runDurableObjectAlarm(orderObject(order)))).toBe(1);
});

test('a page shows a refund as on its way until the result, although the process dies before the order knows it', async () => {
  const {order, token} = await openPaidOrder('149.90');
  const id = await refundElsewhere(order, '49.90');
  await refundsObject().recordRequested({id, service: 'DEMO', order, amount: 4990});
  expect(await showPayment(token)).toMatchObject({state: 'paid', refunding: '49.90', refunded: '0.00'});
  await runInDurableObject(orderObject(order), (object) => {
    object.receiveRefund = () => Promise.reject(new Error('The process died.'));
  });
  for (const result of await refundResults({})) expect(await notifyRefunds(result)).toBe('200 OK');
  await abortAllDurableObjects();
  await advance(10 * SECOND);
  await runDurableObjectAlarm(refundsObject());
  expect(await showPayment(token)).toMatchObject({state: 'paid', refunding: '0.00', refunded: '49.90'});
});

test('a failed refund in the platform’s records does not lower what was paid', async () => {
  const {order, token} = await openPaidOrder('149.90');
  await refundElsewhere(order, '49.90');
  const id = await refundElsewhere(order, '100.00');
  await control('day-end', {notify: 'post', outcomes: {[id]: 4}});
  await runStatusChecks(order);
  expect(await shown(token)).toBe('paid 100.00 49.90 0.00');
});

test('a failed refund sends nothing back, although the platform shows the transaction as refunded since its request', async () => {
  await control('readings', {refunded_status: 'begun'});
  const {order, token} = await openPaidOrder('149.90');
  const id = await refundElsewhere(order, '149.90');
  await control('day-end', {notify: 'post', outcomes: {[id]: 4}});
  await runStatusChecks(order);
  expect(await shown(token)).toBe('paid 149.90 0.00 0.00');
});

test('the money of a refund that was paid out and then failed counts as paid again', async () => {
  const {order, token} = await openPaidOrder('149.90');
  const id = await refund(order, '49.90');
  const failed = {id, amount: 0, transactionId: null};
  await orderObject(order).receiveRefund(failed);
  expect(await shown(token)).toBe('paid 149.90 0.00 0.00');
  await orderObject(order).receiveRefund(failed);
  expect(await paymentEvents(order)).toEqual([
    'payment.received paid 149.90 0.00 0.00',
    'payment.changed paid 100.00 49.90 0.00',
    'payment.changed paid 149.90 0.00 0.00',
  ]);
});

test('money that arrives after a complete refund begins a new payment', async () => {
  const {order, code, token} = await openPaidOrder('149.90');
  await refund(order, '149.90');
  await pay({order_code: code, amount: '100.00'});
  await advance(3 * SECOND);
  await runSweep();
  expect(await shown(token)).toBe('partial 100.00 149.90 49.90');
  await pay({order_code: code, amount: '49.90'});
  await advance(3 * SECOND);
  await runSweep();
  expect(await shown(token)).toBe('paid 149.90 149.90 0.00');
  expect((await paymentEvents(order)).slice(1)).toEqual([
    'payment.refunded refunded 0.00 149.90 0.00',
    'payment.partial partial 100.00 149.90 49.90',
    'payment.received paid 149.90 149.90 0.00',
  ]);
});

/** Pays a further amount for the order, and lets the sweep find it. */
async function payMore(code: string, amount: string): Promise<void> {
  await pay({order_code: code, amount});
  await advance(3 * SECOND);
  await runSweep();
}

/** Tells the order how much of its refund was paid out. It names no transaction. */
const setRefund = (order: string, amount: string) =>
  orderObject(order).receiveRefund({
    id: '9001',
    amount: Math.round(Number(amount) * 100),
    transactionId: null,
  });

test('if a refund fails after new money has arrived, the refunded money counts again', async () => {
  const {order, code, token} = await openPaidOrder('100.00');
  await setRefund(order, '100.00');
  await payMore(code, '49.90');
  expect(await shown(token)).toBe('partial 49.90 100.00 100.00');
  await setRefund(order, '0.00');
  expect(await shown(token)).toBe('paid 149.90 0.00 0.00');
  expect((await paymentEvents(order)).slice(2)).toEqual([
    'payment.partial partial 49.90 100.00 100.00',
    'payment.received paid 149.90 0.00 0.00',
  ]);
});

test('while the money that arrived and was not sent back is less than the amount, no event asks for a delivery', async () => {
  const {order, code, token} = await openPaidOrder('100.00');
  await setRefund(order, '90.00');
  expect(await shown(token)).toBe('partial 10.00 90.00 49.90');
  await payMore(code, '49.90');
  expect(await shown(token)).toBe('paid 59.90 90.00 0.00');
  expect(await paymentEvents(order)).toEqual([
    'payment.partial partial 100.00 0.00 49.90',
    'payment.changed partial 10.00 90.00 49.90',
    'payment.changed paid 59.90 90.00 0.00',
  ]);
  await setRefund(order, '0.00');
  expect((await paymentEvents(order)).slice(3)).toEqual(['payment.received paid 149.90 0.00 0.00']);
});

test('if the refund of a delivered order fails, no event asks for a second delivery', async () => {
  const {order, token} = await openPaidOrder('149.90');
  await setRefund(order, '149.90');
  await setRefund(order, '0.00');
  expect(await shown(token)).toBe('paid 149.90 0.00 0.00');
  expect(await paymentEvents(order)).toEqual([
    'payment.received paid 149.90 0.00 0.00',
    'payment.refunded refunded 0.00 149.90 0.00',
    'payment.changed paid 149.90 0.00 0.00',
  ]);
});

test('a refund of money that now belongs to a different order does not lower what was paid', async () => {
  const {order, code, token, transactions} = await openPaidOrder('149.90');
  await refund(order, '49.90');
  await orderObject(order).removeArrival(transactions[0] ?? '', Date.now());
  expect(await shown(token)).toBe('waiting 0.00 0.00 149.90');
  await payMore(code, '149.90');
  expect(await shown(token)).toBe('paid 149.90 0.00 0.00');
  expect((await paymentEvents(order)).at(-1)).toBe('payment.received paid 149.90 0.00 0.00');
});

test('a refund that was paid out before its transfer was found counts as soon as the transfer is found', async () => {
  const {order, code, token} = await openOrder();
  const id = await pay({order_code: code});
  await orderObject(order).receiveRefund({id: '9001', amount: 4990, transactionId: id});
  expect(await shown(token)).toBe('waiting 0.00 0.00 149.90');
  await runSweep();
  expect(await shown(token)).toBe('paid 100.00 49.90 0.00');
  expect(await paymentEvents(order)).toEqual(['payment.changed paid 100.00 49.90 0.00']);
});

test('a status that a notification reads during a check stays, and what was read before an error is stored', async () => {
  const arrivals = ['1', '2', '3'].map((id) => ({
    id,
    amount: 100,
    currency: 'TRY',
    bank: 'TEB',
    at: 0,
    state: 'unknown',
  }));
  let state = withArrivals(
    opened(EMPTY_ORDER, {service: 'DEMO', order: 'S-1', amount: 300, hours: 1, offer: 'gold'}, 0),
    arrivals,
    0,
  );
  const order: OrderAccess = {
    state: () => state,
    commit: (change) => Promise.resolve(void (state = change(state, 0))),
    services: () => ({...contextOf(env), platform: {call: readTransaction} as unknown as PlatformClient}),
  };
  const readTransaction = async (_operation: string, {id}: {readonly id: string}) => {
    if (id === '3') throw new Error();
    // Meanwhile a notification reads that both transfers were refunded.
    for (const read of id === '2' ? ['1', '2'] : [])
      await order.commit((now) => withReadArrival(now, {id: read, state: 'refunded', amount: 100}));
    return {transaction: {id, status: '1', amount: '1.00'}};
  };
  const check = checkArrivalStatuses(order, {since: 0, asked: 'new'}, state.money, {recordPoll: () => {}});
  await expect(check).rejects.toThrow();
  expect(state.money.arrivals.map((arrival) => arrival.state)).toEqual(['refunded', 'refunded', 'unknown']);
});
