/** The notification of a refund result (`docs/spec/orders.md` 6), as the merchant's server receives it. */

import {env} from 'cloudflare:workers';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {refundKey} from '../../../sandbox/keys.ts';
import {call, control, createOrder, pay, read} from '../support/platform.ts';

const MERCHANT_URL = env.NOTIFY_URL ?? '';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

interface Received {
  readonly method: string;
  readonly url: string;
  readonly contentType: string | null;
  readonly body: string;
}

let received: Received[];
let answer: () => Response;

beforeEach(async () => {
  received = [];
  answer = () => new Response('OK');
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as string, init as RequestInit);
    const {method, url, headers} = request;
    received.push({method, url, contentType: headers.get('content-type'), body: await request.text()});
    return answer();
  });
  await control('reset');
});

afterEach(() => {
  vi.restoreAllMocks();
});

function bodies(): unknown[] {
  return received.map(({body}) => JSON.parse(body));
}

/** Creates an order and its refund. Returns the notification that is expected after the refund has succeeded. */
async function refund(order: string, amount: string) {
  const code = await createOrder(order, amount);
  await pay({order_code: code, amount});
  const contact = {'contact[name]': 'Ayşe Yılmaz', 'contact[iban]': 'TR330006100519786457841326'};
  const {refund_id} = await call('/refund/create', {code: 'DEMO', order, amount, ...contact});
  const id = Number(refund_id);
  const fields = {refund_id: id, code, order, amount, bank_code: 'garanti'};
  const key = await refundKey('DEMO', 123, fields, 'sandbox-merchant-private-key', 'sandbox-service-private-key');
  const expected = {
    refund_id: id,
    code,
    order,
    status: 3,
    amount: Number(amount),
    refund_contact: 'Ayşe Yılmaz',
    refund_iban: 'TR330006100519786457841326',
    refund_date: TIME,
    create_time: TIME,
    bank_no: 62,
    bank_id: 6,
    bank_name: 'Garanti BBVA',
    bank_code: 'garanti',
    bank_receipt_no: `D${id}`,
    key,
  };
  return {id, expected};
}

test('the key of a refund result matches the test vector', async () => {
  const fields = {refund_id: 1301, code: '881200450017', order: 'S-1009', amount: '0.50', bank_code: 'ornekbank'};
  const key = await refundKey('KTP', 2042, fields, 'example merchant private', 'example service private');
  expect(key).toBe('c7c85c39eaaa146ee7ae9904c3815f22');
});

test('with notify "post", the platform sends one POST for each refund', async () => {
  const first = await refund('S-1', '149.90');
  const second = await refund('S-2', '0.50');
  const {body} = await control('day-end', {notify: 'post'});
  expect(body).toEqual({
    settled: [
      {refund_id: first.id, status: 3},
      {refund_id: second.id, status: 3},
    ],
    notifications: [
      {method: 'POST', refund_ids: [first.id], http_status: 200, answer: 'OK'},
      {method: 'POST', refund_ids: [second.id], http_status: 200, answer: 'OK'},
    ],
  });
  expect(received).toMatchObject([
    {method: 'POST', url: MERCHANT_URL, contentType: 'application/json'},
    {method: 'POST', url: MERCHANT_URL, contentType: 'application/json'},
  ]);
  expect(bodies()).toEqual([first.expected, second.expected]);
});

test('with notify "get", the platform sends all fields in the query, with two decimals in the amount', async () => {
  const {id, expected} = await refund('S 1', '149.90');
  await control('day-end', {notify: 'get'});
  expect(received).toHaveLength(1);
  const [{method, url} = {method: '', url: ''}] = received;
  expect(method).toBe('GET');
  expect(url.startsWith(`${MERCHANT_URL}?refund_id=${id}&code=`)).toBe(true);
  const expectedTexts = Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [name, value === TIME ? TIME : String(value)]),
  );
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({...expectedTexts, amount: '149.90'});
});

test.each([
  ['post', ({body}: Received) => body, '"amount":29.899999999999999,'],
  ['batch', ({body}: Received) => body, '"amount":29.899999999999999,'],
  ['get', ({url}: Received) => url, '&amount=29.899999999999999&'],
])(
  'with notify "%s" and the reading `amounts: seventeen_digits`, the key covers two decimals, and the amount has 17 digits',
  async (notify, partOf, amount) => {
    await control('readings', {amounts: 'seventeen_digits'});
    const {expected} = await refund('S-1', '29.90');
    await control('day-end', {notify});
    const sent = received.map(partOf).join('');
    expect(sent).toContain(amount);
    expect(sent).toContain(expected.key);
  },
);

test('with notify "batch", the platform sends all refunds in one array', async () => {
  const first = await refund('S-1', '149.90');
  const second = await refund('S-2', '0.50');
  const {body} = await control('day-end', {notify: 'batch'});
  expect(body['notifications']).toEqual([
    {method: 'POST', refund_ids: [first.id, second.id], http_status: 200, answer: 'OK'},
  ]);
  expect(bodies()).toEqual([[first.expected, second.expected]]);
});

test.each([
  ['numbered', '0[refund_id]', '1[amount]'],
  ['named', 'refunds[0][refund_id]', 'refunds[1][amount]'],
])(
  'with notify "get-batch" and the reading `refund_query: %s`, one GET has all refunds',
  async (refund_query, idName, amountName) => {
    await control('readings', {refund_query});
    const first = await refund('S-1', '149.90');
    const second = await refund('S-2', '0.50');
    const {body} = await control('day-end', {notify: 'get-batch'});
    expect(body['notifications']).toEqual([
      {method: 'GET', refund_ids: [first.id, second.id], http_status: 200, answer: 'OK'},
    ]);
    const {searchParams} = new URL(received[0]?.url ?? '');
    expect([searchParams.get(idName), searchParams.get(amountName)]).toEqual([String(first.id), '0.50']);
  },
);

test('with notify "get-batch" and both readings, the JSON of the query has 17 digits', async () => {
  await control('readings', {refund_query: 'json', amounts: 'seventeen_digits'});
  await refund('S-1', '29.90');
  await control('day-end', {notify: 'get-batch'});
  expect(new URL(received[0]?.url ?? '').searchParams.get('refunds')).toContain('"amount":29.899999999999999,');
});

test('with notify "get-batch" and the reading `refund_query: json`, one GET has the refunds as JSON', async () => {
  await control('readings', {refund_query: 'json'});
  const {expected} = await refund('S-1', '149.90');
  await control('day-end', {notify: 'get-batch'});
  expect(JSON.parse(new URL(received[0]?.url ?? '').searchParams.get('refunds') ?? '')).toEqual([expected]);
});

describe('outcomes', () => {
  test('the notification of a failed refund has the status of the refund and no receipt number', async () => {
    const {id, expected} = await refund('S-1', '149.90');
    await control('day-end', {notify: 'post', outcomes: {[id]: 4}});
    expect(bodies()).toEqual([{...expected, status: 4, bank_receipt_no: ''}]);
  });

  test.each([[2], [-1]])('the platform sends no notification about a refund with status %i', async (status) => {
    const {id} = await refund('S-1', '149.90');
    expect(await control('day-end', {notify: 'post', outcomes: {[id]: status}})).toMatchObject({
      body: {settled: [{refund_id: id, status}], notifications: []},
    });
    expect(received).toEqual([]);
  });

  test('the day-end control refuses an outcome for a refund that is not open, and settles no refund', async () => {
    const {id} = await refund('S-1', '149.90');
    expect(await control('day-end', {notify: 'post', outcomes: {7: 3}})).toEqual({
      httpStatus: 422,
      body: {error: 'Refund 7 is not open.'},
    });
    expect(await call('/refund/get', {id: String(id)})).toMatchObject({data: {status: 1}});
  });

  test.each([
    [{}, 'notify: must be one of get, post, batch, get-batch.'],
    [{notify: 'fax'}, 'notify: must be one of get, post, batch, get-batch.'],
    [{notify: 'get', outcomes: [3]}, 'outcomes: must be an object of refund ids and statuses.'],
    [{notify: 'get', outcomes: {7: 5}}, 'outcomes.7: must be one of -1, 2, 3, 4, 6.'],
    [{notify: 'get', again: 1}, 'again: must be true or false.'],
  ])('the day-end control refuses %o', async (body, error) => {
    expect(await control('day-end', body)).toEqual({httpStatus: 422, body: {error}});
  });
});

test('the platform sends a refund result once, and repeats it only if day-end is called with again: true', async () => {
  const {id, expected} = await refund('S-1', '149.90');
  await control('day-end', {notify: 'post'});
  expect((await control('day-end', {notify: 'post'})).body).toEqual({settled: [], notifications: []});
  expect((await control('day-end', {notify: 'post', again: true})).body).toEqual({
    settled: [],
    notifications: [{method: 'POST', refund_ids: [id], http_status: 200, answer: 'OK'}],
  });
  expect(bodies()).toEqual([expected, expected]);
});

test('the sandbox records every answer of the merchant, and the answer does not change the refund', async () => {
  const {id, expected} = await refund('S-1', '149.90');
  answer = () => new Response('Wrong Data', {status: 403});
  expect((await control('day-end', {notify: 'post'})).body).toMatchObject({
    notifications: [{http_status: 403, answer: 'Wrong Data'}],
  });
  answer = () => {
    throw new Error('connection refused');
  };
  const {body} = await control('day-end', {notify: 'post', again: true});
  expect(body).toMatchObject({notifications: [{http_status: null, answer: 'connection refused'}]});
  expect(await call('/refund/get', {id: String(id)})).toMatchObject({data: {status: 3}});
  const sent = {kind: 'refund', method: 'POST', url: MERCHANT_URL, content: expected, at: TIME};
  expect(await read('notifications')).toEqual({
    notifications: [
      {...sent, http_status: 403, answer: 'Wrong Data'},
      {...sent, http_status: null, answer: 'connection refused'},
    ],
  });
});
