/** How refunds ended, as the platform tells it. */

import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {describe, expect, inject, test, vi} from 'vitest';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {alarmIn, replaceBindings} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {
  endDay,
  readRefunds,
  refundAtPlatform,
  refundOrder,
  type RefundResult,
  refundResults,
  notify,
  notifyRefunds,
  refundsObject,
} from '../../support/notifications.ts';
import {ORIGIN} from '../../support/page.ts';
import {callsDuring, control, countCalls, setLine, setFault} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const GET = '/refund/get';
const BY_ORDER = '/refund/getByOrder';
const text = expect.any(String) as string;

/** What was told of refunds, in short. */
async function eventTypes(): Promise<string[]> {
  const {items} = await outboxObject().read(0);
  return items.flatMap(({type, data}) => ('refund_id' in data ? [`${type} ${data.refund_id}`] : []));
}
const reads = (task: () => Promise<unknown>) => callsDuring(GET, task);
const rows = (query: string) =>
  runInDurableObject(refundsObject(), (_object, {storage}) => storage.sql.exec(query).toArray());
const known = () => rows('SELECT id, status FROM refunds ORDER BY id');
const claims = () => rows('SELECT id, "order", amount FROM claims ORDER BY id, "order"');

test('a refund that we asked for is requested, and settled once the platform says so', async () => {
  const {id, order} = await refundOrder();
  const [result] = await refundResults();
  expect(await notifyRefunds(result)).toBe('200 OK');
  const {items} = await outboxObject().read(0);
  const refund = {refund_id: id, service: 'DEMO', order, amount: '149.90'};
  expect(items.map(({type, data}) => ({type, data}))).toEqual([
    {
      type: 'refund.requested',
      data: {...refund, transaction_id: null, status: null, state: 'waiting', refund_time: null, bank_receipt_no: null},
    },
    {
      type: 'refund.settled',
      data: {...refund, transaction_id: text, status: 3, state: 'successful', refund_time: text, bank_receipt_no: text},
    },
  ]);
});

/** The limiter of addresses, and what it was asked. */
function limiter(allows: number) {
  const asked: string[] = [];
  const bindings = {
    NOTIFICATIONS: 'payment billing subscription',
    ADDRESS_RATE: {limit: ({key}: {key: string}) => Promise.resolve({success: asked.push(key) <= allows})},
  };
  return {asked, bindings};
}

test('an address that floods the hooks is turned away: before anything is read that nobody signs or that is large, else by its wrong keys', async () => {
  const {asked, bindings} = limiter(0);
  for (const hook of ['refund-result', 'payment', 'billing', 'subscription'])
    expect(await notify(`/hooks/${hook}`, {body: '[{}]', bindings})).toBe('429 rate_limited');
  expect(await notifyRefunds(' '.repeat(10_000), {bindings})).toBe('429 rate_limited');
  expect(asked).toEqual(Array.from({length: 5}, () => expect.stringMatching(/^hooks 198\.18\./) as string));
});

const NO_UTF8 = Uint8Array.of(0xff);
const spaces = (bytes: number) => new TextEncoder().encode(' '.repeat(bytes));
function sending(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

test('a large call is charged by its size, and before it is read: when it announces its length, else as it grows', async () => {
  // Both calls, and that neither holds a record.
  const {asked, bindings} = limiter(4);
  expect(await notifyRefunds(sending(spaces(9_000), spaces(9_000)), {length: 18_000, bindings})).toBe('400 Wrong Data');
  expect(await notifyRefunds(sending(spaces(9_000), spaces(9_000)), {bindings})).toBe('400 Wrong Data');
  expect(asked).toHaveLength(4);
  expect(await notifyRefunds(sending(NO_UTF8), {length: 9_000, bindings})).toBe('429 rate_limited');
  expect(await notifyRefunds(sending(spaces(9_000), NO_UTF8), {bindings})).toBe('429 rate_limited');
  expect(await notifyRefunds(sending(spaces(1_000), NO_UTF8), {bindings})).toBe('400 invalid_request');
  expect(asked).toHaveLength(6);
  const growing = limiter(2);
  expect(await notifyRefunds(sending(spaces(65_000), spaces(65_000), spaces(65_000), NO_UTF8), growing)).toBe(
    '429 rate_limited',
  );
  expect(growing.asked).toHaveLength(3);
  for (const [hook, bytes, charges] of [
    ['refund-result', 4_194_304, 64],
    ['payment', 1_048_576, 16],
    ['billing', 65_536, 2],
  ] as const) {
    const {asked: counted, bindings: limits} = limiter(100);
    await notify(`/hooks/${hook}`, {body: sending(NO_UTF8), length: bytes, bindings: limits});
    expect(counted, hook).toHaveLength(charges);
  }
});

test('an IPv6 sender has one limit for its whole /48', async () => {
  const {asked, bindings} = limiter(0);
  for (const address of ['2001:db8:1:2::3', '2001:db8:1:ffff::3', '2001:db8:2:2::3']) {
    expect(await notifyRefunds(' '.repeat(10_000), {bindings, address})).toBe('429 rate_limited');
  }
  expect(asked).toEqual(['hooks 2001:db8:1::/48', 'hooks 2001:db8:1::/48', 'hooks 2001:db8:2::/48']);
});

test('large calls that are held open together take a part of the memory, and small ones are answered beside them', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  const {bindings} = limiter(1_000);
  const ends: (() => void)[] = [];
  const heldOpen = Array.from({length: 8}, () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(spaces(4_000_000));
        ends.push(() => controller.close());
      },
    });
    return notifyRefunds(body, {bindings});
  });
  // Four hold 16 MB; four are turned away while those are open.
  await expect
    .poll(() => Promise.all(heldOpen.map((answer) => Promise.race([answer, 'open']))))
    .toEqual([...Array<string>(4).fill('open'), ...Array<string>(4).fill('429 rate_limited')]);
  expect(await notifyRefunds(result, {bindings})).toBe('200 OK');
  for (const end of ends.slice(0, 4)) end();
  expect((await Promise.all(heldOpen)).slice(0, 4)).toEqual(Array(4).fill('400 Wrong Data'));
  expect(await notifyRefunds(sending(spaces(4_000_000)), {bindings})).toBe('400 Wrong Data');
  expect((await eventTypes()).at(-1)).toBe(`refund.settled ${id}`);
});

test('an upload that does not end is ended after 20 seconds, and gives back what it held', async () => {
  const {bindings} = limiter(1_000);
  const late: (() => void)[] = [];
  const wait = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((task: () => void, ms: number) =>
    ms === 20_000 ? late.push(task) : wait(task, ms)) as unknown as typeof setTimeout);
  const answer = notifyRefunds(new ReadableStream({start: (controller) => controller.enqueue(spaces(9_000))}), {
    bindings,
  });
  await expect.poll(() => late).toHaveLength(1);
  late[0]?.();
  expect(await answer).toBe('408 invalid_request');
});

test('true results are reached behind more wrong ones than an address may send one by one', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  // Each begun 64 KiB of the call, and each hundred.
  const {asked, bindings} = limiter(5);
  const ofAnother = Array.from({length: 250}, (_, index) => ({...result, refund_id: 900_000 + index}));
  expect(await notifyRefunds([...ofAnother, result], {bindings})).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(asked).toHaveLength(5);
});

test('results with true keys are never too many, one by one or at once, also beside wrong ones', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  const day = JSON.stringify(Array.from({length: 10_000}, () => result));
  const charges = Math.ceil(day.length / 65_536);
  // An address may send four such days a minute.
  expect(charges).toBeLessThan(75);
  const {asked, bindings} = limiter(charges);
  for (let count = 0; count < 5; count += 1) expect(await notifyRefunds(result, {bindings})).toBe('200 OK');
  expect(asked).toEqual([]);
  expect(await notifyRefunds(day, {bindings})).toBe('200 OK');
  expect(asked).toHaveLength(charges);
  expect(
    await notifyRefunds(
      [
        {...result, amount: '1'},
        {...result, amount: '2'},
      ],
      {bindings},
    ),
  ).toBe('429 rate_limited');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

const form = (result: RefundResult) =>
  String(new URLSearchParams(Object.entries(result).map(([name, value]) => [name, String(value)])));

describe('in whichever form it comes', () => {
  test('as a GET', async () => {
    const {id} = await refundOrder();
    const [told1] = await endDay('get');
    const {pathname, search} = new URL(told1?.url ?? '');
    expect(await notify(pathname + search, {method: 'GET'})).toBe('200 OK');
    expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  });

  test('as one array for the whole day', async () => {
    const ids = [(await refundOrder()).id, (await refundOrder()).id, (await refundOrder()).id];
    const [told1] = await endDay('batch', {[ids[1] ?? '']: 4});
    expect(await notifyRefunds(told1?.content)).toBe('200 OK');
    expect((await eventTypes()).slice(3).sort()).toEqual([
      `refund.failed ${ids[1]}`,
      `refund.settled ${ids[0]}`,
      `refund.settled ${ids[2]}`,
    ]);
  });

  test.for<[name: string, write: (result: RefundResult) => string, type?: string]>([
    ['an object around an array', (result) => JSON.stringify({status: 'ok', data: [result]})],
    ['an object around an object', (result) => JSON.stringify({refund: result})],
    ['an object of numbered objects', (result) => JSON.stringify({0: result})],
    ['a form', form, 'application/x-www-form-urlencoded'],
    [
      'a form with the JSON in a field',
      (result) => `data=${encodeURIComponent(JSON.stringify([result]))}`,
      'application/x-www-form-urlencoded',
    ],
    ['JSON that says it is text', (result) => JSON.stringify(result), 'text/plain'],
    ['JSON after a byte order mark', (result) => `\uFEFF${JSON.stringify(result)}`],
    ['ids as text', (result) => JSON.stringify({...result, refund_id: String(result['refund_id'])})],
    ['the key in capitals', (result) => JSON.stringify({...result, key: String(result['key']).toUpperCase()})],
  ])('as %s', async ([, write, type]) => {
    const {id} = await refundOrder();
    const [result] = await refundResults();
    expect(await notifyRefunds(write(result ?? {}), type === undefined ? {} : {type})).toBe('200 OK');
    expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  });

  test.for([
    ['100.00', '100'],
    ['100.00', '100.0'],
    ['100.00', '"100.00"'],
    ['99.90', '99.9'],
    ['99.90', '99.90'],
    ['99.90', '"99.90"'],
  ])('with a key over %s and the amount written %s', async ([amount, written]) => {
    const {id} = await refundOrder({amount});
    const [result] = await refundResults();
    const body = JSON.stringify({...result, amount: 0}).replace('"amount":0', `"amount":${written}`);
    expect(await notifyRefunds(body)).toBe('200 OK');
    expect((await eventTypes()).at(-1)).toBe(`refund.settled ${id}`);
  });
});

test('the same again, later and in another order, changes nothing', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  const older = {...result, status: 2};
  expect(await notifyRefunds(older)).toBe('200 OK');
  await advance(MINUTE);
  expect(await notifyRefunds([result, result, older])).toBe('200 OK');
  await evictDurableObject(refundsObject());
  expect(await reads(() => notifyRefunds(result))).toBe(0);
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

test('a wrong key is Wrong Data, and the platform is not asked', async () => {
  await refundOrder();
  const [result = {}] = await refundResults();
  const asked = await callsDuring('', async () => {
    for (const [name, value] of Object.entries({
      key: '0'.repeat(32),
      refund_id: 9,
      amount: 150,
      order: 'S-2',
      code: 'X',
      bank_code: 'teb',
    })) {
      expect(await notifyRefunds({...result, [name]: value}), name).toBe('400 Wrong Data');
    }
    for (const body of [
      '[]',
      '{}',
      'null',
      '7',
      '"x"',
      '{',
      '<xml/>',
      '[[[[[[]]]]]]',
      '[null]',
      `[${JSON.stringify(result)}, 7]`.replace(String(result['key']), 'k'),
      'refund_id=1&refund_id=2',
    ]) {
      expect(await notifyRefunds(body), body).toBe('400 Wrong Data');
    }
    expect(await notify('/hooks/refund-result', {method: 'GET'})).toBe('400 Wrong Data');
  });
  expect(asked).toBe(0);
});

test('a true key over what is not true changes nothing', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults({[id]: 4});
  // Neither status nor IBAN is under the key.
  expect(await notifyRefunds({...result, refund_iban: 'TR000000000000000000000001'})).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.failed ${id}`]);
  await advance(MINUTE);
  expect(await notifyRefunds({...result, status: 3})).toBe('200 OK');
  // Nothing stands between the values: what one loses another may gain.
  expect(
    await notifyRefunds({
      ...result,
      refund_id: `${id}${String(result['code']).slice(0, 1)}`,
      code: String(result['code']).slice(1),
    }),
  ).toBe('503 Try Again');
  expect(await notifyRefunds({...result, order: `${result['order']}1`, amount: '49.90'})).toBe('400 Wrong Data');
  expect(await eventTypes()).toHaveLength(2);
  expect(await known()).toEqual([{id, status: '4'}]);
});

/** The key is as true for these: nothing stands between the values that it is made of. */
function shifted(result: RefundResult): RefundResult[] {
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

test('a refund that we did not make is the order’s if the platform says so', async () => {
  const {id, order} = await refundOrder({recorded: false});
  const [result = {}] = await refundResults();
  expect(await callsDuring(BY_ORDER, async () => expect(await notifyRefunds(result)).toBe('200 OK'))).toBe(1);
  const [event] = (await outboxObject().read(0)).items;
  expect(event).toMatchObject({type: 'refund.settled', data: {refund_id: id, order, service: 'DEMO'}});
  expect(await eventTypes()).toHaveLength(1);
});

describe('a true result is kept beside forged ones of the same refund', {retry: 0}, () => {
  test('that come just before', async () => {
    const {id} = await refundOrder({recorded: false});
    const [result = {}] = await refundResults();
    for (const forged of shifted(result)) expect(await notifyRefunds(forged)).not.toContain('OK');
    expect(await known()).toEqual([]);
    expect(await notifyRefunds(result)).toBe('200 OK');
    expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
  });

  test('that stand before it in one call', async () => {
    const {id} = await refundOrder({recorded: false});
    const [result = {}] = await refundResults();
    expect(await notifyRefunds([...shifted(result), result])).toBe('503 Try Again');
    expect(await known()).toEqual([{id, status: '3'}]);
    expect(await notifyRefunds(result)).toBe('200 OK');
  });

  test('that come before the platform itself can be asked', async () => {
    const {id, order} = await refundOrder({recorded: false});
    const [result = {}] = await refundResults();
    await setFault({operation: GET, kind: '500-html'});
    for (const forged of shifted(result)) await notifyRefunds(forged);
    expect(await notifyRefunds(result)).toBe('503 Try Again');
    await control('faults');
    await advance(MINUTE);
    await readRefunds();
    expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
    // The platform may yet come to know the one with another id.
    expect(await claims()).toEqual([{id: expect.stringContaining(id) as string, order, amount: 14990}]);
  });
});

test('a refund that the platform tells of before it can be read is asked for after a minute and every morning, for three days', async () => {
  const {id} = await refundOrder({recorded: false});
  const [result = {}] = await refundResults();
  await setFault({operation: GET, kind: 'status', status: 'ERR_006'});
  expect(await notifyRefunds(result)).toBe('503 Try Again');
  expect(await alarmIn(refundsObject())).toBe(MINUTE);
  await advance(MINUTE);
  await readRefunds();
  expect(await alarmIn(refundsObject())).toBe(20 * HOUR - MINUTE);
  await advance(20 * HOUR - MINUTE);
  expect(await reads(readRefunds)).toBe(1);
  await control('faults');
  await advance(DAY);
  await readRefunds();
  expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect(await claims()).toEqual([]);
});

test('of a mixed batch what is true is kept, and it is not OK', async () => {
  const [first, second] = [await refundOrder(), await refundOrder()];
  const [one, other] = await refundResults();
  expect(await notifyRefunds([one, {...other, key: '0'.repeat(32)}])).toBe('400 Wrong Data');
  expect((await eventTypes()).slice(2)).toEqual([`refund.settled ${first.id}`]);
  expect(await notifyRefunds([one, other])).toBe('200 OK');
  expect((await eventTypes()).slice(3)).toEqual([`refund.settled ${second.id}`]);
});

test.for(['500-html', 'malformed', 'empty'] as const)(
  'a platform that does not say what is true (%s) is asked again, by whoever notifies or by ourselves',
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

test('a platform whose books lag behind its own notification is believed when they do not', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults({[id]: 2}).then(async (none) => (none.length === 0 ? refundResults() : none));
  await replaceBindings(refundsObject(), {PLATFORM_STATUSES: {refund: {'3': 'processing', '4': 'successful'}}});
  expect(await notifyRefunds({...result, status: 4})).toBe('503 Try Again');
  await evictDurableObject(refundsObject());
  await advance(MINUTE);
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.changed ${id}`, `refund.settled ${id}`]);
});

test('a status that nobody knows is kept and told as it is', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  await replaceBindings(refundsObject(), {PLATFORM_STATUSES: {refund: {'3': 'something new'}}});
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect((await outboxObject().read(0)).items[1]).toMatchObject({
    type: 'refund.changed',
    data: {refund_id: id, status: 3, state: 'something new'},
  });
});

test('a status never goes back to an earlier one', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  await notifyRefunds(result);
  await replaceBindings(refundsObject(), {PLATFORM_STATUSES: {refund: {'3': 'waiting'}}});
  await advance(MINUTE);
  expect(await notifyRefunds({...result, status: 4})).toBe('200 OK');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(logLines('refund_went_back')).toHaveLength(1);
});

test('cut off while the platform is asked, it is looked at by ourselves', async () => {
  const {id} = await refundOrder({recorded: false});
  const [result] = await refundResults();
  await setFault({operation: GET, kind: 'delay', delay_ms: 1_000, times: 1});
  const cutOff = notifyRefunds(result);
  await expect.poll(() => countCalls(GET)).toBe(1);
  await abortAllDurableObjects();
  expect(await cutOff).not.toContain('OK');
  await advance(MINUTE);
  await readRefunds();
  expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
});

test('a refund without a result is asked for every morning in Turkey, until there is one', async () => {
  const {id} = await refundOrder();
  // It is noon.
  expect(await alarmIn(refundsObject())).toBe(20 * HOUR);
  await advance(20 * HOUR);
  expect(await reads(readRefunds)).toBe(1);
  expect(await alarmIn(refundsObject())).toBe(DAY);
  await refundResults();
  await advance(DAY);
  await readRefunds();
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(await alarmIn(refundsObject())).toBeNull();
});

test('after three months of mornings nobody asks any more, the log says so, and a notification still settles it', async () => {
  const {id, order} = await refundOrder();
  await advance(91 * DAY);
  await readRefunds();
  expect(await alarmIn(refundsObject())).toBeNull();
  expect(logLines('refund_given_up')).toEqual([{level: 'error', event: 'refund_given_up', service: 'DEMO', order}]);
  const [result] = await refundResults();
  await advance(MINUTE);
  expect(await notifyRefunds(result)).toBe('200 OK');
  expect((await eventTypes()).at(-1)).toBe(`refund.settled ${id}`);
});

test('a refund that is noted twice, or after its result, is requested once', async () => {
  const {id, order} = await refundOrder({recorded: false});
  const [result] = await refundResults();
  await notifyRefunds(result);
  const refund = {id, service: 'DEMO', order, amount: 14990};
  await refundsObject().recordRequested(refund);
  await refundsObject().recordRequested(refund);
  expect(await eventTypes()).toEqual([`refund.settled ${id}`]);
});

test('who hammers the hook gets nowhere', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  expect(await notifyRefunds(`[${'{},'.repeat(10_000)}{}]`)).toBe('413 too_large');
  expect(await notifyRefunds(' '.repeat(4_194_305))).toBe('413 too_large');
  expect(await notifyRefunds(`${'['.repeat(100_000)}`)).toBe('400 Wrong Data');
  // The same true notification a hundred times: one question.
  expect(
    await reads(() => Promise.all(Array.from({length: 100}, (_, index) => notifyRefunds({...result, status: index})))),
  ).toBe(1);
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

test('a true key over a refund that does not exist is one question, however often it comes, and is forgotten after three days', async () => {
  await refundOrder();
  const [result = {}] = await refundResults();
  await notifyRefunds(result);
  const forged = shifted(result).at(-1);
  const hammer = async () => {
    for (let count = 0; count < 20; count += 1) expect(await notifyRefunds(forged)).toBe('503 Try Again');
  };
  expect(await reads(hammer)).toBe(1);
  await advance(10 * SECOND);
  expect(await reads(hammer)).toBe(1);
  for (
    let next = await alarmIn(refundsObject()), asked = 0;
    next !== null;
    next = await alarmIn(refundsObject()), asked += 1
  ) {
    expect(asked).toBeLessThan(6);
    await advance(next);
    await readRefunds();
  }
  expect(await claims()).toEqual([]);
  expect(logLines('refund_not_found')).toEqual([{level: 'warn', event: 'refund_not_found', rows: 1}]);
});

test('no page may send one, and without the private keys nobody can', async () => {
  await refundOrder();
  const [result] = await refundResults();
  expect(await notify('/hooks/refund-result', {method: 'OPTIONS', origin: ORIGIN})).toBe('405 method_not_allowed');
  expect(await notifyRefunds(result, {origin: ORIGIN})).toBe('200 OK');
  for (const bindings of [{MERCHANT_PRIVATE_KEY: undefined}, {SERVICE_PRIVATE_KEYS: undefined}]) {
    expect(await notifyRefunds(result, {bindings})).toBe('501 not_configured');
  }
  expect(await notify('/hooks/nothing')).toBe('404 not_found');
});

test('each service’s key counts for its own refunds only', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  const bindings = {
    SERVICES: {DEMO: {micropaymentId: 1, privateKey: 'another private key'}, OTHER: {}},
    SERVICE_PRIVATE_KEYS: {OTHER: 'sandbox-service-private-key'},
  };
  expect(await notifyRefunds(result, {bindings})).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`]);
});

test('the line is cut while a whole day is told: what could be read is kept, and the rest comes later', async () => {
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await refundOrder()).id);
  const [told1] = await endDay('batch');
  await setLine('refused');
  expect(await notifyRefunds(told1?.content)).toBe('503 Try Again');
  await setLine('open');
  await advance(30 * SECOND);
  // Where that was failure enough for the breaker to open, the first call is its probe, and the others are told again.
  await notifyRefunds(told1?.content);
  expect(await notifyRefunds(told1?.content)).toBe('200 OK');
  expect((await eventTypes()).slice(3).sort()).toEqual(ids.map((id) => `refund.settled ${id}`).sort());
});

/** All of them in `npm run bench -- evicted-refunds`; here a few, for `test/faults/refund-notifications.test.ts` runs its fiftieth beside it. */
const REFUNDS = inject('scale') > 0.1 ? 10_000 * inject('scale') : 40;
const CUTS = Math.max(4, REFUNDS / 100);

test(
  `${REFUNDS} results over a platform that fails three times in ten to objects cut off ${CUTS} times: none lost, none twice`,
  {timeout: 3_000_000},
  async ({annotate}) => {
    const {ids, told: notifications} = await manyResults(REFUNDS);
    await setFault({operation: GET, kind: '500-html', rate: 0.3});
    const open = new Set(notifications);
    let sent = 0;
    for (let round = 0; open.size > 0; round += 1) {
      const calls = inCalls([...open]);
      const cuts = new Set(
        Array.from({length: round === 0 ? CUTS : 0}, (_, index) => Math.floor((index * calls.length) / CUTS)),
      );
      for (const [index, call] of calls.entries()) {
        const notifying = notifyRefunds(call.length === 1 ? call[0] : call).catch(() => 'cut off');
        // As good as any moment: the call is somewhere between its first row and its answer.
        if (cuts.has(index))
          await (index % 2 ? evictDurableObject(refundsObject()).catch(() => {}) : abortAllDurableObjects());
        sent += 1;
        if ((await notifying) === '200 OK') for (const result of call) open.delete(result);
      }
      await advance(MINUTE);
    }
    await setFault({operation: GET, kind: 'clear'});
    const events = await allEvents();
    expect(events.sort()).toEqual(ids.map((id) => `refund.settled ${id}`).sort());
    // What is late and what is there twice changes nothing.
    await notifyRefunds(notifications.slice(0, 100).map((result) => Object.assign({}, result, {status: 2})));
    expect(await allEvents()).toHaveLength(REFUNDS);
    await annotate(`${sent} calls`);
  },
);

/** Refunds that the Worker did not make, and their results. */
async function manyResults(count: number): Promise<{ids: string[]; told: RefundResult[]}> {
  const ids: string[] = [];
  for (let start = 0; start < count; start += 20) {
    const made = Array.from({length: Math.min(20, count - start)}, (_, index) =>
      refundAtPlatform(`R-${start + index}`),
    );
    ids.push(...(await Promise.all(made)));
  }
  return {ids, told: await refundResults()};
}

/** One in a call, or a few. */
function inCalls(all: readonly RefundResult[]): RefundResult[][] {
  const rest = [...all];
  const calls: RefundResult[][] = [];
  while (rest.length > 0) calls.push(rest.splice(0, calls.length % 3 === 0 ? 8 : 1));
  return calls;
}

async function allEvents(): Promise<string[]> {
  const all: string[] = [];
  for (let position = 0; ;) {
    const page = await outboxObject().read(position);
    all.push(...page.items.flatMap(({type, data}) => ('refund_id' in data ? [`${type} ${data.refund_id}`] : [])));
    if (!page.more) return all;
    ({position} = page);
  }
}
