/** Tests that no change of an order is without its effects, and that the alarm repeats what was not carried out. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {archived, concluded, paymentOf} from '../../../../worker/objects/order/order-effects.ts';
import {EMPTY_ORDER, factsOf, type OrderState} from '../../../../worker/objects/order/order-state.ts';
import {areSettled} from '../../../../worker/objects/order/payment.ts';
import {advance, HOUR, SECOND} from '../../support/clock.ts';
import {
  amendOrder,
  alarmIn,
  breakMethod,
  mendMethod,
  orderObject,
  runSweep,
  serviceObject,
} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openSocket} from '../../support/page-socket.ts';
import {askAsPage, handOff, openOrder, openSession, showPayment} from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const stateOf = (order: string): Promise<OrderState> =>
  runInDurableObject(orderObject(order), (_object, {storage}) => storage.kv.get<OrderState>('order') ?? EMPTY_ORDER);

/** The row of an order in its sweep. */
const trackedOrder = (order: string) =>
  runInDurableObject(serviceObject(), (_object, {storage}) =>
    storage.sql.exec('SELECT code, settled FROM tracked WHERE "order" = ?', order).one(),
  );

/** Does what the sweep does with an order's answer to a delivery. */
async function answerSweep(order: string, answer: Promise<{readonly settled: boolean}>): Promise<void> {
  const {settled} = await answer;
  await runInDurableObject(serviceObject(), (_object, {storage}) => {
    storage.sql.exec('UPDATE tracked SET settled = ? WHERE "order" = ?', settled ? 1 : 0, order);
  });
}

const arrival = (id: number) => ({
  id: String(7000 + id),
  amount: [4990, 9990, 14990][id % 3] ?? 1,
  currency: 'TRY',
  bank: 'TEB',
  at: Date.now(),
  state: 'unknown',
});

/** Random numbers from 0 to 1 that depend only on the seed (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

test.for([1, 2, 3])(
  'after any sequence of changes, events, pages, history and sweep agree with what is stored (seed %i)',
  async (seed) => {
    const random = randomNumbers(seed);
    const upTo = (count: number) => Math.floor(random() * count);
    const {order, token, code} = await openOrder();
    const object = orderObject(order);
    const socket = await openSocket(token);
    let [shown] = await socket.rest();
    const steps: readonly (() => Promise<unknown>)[] = [
      () => answerSweep(order, object.receiveArrivals([arrival(upTo(6))], Date.now())),
      () => answerSweep(order, object.receiveArrivals([arrival(upTo(6)), arrival(upTo(6))], Date.now())),
      () => answerSweep(order, object.removeArrival(arrival(upTo(6)).id, Date.now())),
      () => object.receiveCharge({...arrival(upTo(2)), id: '9001', state: 'successful'}, Date.now()),
      () => object.receiveRefund({id: '1', amount: 4990 * upTo(2), transactionId: null}),
      () => amendOrder(order, 9990 + 5000 * upTo(2)),
      () => handOff({token}),
      () => evictDurableObject(object),
      () => (upTo(4) === 0 ? object.markCompleted(null) : object.codeFound(code)),
    ];
    for (let step = 0; step < 15; step += 1) {
      // With the last seed, the page reads after the time to pay and before the alarm.
      await advance(seed === 3 && step === 0 ? 72 * HOUR : 3 * SECOND);
      if (step > 0) await steps[upTo(steps.length)]?.();
      const read = await showPayment(token);
      const state = await stateOf(order);
      expect(concluded(state, state, Date.now())).toEqual({order: state, news: []});
      const {record, money, journal} = state;
      if (!record) throw new Error('The order has no record.');
      const {as_of: _asOf, ...payment} = paymentOf(record, money, {now: Date.now(), asOf: Date.now()});
      expect(read).toMatchObject(payment);
      // An event of an earlier test may still arrive.
      const events = (await outboxObject().read(0)).items.filter(
        ({type, data}) => type.startsWith('payment.') && 'order' in data && data.order === order,
      );
      const told = events.at(-1)?.data as {refunded: string; transactions: {currency: string}[]} | undefined;
      expect(journal.told).toMatchObject(
        told
          ? {refunded: told.refunded, hadMoney: told.transactions.some(({currency}) => currency === 'TRY')}
          : {fact: ''},
      );
      shown = (await socket.rest()).at(-1) ?? shown;
      expect(shown).toMatchObject({state: payment.state, paid: payment.paid, amount: payment.amount});
      expect((await trackedOrder(order))['settled']).toBe(areSettled(factsOf(record, money), Date.now()) ? 1 : 0);
      const history = contextOf(env).objects.archivedOrders('DEMO', formatMonth(record.createdAt));
      await expect
        .poll(() => history.findOrder(order))
        .toMatchObject(JSON.parse(JSON.stringify(archived(state, Date.now()) ?? {})) as object);
    }
    socket.close();
  },
);

/** Requests the code of a new order, as a page that then closes. */
async function requestCode(): Promise<string> {
  const {token, order} = await openSession();
  expect((await askAsPage('POST', '/v1/order-code', {token})).status).toBe(200);
  return order;
}

test('the alarm tells the sweep a code whose page was closed, and the sweep finds its money', async () => {
  const order = await requestCode();
  expect(await alarmIn(orderObject(order))).toBe(10 * SECOND);
  const {code} = (await stateOf(order)).record ?? {};
  await pay({order_code: code ?? ''});
  await evictDurableObject(orderObject(order));
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  expect(await trackedOrder(order)).toEqual({code, settled: 0});
  await runSweep();
  expect((await stateOf(order)).money.arrivals).toHaveLength(1);
});

test('while the sweep cannot learn a code, the order tries again, less and less often', async () => {
  const order = await requestCode();
  await breakMethod(serviceObject(), 'trackOrder');
  const delays: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const delay = (await alarmIn(orderObject(order))) ?? 0;
    delays.push(delay);
    await advance(delay);
    await runDurableObjectAlarm(orderObject(order));
  }
  expect(logLines('watch_report_failed')).toHaveLength(4);
  expect(delays[1]).toBeLessThanOrEqual(10 * SECOND);
  expect(delays.at(-1)).toBeGreaterThanOrEqual(20 * SECOND);
  await mendMethod(serviceObject(), 'trackOrder');
  await advance((await alarmIn(orderObject(order))) ?? 0);
  await runDurableObjectAlarm(orderObject(order));
  expect((await trackedOrder(order))['code']).not.toBeNull();
  expect((await stateOf(order)).record).not.toHaveProperty('untracked.retryAt');
});
