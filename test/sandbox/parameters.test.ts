/**
 * Tests how the sandbox reads requests: their encodings (`docs/spec/observed.md`, "Shapes and spellings"), unreadable
 * bodies and unknown paths. Also tests the description of the controls.
 */

import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {CONTROLS} from '../../sandbox/controls/controls.ts';
import {control, createOrder, KEY, pay, read, request, signIn} from './support/platform.ts';

let headers: Record<string, string>;

async function totalFound(path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await request(path, {...init, headers: {...headers, ...(init.headers as Record<string, string>)}});
  const {recordsFiltered} = await response.json<{recordsFiltered: unknown}>();
  return recordsFiltered;
}

describe('encodings of one search', () => {
  const FIELDS: [string, string][] = [
    ['code', 'DEMO'],
    ['Transaction[status][]', '3'],
    ['Transaction[status][]', '5'],
    ['Transaction[transaction_date][con_operator]', '>='],
    ['Transaction[transaction_date][value]', '2026-11-19 12:00:00'],
  ];
  const LITERAL =
    'code=DEMO&Transaction[status][]=3&Transaction[status][]=5' +
    '&Transaction[transaction_date][con_operator]=>=&Transaction[transaction_date][value]=2026-11-19+12:00:00';

  beforeAll(async () => {
    await control('reset');
    const order_code = await createOrder('S-1');
    await pay({order_code, at: '2026-11-19 12:00:00'});
    await pay({order_code, at: '2026-11-19 11:59:59'});
    await pay({description: '-', at: '2026-11-19 12:00:00'});
    headers = await signIn();
  });

  test('the platform reads a query with literal brackets', async () => {
    expect(await totalFound(`/phs/transaction/search?${LITERAL}`)).toBe(1);
  });

  test('the platform reads a query with percent-encoded brackets', async () => {
    expect(await totalFound(`/phs/transaction/search?${new URLSearchParams(FIELDS)}`)).toBe(1);
  });

  test('the platform reads a form', async () => {
    expect(await totalFound('/phs/transaction/search', {method: 'POST', body: new URLSearchParams(FIELDS)})).toBe(1);
  });

  test('the platform combines the parameters of the query with the parameters of the body', async () => {
    const [service = ['', ''], ...others] = FIELDS;
    const path = `/phs/transaction/search?${new URLSearchParams([service])}`;
    expect(await totalFound(path, {method: 'POST', body: new URLSearchParams(others)})).toBe(1);
  });

  test('the platform ignores unknown parameters', async () => {
    expect(
      await totalFound(`/phs/transaction/search?${LITERAL}&colour=blue&a[b][c]=d&Transaction[x]=y&[=1&]&%5B%5D`),
    ).toBe(1);
  });

  test('the platform uses the last value of a parameter, and prefers the body’s value to the query’s', async () => {
    expect(await totalFound('/phs/transaction/search?code=OTHER&code=DEMO')).toBe(3);
    const init = {method: 'POST', body: new URLSearchParams({code: 'DEMO'})};
    expect(await totalFound('/phs/transaction/search?code=OTHER', init)).toBe(3);
  });
});

describe('a body that the platform cannot read as a form', () => {
  beforeEach(() => control('reset'));

  test.each([
    ['JSON', 'application/json', JSON.stringify({merchant: '123', key: KEY})],
    ['text', 'text/plain', `merchant=123&key=${KEY}`],
    ['multipart without its boundary', 'multipart/form-data', 'x'],
    [
      'multipart that is cut off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="merchant"\r\n\r\n12',
    ],
    ['a form with malformed escapes', 'application/x-www-form-urlencoded', '%%%&=&%zz=%'],
    ['a form with 20,000 brackets in a name', 'application/x-www-form-urlencoded', `a${'[x]'.repeat(20_000)}=1`],
  ])('the platform finds no parameters in a body of %s', async (_, contentType, body) => {
    const response = await request('/phs/getToken', {method: 'POST', headers: {'content-type': contentType}, body});
    expect(await response.json()).toEqual({status: '400', message: 'Missing Parameter'});
  });

  test('the platform reads the query of a request with a JSON body', async () => {
    const init = {method: 'POST', headers: {'content-type': 'application/json'}, body: '{}'};
    const response = await request(`/phs/getToken?merchant=123&key=${KEY}`, init);
    expect(await response.json()).toMatchObject({status: '000'});
  });
});

test.each([
  ['GET', '/phs/nothing'],
  ['GET', '/phs'],
  ['GET', '/phs/'],
  ['GET', '/phs/getToken/'],
  ['GET', '/phs/GETTOKEN'],
  ['PUT', '/phs/getToken'],
  ['DELETE', '/phs/transaction/get'],
  ['OPTIONS', '/phs/transaction/search'],
])('a request %s %s gets the JSON status 404, page not found', async (method, path) => {
  const response = await request(path, {method});
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(await response.json()).toEqual({status: '404', message: 'Page Not Found'});
});

test('a request to a path outside the interfaces gets HTTP 404', async () => {
  expect((await request('/elsewhere')).status).toBe(404);
});

test('the front page leads to forms for every control, whose first bodies the controls accept', async () => {
  const {status, headers: answered} = await request('/', {redirect: 'manual'});
  expect([status, answered.get('location')]).toEqual([302, expect.stringMatching(/\/controls$/)]);
  const {paths} = await read<{paths: Record<string, Record<string, {parameters: object[]}>>}>('openapi.json');
  expect(
    Object.entries(paths)
      .flatMap(([path, rows]) => Object.keys(rows).map((method) => `${method} ${path}`))
      .toSorted(),
  ).toEqual(CONTROLS.map(({method, path}) => `${method.toLowerCase()} ${path}`).toSorted());
  expect(paths['/_sandbox/notices/{code}/status']?.['post']?.parameters).toMatchObject([{name: 'code', in: 'path'}]);
  expect(paths['/_sandbox/sms']?.['get']?.parameters).toMatchObject([{name: 'msisdn', in: 'query'}, {name: 'limit'}]);
});
