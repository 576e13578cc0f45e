/** Tests what an error of the client contains and never contains, and which options and inputs the client refuses. */

import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {Vezne, type VezneError, type VezneOptions} from '../../merchant/index.ts';
import {connect, failureOf, KEY, newOrder, service} from './support/live-worker.ts';
import {STUB_KEY, startStub} from './support/stub-server.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const emptyDetails = {
  requestId: undefined,
  platform: undefined,
  idempotencyKey: undefined,
  retryAfterMs: undefined,
  fields: [],
};

test('a call with a wrong key fails with unauthorized', async () => {
  const error = await failureOf<VezneError>(connect({key: 'sandbox-another-key'}).banks.list());
  expect(error.message).toBe('unauthorized: A valid session or key is required.');
  expect({...error}).toEqual({
    ...emptyDetails,
    name: 'VezneError',
    code: 'unauthorized',
    status: 401,
    retryable: false,
    requestId: uuid,
  });
});

test('the error of an invalid input names the invalid fields, and its message leaves out their values', async () => {
  const error = await failureOf<VezneError>(
    connect().refunds.create(
      {service, order: newOrder(), amount: '149,90', contact: {name: '', iban: 'TR330006100519786457841326'}},
      {idempotencyKey: 'S-1'},
    ),
  );
  expect(error.fields.map(({path}) => path)).toEqual(['amount', 'contact.name']);
  expect({...error}).toEqual({
    ...emptyDetails,
    name: 'VezneError',
    code: 'invalid_request',
    status: 422,
    retryable: false,
    requestId: uuid,
    idempotencyKey: 'S-1',
    fields: error.fields,
  });
  expect(error.message).toContain(
    ' amount: Expected decimal text with at most two places, such as "149.90". contact.name: This field is empty.',
  );
  expect(error.message).not.toContain('149,90');
});

test('an error contains the status and the message that the platform sent', async () => {
  const error = await failureOf<VezneError>(connect().orderCodes.find({service, order: newOrder()}));
  expect([error.code, error.status, error.platform]).toEqual([
    'unknown_order',
    404,
    {status: 'ERR_014', message: expect.any(String) as string},
  ]);
  expect(error.message).toBe('unknown_order: There is no such order. The platform answered ERR_014.');
});

test('a client and its errors, when inspected or converted to JSON or text, show no key or personal data', async () => {
  const withoutReply = await startStub();
  const [redirect, page, silent] = [
    await startStub({status: 302, headers: {location: '/'}}),
    await startStub({status: 200, body: '<html>'}),
    await startStub('silent'),
  ];
  const quick = {timeoutMs: 300, retries: 0};
  const errors = await Promise.all([
    failureOf(connect({key: STUB_KEY}).banks.list()),
    failureOf(
      connect({key: STUB_KEY, url: 'http://127.0.0.1:1'}).refunds.create(
        {service, order: 'S-1', amount: '1.00', contact: {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'}},
        quick,
      ),
    ),
    failureOf(connect({key: STUB_KEY, fetch: () => Promise.reject(new TypeError('Broken.'))}).banks.list()),
    ...[withoutReply, redirect, page, silent].map((stub) => failureOf(stub.connect(quick).banks.list())),
  ]);
  const outputs = [connect({key: STUB_KEY}), ...errors].map((each) =>
    [
      inspect(each, {depth: Infinity, showHidden: true}),
      JSON.stringify(each),
      String(each),
      each instanceof Error && each.stack,
    ].join('\n'),
  );
  for (const text of outputs) expect(text).not.toMatch(new RegExp(`${STUB_KEY}|${KEY}|Deniz|TR33`));
});

const createClient = (options: object) => () =>
  new Vezne({url: 'https://pay.shop.example', key: KEY, ...options} as VezneOptions);

describe('Options of a client', () => {
  const url = '`url` must be the Worker’s URL, such as https://pay.shop.example. Use http for the same machine only.';
  const key = '`key` must be an API key or the Worker’s MERCHANT_API_KEY, with visible ASCII characters only.';

  test.for<[string, object, string]>([
    ['a missing URL', {url: undefined}, url],
    ['a URL that would send the key in clear text', {url: 'http://pay.shop.example'}, url],
    ['a URL with a password', {url: 'https://me:secret@pay.shop.example'}, url],
    ['a URL with a query', {url: 'https://pay.shop.example/?key=secret'}, url],
    ['a URL whose scheme is not http or https', {url: 'ftp://pay.shop.example'}, url],
    ['a missing key', {key: undefined}, key],
    ['a key with a line break', {key: 'secret\n'}, key],
    ['a timeout of zero', {timeoutMs: 0}, '`timeoutMs` must be a number of milliseconds above 0.'],
    ['a negative number of retries', {retries: -1}, '`retries` must be 0 or more.'],
  ])('the client refuses %s, and the error does not contain the value', ([, options, message]) => {
    expect(createClient(options)).toThrow(new TypeError(message));
  });

  test.each([
    'https://pay.shop.example',
    'https://pay.shop.example/',
    'http://localhost:5173',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
  ])('the client accepts the URL %s', (address) => {
    expect(createClient({url: address})).not.toThrow();
  });

  test('a client whose URL has a path sends its requests below that path', async () => {
    const stub = await startStub({status: 200, body: {}});
    await new Vezne({url: `${stub.url}/vezne/`, key: KEY}).banks.list();
    expect(stub.requests.map(({path}) => path)).toEqual(['/vezne/merchant/v1/banks']);
  });
});

describe('The input of a call', () => {
  test.each(['', '.', '..', undefined])(
    'the client refuses %o as the value of a field in the path, because the value is missing or would change the path',
    async (id) => {
      const stub = await startStub({status: 200, body: {}});
      const error = await failureOf(stub.connect().subscriptions.cancel({service: id as string, id: '4001'}));
      expect([error.name, error.message, stub.requests.length]).toEqual([
        'TypeError',
        '`service` is missing, or is not allowed in a URL path.',
        0,
      ]);
    },
  );

  test('the client encodes each field into path, query or body, and only a write has an idempotency key', async () => {
    const stub = await startStub({status: 200, body: {items: [], next_cursor: null, total: 0}});
    const vezne = stub.connect();
    await vezne.subscriptions.get({service: 'a/b?ş', id: 4001});
    await vezne.refunds.list({order: 'S 1&ş+'});
    await vezne.charges.refund({service: 1, id: '31001'});
    await vezne.transactions.search({service, limit: undefined});
    expect(stub.requests.map(({method, path, body}) => `${method} ${path} ${body}`)).toEqual([
      'GET /merchant/v1/subscriptions/a%2Fb%3F%C5%9F/4001 ',
      'GET /merchant/v1/refunds?order=S+1%26%C5%9F%2B ',
      'POST /merchant/v1/charges/1/31001/refund {}',
      'POST /merchant/v1/transactions/search {"service":"DEMO"}',
    ]);
    expect(stub.requests.map(({headers}) => [headers.authorization, headers['idempotency-key'] !== undefined])).toEqual(
      [false, false, true, false].map((write) => [`Bearer ${STUB_KEY}`, write]),
    );
  });

  test.each(['', 'with space', 'ü', 'x'.repeat(256)])(
    'the client refuses the idempotency key %o',
    async (idempotencyKey) => {
      const stub = await startStub({status: 200, body: {}});
      const error = await failureOf(stub.connect().charges.refund({service, id: '1'}, {idempotencyKey}));
      expect([error.name, error.message, stub.requests.length]).toEqual([
        'TypeError',
        '`idempotencyKey` must have 1 to 255 visible ASCII characters.',
        0,
      ]);
    },
  );
});
