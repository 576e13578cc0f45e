/** The events that an order reports to its merchant. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {expect, test} from 'vitest';
import {SEARCH} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime, SECOND, wireTime} from '../../support/clock.ts';
import {
  alarmIn,
  breakOrder,
  mendOrder,
  orderObject,
  runSweep,
  serviceObject,
  storedIn,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openSocket} from '../../support/page-socket.ts';
import {openOrder, openWantedOrder, showPayment, TITLE} from '../../support/page.ts';
import {pay, setFault} from '../../support/sandbox.ts';
import {breakOutbox, repairOutbox, outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const outboxEvents = async () => (await outboxObject().read(0)).items;
/** The order's events, each as its type and paid amount. */
const eventsOf = async (order: string) =>
  (await outboxEvents()).flatMap(({type, data}) =>
    'paid' in data && data.order === order ? [`${type} ${data.paid}${data.late ? ' late' : ''}`] : [],
  );
const terms = {service: 'DEMO', amount: 14990, hours: 72};
/** Sweeps the lists of all days that may have money sent until now, then runs the order's alarm. */
async function searchForMoneyOf(order: string): Promise<void> {
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await runSweep();
  await runDurableObjectAlarm(orderObject(order));
}

test('a payment event has everything that the merchant needs to ship the goods, and no personal data', async () => {
  const {order, code} = await openOrder();
  const id = await pay({order_code: code, sender: 'Ayşe Yılmaz', at: platformTime()});
  await runSweep();
  expect(await outboxEvents()).toEqual([
    {
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
      type: 'payment.received',
      created_at: wireTime(),
      data: {
        service: 'DEMO',
        order,
        order_code: code,
        offer: 'gold',
        user_id: null,
        title: TITLE,
        metadata: {},
        state: 'paid',
        amount: '149.90',
        paid: '149.90',
        refunded: '0.00',
        remaining: '0.00',
        currency: 'TRY',
        late: false,
        refundable: {amount: '0.00', reason: null, left: '149.90'},
        transactions: [
          {id, amount: '149.90', currency: 'TRY', bank_name: 'Garanti BBVA', at: wireTime(), time_unknown: false},
        ],
      },
    },
  ]);
});

test('every state is reported once and in sequence, even with repeated sweeps, alarms and evictions', async () => {
  const {order, code} = await openOrder();
  for (const amount of ['49.90', '50.00', '50.00', '0.01']) {
    await pay({order_code: code, amount});
    for (let count = 0; count < 2; count += 1) {
      await advance(5 * MINUTE);
      await runSweep();
      // The alarm runs although nothing has changed.
      await runDurableObjectAlarm(orderObject(order));
      await Promise.allSettled([evictDurableObject(orderObject(order)), evictDurableObject(serviceObject())]);
    }
  }
  expect(await eventsOf(order)).toEqual([
    'payment.partial 49.90',
    'payment.partial 99.90',
    'payment.received 149.90',
    'payment.overpaid 149.91',
  ]);
});

test('an order that is not paid in time is reported as expired after a search, and a later payment as late', async () => {
  const {order, code} = await openWantedOrder();
  await advance(72 * HOUR - MINUTE);
  await searchForMoneyOf(order);
  // A search that began before the bank may have reported the last transfer proves nothing.
  await advance(5 * MINUTE - 1);
  await searchForMoneyOf(order);
  expect(await eventsOf(order)).toEqual([]);
  await advance(1);
  // During an outage the order stays open.
  await setFault({operation: SEARCH, kind: '500-html'});
  await searchForMoneyOf(order);
  await advance(HOUR);
  await searchForMoneyOf(order);
  expect(await alarmIn(orderObject(order))).toBe(4 * MINUTE);
  expect(await eventsOf(order)).toEqual([]);
  expect((await orderObject(order).details())?.payment.state).toBe('waiting');
  await setFault({operation: SEARCH, kind: 'clear'});
  await advance(HOUR);
  await searchForMoneyOf(order);
  expect((await orderObject(order).details())?.payment.state).toBe('expired');
  await advance(DAY);
  await pay({order_code: code, at: platformTime()});
  await runSweep();
  expect(await eventsOf(order)).toEqual(['payment.expired 0.00', 'payment.received 149.90 late']);
});

test('money that was sent shortly before the time to pay ends is in time, although no page is open', async () => {
  const {order, code, token} = await openOrder();
  await showPayment(token);
  await advance(72 * HOUR - 30 * SECOND);
  await evictDurableObject(orderObject(order));
  await pay({order_code: code, at: platformTime()});
  await advance(30 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(orderObject(order))).toBe(6 * MINUTE);
  await advance(6 * MINUTE);
  // The sweep cannot reach the order when it reads the money, so the order does not have it yet.
  await breakOrder(order);
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await runSweep();
  await mendOrder(order);
  await runDurableObjectAlarm(orderObject(order));
  expect(await eventsOf(order)).toEqual([]);
  await advance(HOUR);
  await searchForMoneyOf(order);
  expect(await eventsOf(order)).toEqual(['payment.received 149.90']);
});

test('until a search for its money was made, an order asks less and less often, which writes nothing', async () => {
  const {order} = await openWantedOrder();
  const first = ((await orderObject(order).details())?.expiryDueAt ?? 0) - Date.now();
  for (const minutes of [0, 1, 2, 4, 8, 16, 32, 60, 60, 60]) {
    // The object is restarted between two alarms, as Cloudflare does with objects that nobody calls.
    await evictDurableObject(orderObject(order));
    await advance(minutes * MINUTE || first);
    const before = await storedIn(orderObject(order));
    await runDurableObjectAlarm(orderObject(order));
    if (minutes > 0) expect(await storedIn(orderObject(order))).toEqual(before);
    const dueIn = Math.min(60, minutes === 0 ? 1 : minutes * 2) * MINUTE;
    expect([minutes, await alarmIn(orderObject(order))]).toEqual([minutes, dueIn]);
    expect((await orderObject(order).details())?.expiryDueAt).toBe(Date.now() + dueIn);
  }
  await searchForMoneyOf(order);
  expect(await eventsOf(order)).toEqual(['payment.expired 0.00']);
});

test('an order without a code is reported as expired only if it has no offer', async () => {
  await orderObject('VZ-1').prepare({...terms, order: 'VZ-1', offer: 'gold'}, {});
  await orderObject('S-1').prepare({...terms, order: 'S-1'}, {userId: 'u-1'});
  await advance(72 * HOUR);
  for (const order of ['VZ-1', 'S-1']) await runDurableObjectAlarm(orderObject(order));
  expect((await outboxEvents()).map(({type, data}) => [type, data])).toMatchObject([
    ['payment.expired', {order: 'S-1', order_code: null, offer: null, user_id: 'u-1'}],
  ]);
});

test('an order that is prepared again days later gets a new time to pay, and can expire again', async () => {
  const order = {...terms, order: 'S-1'};
  await orderObject('S-1').prepare(order, {});
  await advance(4 * DAY);
  await runDurableObjectAlarm(orderObject('S-1'));
  await orderObject('S-1').prepare(order, {});
  expect(await orderObject('S-1').orderCode(order)).toEqual({
    madeBy: 'create',
    code: expect.any(String) as string,
    amount: 14990,
    expiresAt: Date.now() + 72 * HOUR,
  });
  expect(await eventsOf('S-1')).toEqual(['payment.expired 0.00']);
  await advance(73 * HOUR);
  await runDurableObjectAlarm(orderObject('S-1'));
  await searchForMoneyOf('S-1');
  expect(await eventsOf('S-1')).toEqual(['payment.expired 0.00', 'payment.expired 0.00']);
});

test.each([
  ['and leaves nothing', []],
  ['and leaves money in another currency', [{id: '77002', amount: 100, currency: 'USD'}]],
])('if money of an order arrives and is withdrawn twice %s, each change is reported', async (_, others) => {
  const {order} = await openOrder();
  const common = {bank: 'Garanti BBVA', at: Date.now(), state: 'unknown'};
  const arrival = {...common, id: '77001', amount: 14990, currency: 'TRY'};
  const left = others.map((other) => ({...common, ...other}));
  for (let again = 0; again < 2; again += 1) {
    await orderObject(order).receiveArrivals([arrival, ...left], Date.now());
    await orderObject(order).removeArrival(arrival.id, Date.now());
  }
  expect(await eventsOf(order)).toEqual([
    'payment.received 149.90',
    'payment.withdrawn 0.00',
    'payment.received 149.90',
    'payment.withdrawn 0.00',
  ]);
  expect(new Set((await outboxEvents()).map(({id}) => id)).size).toBe(4);
});

test('if the outbox accepts no events, they stay with the order and are handed over later, in sequence', async () => {
  const {order, code} = await openOrder();
  await breakOutbox();
  await pay({order_code: code, amount: '49.90'});
  await runSweep();
  await pay({order_code: code, amount: '100.00'});
  await advance(3 * SECOND);
  await runSweep();
  expect(logLines('events_waiting')).toMatchObject([{rows: 2}, {rows: 3}]);
  expect(await alarmIn(orderObject(order))).toBeLessThanOrEqual(10 * SECOND);
  await abortAllDurableObjects();
  await repairOutbox();
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await eventsOf(order)).toEqual(['payment.partial 49.90', 'payment.received 149.90']);
  await runDurableObjectAlarm(orderObject(order));
  expect(await outboxEvents()).toHaveLength(2);
});

test('while the outbox is broken, an order calls it less and less often', async () => {
  const {order, code} = await openOrder();
  await breakOutbox();
  await pay({order_code: code});
  await runSweep();
  const end = Date.now() + 2 * HOUR;
  for (let delay = 0; Date.now() + delay < end; delay = (await alarmIn(orderObject(order))) ?? DAY) {
    await advance(delay);
    await runDurableObjectAlarm(orderObject(order));
  }
  // Some fifteen retries, and the order's own checks of its money. With a retry every 10 s there would be 720.
  expect(logLines('events_waiting').length).toBeLessThan(30);
  await repairOutbox();
  await advance(15 * MINUTE);
  await runDurableObjectAlarm(orderObject(order));
  expect(await eventsOf(order)).toEqual(['payment.received 149.90']);
});

test('nobody hears of an order that no page read again', async () => {
  const {order, token} = await openOrder();
  await showPayment(token);
  await advance(72 * HOUR + HOUR);
  await searchForMoneyOf(order);
  expect((await orderObject(order).details())?.payment.state).toBe('expired');
  expect(await eventsOf(order)).toEqual([]);
});

test('a page that stays open counts as one that reads the order again', async () => {
  const {order, token} = await openOrder();
  await openSocket(token);
  await advance(72 * HOUR + HOUR);
  await searchForMoneyOf(order);
  expect(await eventsOf(order)).toEqual(['payment.expired 0.00']);
});

test('an order does not delete itself while it has events to hand over', async () => {
  const {order} = await openWantedOrder();
  await breakOutbox();
  await advance(72 * HOUR + 7 * DAY - MINUTE);
  await runDurableObjectAlarm(orderObject(order));
  expect(await alarmIn(orderObject(order))).toBeLessThanOrEqual(10 * SECOND);
  await repairOutbox();
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await eventsOf(order)).toEqual(['payment.expired 0.00']);
  expect(await alarmIn(orderObject(order))).toBeNull();
});

test('if an order is made again with the reference of a deleted order, earlier events are not repeated', async () => {
  const {order, code} = await openOrder();
  await pay({order_code: code, at: platformTime()});
  await runSweep();
  await advance(72 * HOUR + 7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  await orderObject(order).orderCode({...terms, order, offer: 'gold'});
  await runSweep();
  expect(await eventsOf(order)).toEqual(['payment.received 149.90']);
});
