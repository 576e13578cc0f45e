/** What a merchant's server is told when a call does not succeed, and what it is never told. */

import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {Vezne, type VezneError, type VezneOptions} from '../../merchant/index.ts';
import {connect, failure, KEY, newOrder, service} from './support/live-worker.ts';
import {STUB_KEY, startStub} from './support/stub-server.ts';

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const nothing = {
  requestId: undefined,
  platform: undefined,
  idempotencyKey: undefined,
  retryAfterMs: undefined,
  fields: [],
};

test('a wrong key is unauthorized', async () => {
  const error = await failure<VezneError>(connect({key: 'sandbox-another-key'}).banks.list());
  expect(error.message).toBe('unauthorized: A valid session or key is required.');
  expect({...error}).toEqual({
    ...nothing,
    name: 'VezneError',
    code: 'unauthorized',
    status: 401,
    retryable: false,
    requestId: uuid,
  });
});

test('wrong fields are named', async () => {
  const error = await failure<VezneError>(
    connect().refunds.create(
      {service, order: newOrder(), amount: '149,90', contact: {name: '', iban: 'TR33'}},
      {idempotencyKey: 'S-1'},
    ),
  );
  expect(error.fields.map(({path}) => path)).toEqual(['amount', 'contact.name']);
  expect({...error}).toEqual({
    ...nothing,
    name: 'VezneError',
    code: 'invalid_request',
    status: 422,
    retryable: false,
    requestId: uuid,
    idempotencyKey: 'S-1',
    fields: error.fields,
  });
  expect(error.message).toContain(
    ' amount: Decimal text with at most two places is expected, such as "149.90". contact.name: This field is empty.',
  );
  expect(error.message).not.toContain('149,90');
});

test('the platform’s own words stand beside ours', async () => {
  const error = await failure<VezneError>(connect().orderCodes.find({service, order: newOrder()}));
  expect([error.code, error.status, error.platform]).toEqual([
    'unknown_order',
    404,
    {status: 'ERR_014', message: expect.any(String) as string},
  ]);
  expect(error.message).toBe('unknown_order: The platform knows no such order. The platform said ERR_014.');
});

test('no secret stands in a client, in an error of any kind, or in what is made of them', async () => {
  const closed = await startStub();
  const [redirect, page, silent] = [
    await startStub({status: 302, headers: {location: '/'}}),
    await startStub({status: 200, body: '<html>'}),
    await startStub('silent'),
  ];
  const quick = {timeoutMs: 300, retries: 0};
  const errors = await Promise.all([
    failure(connect({key: STUB_KEY}).banks.list()),
    failure(
      connect({key: STUB_KEY, url: 'http://127.0.0.1:1'}).refunds.create(
        {service, order: 'S-1', amount: '1.00', contact: {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'}},
        quick,
      ),
    ),
    failure(connect({key: STUB_KEY, fetch: () => Promise.reject(new TypeError('Broken.'))}).banks.list()),
    ...[closed, redirect, page, silent].map((stub) => failure(stub.connect(quick).banks.list())),
  ]);
  const shown = [connect({key: STUB_KEY}), ...errors].map((each) =>
    [
      inspect(each, {depth: Infinity, showHidden: true}),
      JSON.stringify(each),
      String(each),
      each instanceof Error && each.stack,
    ].join('\n'),
  );
  for (const text of shown) expect(text).not.toMatch(new RegExp(`${STUB_KEY}|${KEY}|Deniz|TR33`));
});

const make = (options: object) => () =>
  new Vezne({url: 'https://pay.shop.example', key: KEY, ...options} as VezneOptions);

describe('A client', () => {
  const url = '`url` is the address of the Worker, such as https://pay.shop.example; http is for this machine only.';
  const key = '`key` is the Worker’s MERCHANT_API_KEY: visible ASCII characters.';

  test.for<[string, object, string]>([
    ['without an address', {url: undefined}, url],
    ['that would send its key in clear text', {url: 'http://pay.shop.example'}, url],
    ['with a password in its address', {url: 'https://me:secret@pay.shop.example'}, url],
    ['with a query in its address', {url: 'https://pay.shop.example/?key=secret'}, url],
    ['with another scheme', {url: 'ftp://pay.shop.example'}, url],
    ['without a key', {key: undefined}, key],
    ['with a key that broke into lines', {key: 'secret\n'}, key],
    ['that is to end before it begins', {timeoutMs: 0}, '`timeoutMs` is a number of milliseconds, more than 0.'],
    ['that tries less than never', {retries: -1}, '`retries` is a number from 0 on.'],
  ])('%s is refused without repeating it', ([, options, message]) => {
    expect(make(options)).toThrow(new TypeError(message));
  });

  test.each([
    'https://pay.shop.example',
    'https://pay.shop.example/',
    'http://localhost:5173',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
  ])('at %s is made', (address) => {
    expect(make({url: address})).not.toThrow();
  });

  test('behind a path asks there', async () => {
    const stub = await startStub({status: 200, body: {}});
    await new Vezne({url: `${stub.url}/vezne/`, key: KEY}).banks.list();
    expect(stub.asked.map(({path}) => path)).toEqual(['/vezne/merchant/v1/banks']);
  });
});

describe('An input', () => {
  test.each(['', '.', '..', undefined])('%o does not lead to another address', async (id) => {
    const stub = await startStub({status: 200, body: {}});
    const error = await failure(stub.connect().subscriptions.cancel({service: id as string, id: '4001'}));
    expect([error.name, error.message, stub.asked.length]).toEqual([
      'TypeError',
      '`service` is missing, or cannot stand in an address.',
      0,
    ]);
  });

  test('goes where the contract says, each character as itself', async () => {
    const stub = await startStub({status: 200, body: {items: [], next_cursor: null, total: 0}});
    const vezne = stub.connect();
    await vezne.subscriptions.get({service: 'a/b?ş', id: 4001});
    await vezne.refunds.list({order: 'S 1&ş+'});
    await vezne.charges.refund({service: 1, id: '31001'});
    await vezne.transactions.search({service, limit: undefined});
    expect(stub.asked.map(({method, path, body}) => `${method} ${path} ${body}`)).toEqual([
      'GET /merchant/v1/subscriptions/a%2Fb%3F%C5%9F/4001 ',
      'GET /merchant/v1/refunds?order=S+1%26%C5%9F%2B ',
      'POST /merchant/v1/charges/1/31001/refund {}',
      'POST /merchant/v1/transactions/search {"service":"DEMO"}',
    ]);
    expect(stub.asked.map(({headers}) => [headers.authorization, headers['idempotency-key'] !== undefined])).toEqual(
      [false, false, true, false].map((write) => [`Bearer ${STUB_KEY}`, write]),
    );
  });

  test.each(['', 'with space', 'ü', 'x'.repeat(256)])('cannot have %o as its key', async (idempotencyKey) => {
    const stub = await startStub({status: 200, body: {}});
    const error = await failure(stub.connect().charges.refund({service, id: '1'}, {idempotencyKey}));
    expect([error.name, error.message, stub.asked.length]).toEqual([
      'TypeError',
      '`idempotencyKey` is up to 255 visible ASCII characters.',
      0,
    ]);
  });
});
