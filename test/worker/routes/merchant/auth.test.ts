/** Tests which keys the merchant API accepts. */

import {exports} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import type {MerchantRow} from '../../../../worker/contract/endpoint.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {merchantRoutes} from '../../../../worker/routes/merchant/api.ts';
import {ask, call, expectProblem, KEY, WORKER} from './support/merchant-server.ts';
import {platformCalls} from './support/platform-calls.ts';

const names = Object.keys(endpoints) as EndpointName[];
const row = (name: EndpointName): MerchantRow => endpoints[name];

async function expectUnauthorized(name: EndpointName, authorization: string): Promise<void> {
  const answer = await call(name, row(name).docs.example.input as object, {headers: {authorization}});
  expectProblem(answer, 'unauthorized');
  expect(answer.headers.get('www-authenticate'), name).toBe('Bearer');
}

test('every endpoint checks the key before anything else', async () => {
  for (const name of names)
    for (const authorization of ['', 'Bearer wrong']) await expectUnauthorized(name, authorization);
  expect(await platformCalls()).toEqual([]);
});

test('only the whole key is accepted, as a bearer token', async () => {
  for (const authorization of [
    'Bearer',
    'Bearer ',
    `Bearer ${KEY}x`,
    `Bearer ${KEY.slice(0, -1)}`,
    `Basic ${KEY}`,
    `Bearer ${KEY} ${KEY}`,
    KEY,
  ])
    await expectUnauthorized('searchTransactions', authorization);
});

const statusWith = async (key: string, bindings: Record<string, unknown>) =>
  (await call('searchTransactions', {service: 'DEMO'}, {headers: {authorization: `Bearer ${key}`}, bindings})).status;

test('during a rotation both root keys are accepted, and after the rotation the previous key is refused', async () => {
  const previous = 'sandbox-previous-merchant-key';
  const rotated = {MERCHANT_API_KEY: 'sandbox-new-merchant-api-key', MERCHANT_API_KEY_PREVIOUS: previous};
  expect(await statusWith('sandbox-new-merchant-api-key', rotated)).toBe(200);
  expect(await statusWith(previous, rotated)).toBe(200);
  expect(await statusWith(KEY, rotated)).toBe(401);
  expect(await statusWith(previous, {MERCHANT_API_KEY: 'sandbox-new-merchant-api-key'})).toBe(401);
});

test('the merchant API accepts no key if no root key is configured', async () => {
  for (const authorization of ['', 'Bearer undefined', 'Bearer null', `Bearer ${KEY}`]) {
    expectProblem(
      await call(
        'searchTransactions',
        {service: 'DEMO'},
        {headers: {authorization}, bindings: {MERCHANT_API_KEY: undefined}},
      ),
      'unauthorized',
    );
  }
});

test('the merchant API sends no CORS headers, not even to an allowed origin', async () => {
  for (const method of ['OPTIONS', 'GET']) {
    const answer = await ask('/merchant/v1/banks', {
      method,
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(answer.status).toBe(method === 'GET' ? 200 : 405);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

async function headersOf(method: string, path: string, key = KEY) {
  const request = new Request(`${WORKER}${path}`, {method, headers: {authorization: `Bearer ${key}`}});
  const {status, headers, body} = await exports.default.fetch(request);
  await body?.cancel();
  const {'x-request-id': _, ...rest} = Object.fromEntries(headers);
  return {status, headers: rest, hasBody: body !== null};
}

test('HEAD is answered as GET, without the body, also for files', async () => {
  const paths = merchantRoutes(endpoints)
    .filter(({method}) => method === 'GET')
    .map(({path}) => path.replace(/\{\w+\}/g, '1'));
  const found = ['orders?service=DEMO&order=S-1', 'bookings.csv?service=DEMO', 'days/2026-11-21.csv?service=DEMO'];
  for (const path of [...paths, '/merchant/v1/doctor', ...found.map((query) => `/merchant/v1/${query}`)])
    expect(await headersOf('HEAD', path), path).toEqual({...(await headersOf('GET', path)), hasBody: false});
  expect(await headersOf('HEAD', '/merchant/v1/banks', 'wrong')).toMatchObject({status: 401, hasBody: false});
});

test('unknown paths and methods are refused', async () => {
  expectProblem(await ask('/merchant/v1/nothing'), 'not_found');
  expectProblem(await ask('/merchant/'), 'not_found');
  const answer = await ask('/merchant/v1/order-codes', {method: 'DELETE'});
  expectProblem(answer, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, PATCH');
});
