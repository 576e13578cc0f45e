/** Alarms that did not run for a week, as when the spending limit of the account was reached. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {withLogScope} from '../../../../worker/lib/log-scope.ts';
import {advance, DAY, HOUR, MINUTE} from '../../support/clock.ts';
import {alarmIn, orderObject, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {refundOrder, refundsObject} from '../../support/notifications.ts';
import {openWantedOrder} from '../../support/page.ts';
import {callsDuring, pay} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

/** The events of this order. An order of the test before may still report one. */
const eventTypes = async (order: string) =>
  (await outboxObject().read(0)).items.flatMap(({type, data}) =>
    'order' in data && data.order === order ? [type] : [],
  );

/** Runs the sweep as often as its alarm would in a quarter of an hour. @returns how many searches it made. */
const sweepFor15Minutes = () =>
  callsDuring('/transaction/search', async () => {
    for (let sweeps = 0; sweeps < 4; sweeps += 1) {
      await runSweep();
      await advance(5 * MINUTE);
    }
  });

test.for(['order', 'sweep'])(
  'money of a week without alarms is found within a quarter of an hour and few searches if the alarm of the %s runs first',
  async (first) => {
    const {order, code} = await openWantedOrder();
    await runSweep();
    await advance(DAY);
    await pay({order_code: code});
    await advance(6 * DAY);
    if (first === 'order') await runDurableObjectAlarm(orderObject(order));
    expect(await sweepFor15Minutes()).toBeLessThanOrEqual(24);
    await runDurableObjectAlarm(orderObject(order));
    expect(await eventTypes(order)).toEqual(['payment.received']);
  },
);

test('money for an order that closed during a week without alarms is reported, although the order was deleted first', async () => {
  const {order, code} = await openWantedOrder();
  for (let day = 0; day < 9; day += 1) {
    await runSweep();
    await runSweep();
    await runDurableObjectAlarm(orderObject(order));
    await advance(DAY);
  }
  await runSweep();
  expect(await eventTypes(order)).toEqual(['payment.expired']);
  await advance(6 * HOUR);
  await pay({order_code: code});
  await advance(7 * DAY);
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBe(null);
  await sweepFor15Minutes();
  expect((await outboxObject().read(0)).items).toMatchObject([
    {type: 'payment.expired'},
    {type: 'transaction.unmatched', data: {service: 'DEMO', order, order_code: code}},
  ]);
});

test('an object whose alarm was given up plans it again when anything reads it, such as a monitor that reads /health', async () => {
  const {order} = await openWantedOrder();
  await refundOrder();
  const {objects} = contextOf(env);
  await objects.service('DEMO').startSubscriptionSweep('DEMO');
  const readers: [DurableObjectStub, () => Promise<unknown>][] = [
    [serviceObject(), () => serviceObject().ages()],
    [orderObject(order), () => orderObject(order).details()],
    [outboxObject(), () => outboxObject().backlog()],
    [refundsObject(), () => refundsObject().find('1')],
  ];
  for (const [stub, read] of readers) {
    await withLogScope({request_id: 'r'}, read);
    await runInDurableObject(stub, (_object, {storage}) => storage.deleteAlarm());
    await evictDurableObject(stub);
    await withLogScope({request_id: 'r'}, read);
    expect(await alarmIn(stub)).not.toBe(null);
  }
});
