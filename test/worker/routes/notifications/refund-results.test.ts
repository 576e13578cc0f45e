/** Notifications of refund results. */

import {evictDurableObject} from 'cloudflare:test';
import {describe, expect, test, vi} from 'vitest';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  endDay,
  eventTypes,
  refundOrder,
  fakeLimiter,
  HINT_KEY,
  type RefundResult,
  refundResults,
  notify,
  notifyRefunds,
  refundsObject,
  spaces,
  streamOf,
} from '../../support/notifications.ts';
import {ORIGIN} from '../../support/page.ts';
import {callsDuring, control, setLine} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const GET = '/refund/get';
const text = expect.any(String) as string;

const countReads = (task: () => Promise<unknown>) => callsDuring(GET, task);

test('a refund causes one event when it is requested, and one when a notification settles it', async () => {
  const {id, order} = await refundOrder();
  const [result] = await refundResults();
  expect(await notifyRefunds(result)).toBe('200 OK');
  const {items} = await outboxObject().read(0);
  const refund = {refund_id: id, service: 'DEMO', order, amount: '149.90', sub_merchant_id: null, refund_link_id: null};
  expect(items.map(({type, data}) => ({type, data}))).toEqual([
    {
      type: 'refund.requested',
      data: {
        ...refund,
        transaction_id: null,
        status: null,
        state: 'waiting',
        refund_time: null,
        refund_time_text: null,
        bank_receipt_no: null,
      },
    },
    {
      type: 'refund.settled',
      data: {
        ...refund,
        transaction_id: text,
        status: 3,
        state: 'successful',
        refund_time: text,
        refund_time_text: null,
        bank_receipt_no: text,
      },
    },
  ]);
});

test('an address that floods the hooks gets 429 before an unsigned or large body is read', async () => {
  const {keys, bindings} = fakeLimiter(0);
  for (const hook of ['refund-result', 'payment', 'billing', 'subscription'])
    expect(await notify(`/hooks/${hook}?key=${HINT_KEY}`, {body: '[{}]', bindings})).toBe('429 rate_limited');
  expect(await notifyRefunds(' '.repeat(10_000), {bindings})).toBe('429 rate_limited');
  expect(keys).toEqual(Array.from({length: 5}, () => expect.stringMatching(/^hooks 198\.18\./) as string));
});

const NOT_UTF8 = Uint8Array.of(0xff);

test('a large notification counts by its size before it is read, by Content-Length or as it arrives', async () => {
  // The two notifications count as two requests for their sizes, and as two more because neither contains a record.
  const {keys, bindings} = fakeLimiter(4);
  expect(await notifyRefunds(streamOf(spaces(9_000), spaces(9_000)), {length: 18_000, bindings})).toBe(
    '400 Wrong Data',
  );
  expect(await notifyRefunds(streamOf(spaces(9_000), spaces(9_000)), {bindings})).toBe('400 Wrong Data');
  expect(keys).toHaveLength(4);
  expect(await notifyRefunds(streamOf(NOT_UTF8), {length: 9_000, bindings})).toBe('429 rate_limited');
  expect(await notifyRefunds(streamOf(spaces(9_000), NOT_UTF8), {bindings})).toBe('429 rate_limited');
  expect(await notifyRefunds(streamOf(spaces(1_000), NOT_UTF8), {bindings})).toBe('400 invalid_request');
  expect(keys).toHaveLength(6);
  const growing = fakeLimiter(2);
  expect(await notifyRefunds(streamOf(spaces(65_000), spaces(65_000), spaces(65_000), NOT_UTF8), growing)).toBe(
    '429 rate_limited',
  );
  expect(growing.keys).toHaveLength(3);
  for (const [hook, bytes, requests] of [
    ['refund-result', 4_194_304, 64],
    ['payment', 1_048_576, 16],
    ['billing', 65_536, 2],
  ] as const) {
    const {keys: counted, bindings: limits} = fakeLimiter(100);
    await notify(`/hooks/${hook}?key=${HINT_KEY}`, {body: streamOf(NOT_UTF8), length: bytes, bindings: limits});
    expect(counted, hook).toHaveLength(requests);
  }
});

test('an IPv6 sender has one limit for its whole /48', async () => {
  const {keys, bindings} = fakeLimiter(0);
  for (const address of ['2001:db8:1:2::3', '2001:db8:1:ffff::3', '2001:db8:2:2::3']) {
    expect(await notifyRefunds(' '.repeat(10_000), {bindings, address})).toBe('429 rate_limited');
  }
  expect(keys).toEqual(['hooks 2001:db8:1::/48', 'hooks 2001:db8:1::/48', 'hooks 2001:db8:2::/48']);
});

test('genuine results are read even if they follow many wrong results in one notification', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  // The notification counts as two requests for its size (64 KiB each) and as 25 for its wrong records (ten each).
  const {keys, bindings} = fakeLimiter(27);
  const wrongResults = Array.from({length: 250}, (_, index) => ({...result, refund_id: 900_000 + index}));
  expect(await notifyRefunds([...wrongResults, result], {bindings})).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(keys).toHaveLength(27);
});

async function countDigests(task: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(crypto.subtle, 'digest');
  await task();
  const digests = spy.mock.calls.filter(([algorithm]) => algorithm === 'MD5').length;
  spy.mockRestore();
  return digests;
}

describe('with private keys of 21 services', () => {
  const secrets = Array.from({length: 20}, (_, index) => [`S${index}`, `sandbox-private-key-${index}`] as const);
  const manyServices = {
    SERVICES: Object.fromEntries([...secrets.map(([code]) => [code, {}] as const), ['DEMO', {micropaymentId: 1}]]),
    SERVICE_PRIVATE_KEYS: JSON.stringify({...Object.fromEntries(secrets), DEMO: 'sandbox-service-private-key'}),
  };

  test('ten thousand results with wrong keys cost about 2,000 digests', async () => {
    await refundOrder();
    const [result = {}] = await refundResults();
    const {keys, bindings} = fakeLimiter(1_000);
    const body = JSON.stringify(Array.from({length: 10_000}, (_, index) => ({...result, refund_id: 900_000 + index})));
    const digests = await countDigests(async () => {
      expect(await notifyRefunds(body, {bindings: {...bindings, ...manyServices}})).toBe('400 Wrong Data');
    });
    // Each record costs 42 digests: one for each service and each of two spellings of the amount.
    expect(digests).toBe(48 * 42);
    expect(keys).toHaveLength(Math.ceil(body.length / 65_536) + 5);
  });

  test('with several services, each genuine result except the first costs the same as with one service', async () => {
    const {id} = await refundOrder();
    const [result = {}] = await refundResults();
    const {bindings} = fakeLimiter(1_000);
    const digests = await countDigests(async () => {
      const results = Array.from({length: 300}, () => result);
      expect(await notifyRefunds(results, {bindings: {...bindings, ...manyServices}})).toBe('200 OK');
    });
    expect(digests).toBe(42 + 299 * 2);
    expect((await eventTypes()).at(-1)).toBe(`refund.settled ${id}`);
  });
});

test('a limit never refuses genuine results, even ten thousand in a minute, but refuses wrong results', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  const day = JSON.stringify(Array.from({length: 10_000}, () => result));
  const requests = Math.ceil(day.length / 65_536);
  // Four notifications of this size a minute are within the limit of an address.
  expect(requests).toBeLessThan(75);
  const {keys, bindings} = fakeLimiter(requests);
  for (let count = 0; count < 5; count += 1) expect(await notifyRefunds(result, {bindings})).toBe('200 OK');
  expect(keys).toEqual([]);
  expect(await notifyRefunds(day, {bindings})).toBe('200 OK');
  expect(keys).toHaveLength(requests);
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

describe('a refund result is accepted', () => {
  test('as a GET', async () => {
    const {id} = await refundOrder();
    const [notification] = await endDay('get');
    const {pathname, search} = new URL(notification?.url ?? '');
    expect(await notify(pathname + search, {method: 'GET'})).toBe('200 OK');
    expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  });

  test.for(['numbered', 'named', 'json'])(
    'as one GET for the whole day under the reading %s, and as a form',
    async (refund_query) => {
      await control('readings', {refund_query});
      const ids = [(await refundOrder()).id, (await refundOrder()).id, (await refundOrder()).id];
      const [notification] = await endDay('get-batch', {[ids[1] ?? '']: 4});
      const {pathname, search} = new URL(notification?.url ?? '');
      expect(await notify(pathname + search, {method: 'GET'})).toBe('200 OK');
      expect((await eventTypes()).slice(3).sort()).toEqual([
        `refund.failed ${ids[1]}`,
        `refund.settled ${ids[0]}`,
        `refund.settled ${ids[2]}`,
      ]);
      expect(await notifyRefunds(search.slice(1), {type: 'application/x-www-form-urlencoded'})).toBe('200 OK');
    },
  );

  test('as one array for the whole day', async () => {
    const ids = [(await refundOrder()).id, (await refundOrder()).id, (await refundOrder()).id];
    const [notification] = await endDay('batch', {[ids[1] ?? '']: 4});
    expect(await notifyRefunds(notification?.content)).toBe('200 OK');
    expect((await eventTypes()).slice(3).sort()).toEqual([
      `refund.failed ${ids[1]}`,
      `refund.settled ${ids[0]}`,
      `refund.settled ${ids[2]}`,
    ]);
  });

  const FORMS: readonly (readonly [name: string, write: (result: RefundResult) => string, type?: string])[] = [
    ['an object around an array', (result) => JSON.stringify({status: 'ok', data: [result]})],
    ['an object around an object', (result) => JSON.stringify({refund: result})],
    ['an object of numbered objects', (result) => JSON.stringify({0: result})],
    ['a form', form, 'application/x-www-form-urlencoded'],
    [
      'a form with the JSON in a field',
      (result) => `data=${encodeURIComponent(JSON.stringify([result]))}`,
      'application/x-www-form-urlencoded',
    ],
    ['JSON with the type text/plain', (result) => JSON.stringify(result), 'text/plain'],
    ['JSON after a byte order mark', (result) => `\uFEFF${JSON.stringify(result)}`],
    ['ids as text', (result) => JSON.stringify({...result, refund_id: String(result['refund_id'])})],
    ['the key in capitals', (result) => JSON.stringify({...result, key: String(result['key']).toUpperCase()})],
  ];

  test('in each of the forms that a platform may send', async () => {
    for (const [name, write, type] of FORMS) {
      const {id} = await refundOrder();
      const result = (await refundResults()).at(-1) ?? {};
      expect(await notifyRefunds(write(result), type === undefined ? {} : {type}), name).toBe('200 OK');
      expect((await eventTypes()).slice(-2), name).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
    }
  });

  test('however its amount is written', async () => {
    for (const [amount, ...spellings] of [
      ['100.00', '100', '100.0', '"100.00"'],
      ['99.90', '99.9', '"99.90"'],
    ])
      for (const written of spellings) {
        const {id} = await refundOrder({amount: amount ?? ''});
        const result = (await refundResults()).at(-1);
        const body = JSON.stringify({...result, amount: 0}).replace('"amount":0', `"amount":${written}`);
        expect(await notifyRefunds(body), written).toBe('200 OK');
        expect((await eventTypes()).at(-1), written).toBe(`refund.settled ${id}`);
      }
  });
});

test('results that are repeated later and in a different order change nothing', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  const olderResult = {...result, status: 2};
  expect(await notifyRefunds(olderResult)).toBe('200 OK');
  await advance(MINUTE);
  expect(await notifyRefunds([result, result, olderResult])).toBe('200 OK');
  await evictDurableObject(refundsObject());
  expect(await countReads(() => notifyRefunds(result))).toBe(0);
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

test('a result with a wrong key and a body without results get Wrong Data, without a platform call', async () => {
  await refundOrder();
  const [result = {}] = await refundResults();
  const callCount = await callsDuring('', async () => {
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
  expect(callCount).toBe(0);
});

test('a day’s results that also name another system’s service get OK only with FOREIGN_RECORDS', async () => {
  const {id} = await refundOrder();
  const before = (await endDay('batch', {}, {foreign: true}))[0]?.content as RefundResult[];
  expect(before).toHaveLength(2);
  const bindings = {FOREIGN_RECORDS: 'accept'};
  expect(await notifyRefunds(before)).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
  expect(await notifyRefunds(before, {bindings})).toBe('200 OK');
  expect(await notifyRefunds(before.slice(1), {bindings})).toBe('200 OK');
  // The platform must not believe that the Worker has read what it did not check, or could not read.
  expect(await notifyRefunds([...before, {}], {bindings})).toBe('400 Wrong Data');
  expect(await notifyRefunds(Array(500).fill(before[1]), {bindings})).toBe('400 Wrong Data');
});

const FORM_TYPE = 'application/x-www-form-urlencoded';
const manyFields = (count: number) => '0[a]=&'.repeat(count);
const manyRecords = (count: number) =>
  Array.from({length: count}, (_, index) => `${index}[txid]=${index}&${index}[key]=${'0'.repeat(32)}`).join('&');
const sendForm = (fields: string[]) => notifyRefunds(fields.join('&'), {type: FORM_TYPE});

test('a query or form is refused before it is parsed if it has too many fields or too many records', async () => {
  const {keys, bindings} = fakeLimiter(1_000);
  expect(await notifyRefunds(manyFields(12_001), {type: FORM_TYPE, bindings})).toBe('413 too_large');
  expect(await notify(`/hooks/refund-result?${manyFields(12_001)}`, {method: 'GET', bindings})).toBe('413 too_large');
  // Each of these counts as two requests because of its 72 kB.
  expect(keys).toHaveLength(4);
  const nested = encodeURIComponent(`[${'{},'.repeat(10_100)}{}]`);
  expect(await notifyRefunds(`refunds=${nested}`, {bindings})).toBe('413 too_large');
  const payments = {body: manyRecords(1_001), type: FORM_TYPE, bindings};
  expect(await notify('/hooks/payment', payments)).toBe('413 too_large');
});

const withNames = (name: (record: number, field: number) => string, fields = 24) =>
  JSON.stringify(
    Array.from({length: 2_000}, (_, record) =>
      Object.fromEntries(Array.from({length: fields}, (_field, field) => [name(record, field), 1])),
    ),
  );

test('JSON with too many different names is refused before it is parsed; numbered records are accepted', async () => {
  const {bindings} = fakeLimiter(1_000);
  const parse = vi.spyOn(JSON, 'parse');
  for (const body of [
    withNames((record, field) => `n${record * 24 + field}`),
    withNames((record, field) => `${'n'.repeat(100)}${record * 24 + field}`, 6),
  ]) {
    expect(await notifyRefunds(body, {bindings})).toBe('413 too_large');
    const nested = `refunds=${encodeURIComponent(body)}`;
    expect(await notifyRefunds(nested, {type: FORM_TYPE, bindings})).toBe('413 too_large');
    expect(parse.mock.calls.filter(([parsed]) => parsed === body)).toEqual([]);
  }
  parse.mockRestore();
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  const numbered = Object.fromEntries(Array.from({length: 2_000}, (_, index) => [index, result]));
  expect(await notifyRefunds(numbered, {bindings})).toBe('200 OK');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

test('in a form with brackets, only complete groups of fields with an id count as records', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  const group = (prefix: string) =>
    Object.entries(result).map(([name, value]) => `${prefix}[${name}]=${encodeURIComponent(String(value))}`);
  expect(await sendForm([...group('a').slice(1), ...group('b').slice(0, 1)])).toBe('400 Wrong Data');
  expect(await sendForm([...group('a'), `a[status]=4`])).toBe('400 Wrong Data');
  expect(await sendForm(group('refunds'))).toBe('200 OK');
  expect(await sendForm(['shop=1', 'meta[x]=2', ...group('data[refunds][7]')])).toBe('200 OK');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

test('oversized and repeated notifications cause at most one platform call', async () => {
  const {id} = await refundOrder();
  const [result = {}] = await refundResults();
  expect(await notifyRefunds(`[${'{},'.repeat(10_000)}{}]`)).toBe('413 too_large');
  expect(await notifyRefunds(' '.repeat(4_194_305))).toBe('413 too_large');
  expect(await notifyRefunds(`${'['.repeat(100_000)}`)).toBe('413 too_large');
  // A hundred genuine notifications of one refund cost one platform call.
  expect(
    await countReads(() =>
      Promise.all(Array.from({length: 100}, (_, index) => notifyRefunds({...result, status: index}))),
    ),
  ).toBe(1);
  expect(await eventTypes()).toEqual([`refund.requested ${id}`, `refund.settled ${id}`]);
});

test('the hook has no CORS, and does not work without the private keys', async () => {
  await refundOrder();
  const [result] = await refundResults();
  expect(await notify('/hooks/refund-result', {method: 'OPTIONS', origin: ORIGIN})).toBe('405 method_not_allowed');
  expect(await notifyRefunds(result, {origin: ORIGIN})).toBe('200 OK');
  for (const bindings of [{MERCHANT_PRIVATE_KEY: undefined}, {SERVICE_PRIVATE_KEYS: undefined}]) {
    expect(await notifyRefunds(result, {bindings})).toBe('501 not_configured');
  }
  expect(await notify('/hooks/nothing')).toBe('404 not_found');
});

test('a service’s private key is accepted only for refunds of this service', async () => {
  const {id} = await refundOrder();
  const [result] = await refundResults();
  const bindings = {
    SERVICES: {DEMO: {micropaymentId: 1, privateKey: 'another private key'}, OTHER: {}},
    SERVICE_PRIVATE_KEYS: {OTHER: 'sandbox-service-private-key'},
  };
  expect(await notifyRefunds(result, {bindings})).toBe('400 Wrong Data');
  expect(await eventTypes()).toEqual([`refund.requested ${id}`]);
});

test('if the connection fails during a day’s batch, repeating the batch completes it', async () => {
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await refundOrder()).id);
  const [batch] = await endDay('batch');
  await setLine('refused');
  expect(await notifyRefunds(batch?.content)).toBe('503 Try Again');
  await setLine('open');
  await advance(30 * SECOND);
  // If the circuit has opened, this call is the circuit's probe, and the batch must be sent once more.
  await notifyRefunds(batch?.content);
  expect(await notifyRefunds(batch?.content)).toBe('200 OK');
  expect((await eventTypes()).slice(3).sort()).toEqual(ids.map((id) => `refund.settled ${id}`).sort());
});
