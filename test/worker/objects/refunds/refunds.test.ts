/** Tests what the Worker believes of a refund's result, and when it reads the result from the platform. */

import {abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {Outbox} from '../../../../worker/objects/events/outbox.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, countObjectCalls, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {
  eventTypes,
  notifyRefunds,
  readRefunds,
  refundOrder,
  type RefundResult,
  refundResults,
  refundsObject,
} from '../../support/notifications.ts';
import {callsDuring, control, hold, setFault, untilHeld} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const GET = '/refund/get';
const BY_ORDER = '/refund/getByOrder';

const countReads = (task: () => Promise<unknown>) => callsDuring(GET, task);
const selectRows = (query: string) =>
  runInDurableObject(refundsObject(), (_object, {storage}) => storage.sql.exec(query).toArray());
const storedRefunds = () => selectRows('SELECT id, status FROM refunds ORDER BY id');
const storedClaims = () => selectRows('SELECT id, "order", amount FROM unverified_refunds ORDER BY id, "order"');

test('a genuine key with forged values changes nothing', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults({[id]: 4});
  // The key covers neither status nor IBAN.
  expect(await notifyRefunds({...result, refund_iban: 'TR000000000000000000000001'})).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.failed ${id}`]);
  await advance(MINUTE);
  expect(await notifyRefunds({...result, status: 3})).toBe('200 OK');
  // The key has no separators between values, so characters can move from one value to the next.
  expect(
    await notifyRefunds({
      ...result,
      refund_id: `${id}${String(result['code']).slice(0, 1)}`,
      code: String(result['code']).slice(1),
    }),
  ).toBe('503 Try Again');
  expect(await notifyRefunds({...result, order: `${result['order']}1`, amount: '49.90'})).toBe('400 Wrong Data');
  expect(await eventTypes()).toHaveLength(2);
  expect(await storedRefunds()).toEqual([{id, status: '4'}]);
});

/** Forged results with the genuine key. The key has no separators, so characters can move between the values. */
function forgeShifted(result: RefundResult): RefundResult[] {
  const {
    refund_id: id,
    code,
    order,
  } = Object.fromEntries(Object.entries(result).map(([name, value]) => [name, String(value)]));
  const amount = Number(result['amount']).toFixed(2);
  return [
    {...result, order: `${order}${amount.slice(0, 1)}`, amount: amount.slice(1)},
    {...result, order: String(order).slice(0, -1), amount: `${String(order).slice(-1)}${amount}`},
    {...result, code: `${code}${String(order).slice(0, 1)}`, order: String(order).slice(1)},
    {...result, refund_id: `${id}${String(code).slice(0, 1)}`, code: String(code).slice(1)},
  ];
}

test('a refund made elsewhere is reported if the platform confirms it for the order', async () => {
  const {id, order} = await refundOrder({recorded: false});
  const [result = {}] = await refundResults();
  expect(await callsDuring(BY_ORDER, async () => expect(await notifyRefunds(result)).toBe('200 OK'))).toBe(1);
  const [event] = (await outboxObject().read(0)).items;
  expect(event).toMatchObject({type: 'refund.settled', data: {refund_id: id, order, service: 'DEMO'}});
  expect(await eventTypes()).toHaveLength(1);
});

describe('a genuine result is not lost among forged results of the same refund', () => {
  test('if the forged results arrive first', async () => {
    const {id} = await refundOrder({recorded: false});
    const [result = {}] = await refundResults();
    for (const forged of forgeShifted(result)) expect(await notifyRefunds(forged)).not.toContain('OK');
    expect(await storedRefunds()).toEqual([]);
    expect(await notifyRefunds(result)).toBe('200 OK');
    expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
  });

  test('if the forged results come first in one notification', async () => {
    const {id} = await refundOrder({recorded: false});
    const [result = {}] = await refundResults();
    expect(await notifyRefunds([...forgeShifted(result), result])).toBe('503 Try Again');
    expect(await storedRefunds()).toEqual([{id, status: '3'}]);
    expect(await notifyRefunds(result)).toBe('200 OK');
  });

  test('if the platform cannot be read when the results arrive', async () => {
    const {id, order} = await refundOrder({recorded: false});
    const [result = {}] = await refundResults();
    await setFault({operation: GET, kind: '500-html'});
    for (const forged of forgeShifted(result)) await notifyRefunds(forged);
    expect(await notifyRefunds(result)).toBe('503 Try Again');
    await control('faults');
    await advance(MINUTE);
    await readRefunds();
    expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
    // The forged result with a different id stays stored, because the platform may list a refund with this id later.
    expect(await storedClaims()).toEqual([{id: expect.stringContaining(id) as string, order, amount: 14990}]);
  });
});

test('a refund that cannot be read yet is read again after a minute and every morning, for three days', async () => {
  const {id} = await refundOrder({recorded: false});
  const [result = {}] = await refundResults();
  await setFault({operation: GET, kind: 'status', status: 'ERR_006'});
  expect(await notifyRefunds(result)).toBe('503 Try Again');
  expect(await alarmIn(refundsObject())).toBe(MINUTE);
  await advance(MINUTE);
  await readRefunds();
  expect(await alarmIn(refundsObject())).toBe(20 * HOUR - MINUTE);
  await advance(20 * HOUR - MINUTE);
  expect(await countReads(readRefunds)).toBe(1);
  await control('faults');
  await advance(DAY);
  await readRefunds();
  expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect(await storedClaims()).toEqual([]);
});

test('a batch with a wrong record is not answered with OK, but its genuine records are stored', async () => {
  const [first, second] = [await refundOrder(), await refundOrder()];
  const [firstResult, secondResult] = await refundResults();
  expect(await notifyRefunds([firstResult, {...secondResult, key: '0'.repeat(32)}])).toBe('400 Wrong Data');
  expect((await eventTypes()).slice(2)).toEqual([`refund.settled ${first.id}`]);
  expect(await notifyRefunds([firstResult, secondResult])).toBe('200 OK');
  expect((await eventTypes()).slice(3)).toEqual([`refund.settled ${second.id}`]);
});

test.for(['500-html', 'malformed', 'empty'] as const)(
  'if the platform’s record cannot be read (%s), the Worker reads it again later',
  async (kind) => {
    const {id} = await refundOrder();
    const [result] = await refundResults();
    await setFault({operation: GET, kind});
    expect(await notifyRefunds(result)).toBe('503 Try Again');
    await control('faults');
    expect(await alarmIn(refundsObject())).toBe(15 * MINUTE);
    await advance(15 * MINUTE);
    await readRefunds();
    expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
    expect(await notifyRefunds(result)).toBe('200 OK');
  },
);

test('a result is not reported until the platform’s record agrees with its notification', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults({[id]: 2}).then(async (none) => (none.length === 0 ? refundResults() : none));
  await replaceBindings(refundsObject(), {PLATFORM_STATUSES: {refund: {'3': 'processing', '4': 'successful'}}});
  expect(await notifyRefunds({...result, status: 4})).toBe('503 Try Again');
  await evictDurableObject(refundsObject());
  await advance(MINUTE);
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.changed ${id}`, `refund.settled ${id}`]);
});

test('a status that the Worker does not know is stored and reported unchanged', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  await replaceBindings(refundsObject(), {PLATFORM_STATUSES: {refund: {'3': 'something new'}}});
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect((await outboxObject().read(0)).items[1]).toMatchObject({
    type: 'refund.changed',
    data: {refund_id: id, status: 3, state: 'something new'},
  });
});

test('a final status never changes back to a status without a result', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  await notifyRefunds(result);
  await replaceBindings(refundsObject(), {PLATFORM_STATUSES: {refund: {'3': 'waiting'}}});
  await advance(MINUTE);
  expect(await notifyRefunds({...result, status: 4})).toBe('200 OK');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(logLines('refund_went_back')).toHaveLength(1);
});

test('a notification that is interrupted during the platform call is checked later', async () => {
  const {id} = await refundOrder({recorded: false});
  const [result] = await refundResults();
  await hold(GET);
  const interrupted = notifyRefunds(result);
  await untilHeld();
  await abortAllDurableObjects();
  expect(await interrupted).not.toContain('OK');
  await advance(MINUTE);
  await readRefunds();
  expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
});

test('a refund without a result is read every morning in Turkey until it has one', async () => {
  const {id} = await refundOrder();
  // The test clock starts at noon.
  expect(await alarmIn(refundsObject())).toBe(20 * HOUR);
  await advance(20 * HOUR);
  expect(await countReads(readRefunds)).toBe(1);
  expect(await alarmIn(refundsObject())).toBe(DAY);
  await refundResults();
  await advance(DAY);
  await readRefunds();
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(await alarmIn(refundsObject())).toBeGreaterThan(300 * DAY);
});

test('after 90 days the Worker stops reading a refund and logs it, but a notification still settles it', async () => {
  const {id, order} = await refundOrder();
  await advance(91 * DAY);
  await readRefunds();
  expect(await alarmIn(refundsObject())).toBeGreaterThan(300 * DAY);
  expect(logLines('refund_given_up')).toMatchObject([
    {level: 'error', event: 'refund_given_up', service: 'DEMO', order},
  ]);
  const [result] = await refundResults();
  await advance(MINUTE);
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect((await eventTypes()).at(-1)).toBe(`refund.settled ${id}`);
});

test('a refund that is recorded after its result was stored, even twice, causes no further event', async () => {
  const {id, order} = await refundOrder({recorded: false});
  const [result] = await refundResults();
  await notifyRefunds(result);
  const refund = {id, service: 'DEMO', order, amount: 14990};
  await refundsObject().recordRequested(refund);
  await refundsObject().recordRequested(refund);
  expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
});

test('a genuine result for an unknown refund costs few platform calls and is deleted after three days', async () => {
  await refundOrder();
  const [result = {}] = await refundResults();
  await notifyRefunds(result);
  const forged = forgeShifted(result).at(-1);
  const sendTwenty = async () => {
    for (let count = 0; count < 20; count += 1) expect(await notifyRefunds(forged)).toBe('503 Try Again');
  };
  expect(await countReads(sendTwenty)).toBe(1);
  await advance(10 * SECOND);
  expect(await countReads(sendTwenty)).toBe(1);
  for (
    let next = await alarmIn(refundsObject()), alarms = 0;
    next !== null;
    next = await alarmIn(refundsObject()), alarms += 1
  ) {
    expect(alarms).toBeLessThan(6);
    await advance(next);
    await readRefunds();
  }
  expect(await storedClaims()).toEqual([]);
  expect(logLines('refund_not_found')).toMatchObject([{level: 'warn', event: 'refund_not_found', rows: 1}]);
});

test('many refunds that the outbox could not get are handed over page by page, each once, and those that fail come last', async () => {
  const {order} = await refundOrder();
  const receive = vi.spyOn(Outbox.prototype, 'receive').mockRejectedValue(new Error('down'));
  const requested = Array.from({length: 30}, (_, index) => ({
    id: String(index + 900),
    service: 'DEMO',
    order,
    amount: 1,
  }));
  for (const refund of requested) await refundsObject().recordRequested(refund);
  expect(await selectRows('SELECT count(*) AS count FROM reported_refunds')).toEqual([{count: 30}]);
  receive.mockRestore();
  const calls: number[] = [];
  for (
    let due = await alarmIn(refundsObject());
    due !== null && due <= 15 * MINUTE;
    due = await alarmIn(refundsObject())
  ) {
    await advance(due);
    const counts = await countObjectCalls(() => runDurableObjectAlarm(refundsObject()));
    calls.push(counts['Order.receiveRefund'] ?? 0);
  }
  expect(calls).toEqual([20, 10]);
  const query = {fromDay: 1, toDay: 31, limit: 100, types: ['refund.requested' as const]};
  const month = formatMonth(Date.now());
  const {rows} = await contextOf(env).objects.books('DEMO', month).findBookings(month, query);
  expect(new Set(rows.map(({refund}) => refund)).size).toBe(31);
});
