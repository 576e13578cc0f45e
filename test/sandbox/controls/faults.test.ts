import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, post, read, request, requestStream} from '../support/platform.ts';

const ORDER = {code: 'DEMO', order: 'S-1', amount: '1.00'};
const INVALID_TOKEN = {status: 'ERR_016', message: 'Invalid Token'};

beforeEach(() => control('reset'));

async function fail(fault: Record<string, unknown>): Promise<void> {
  expect(await control('faults', fault)).toEqual({httpStatus: 200, body: {}});
}

function listBanks(): Promise<Response> {
  return request('/phs/bank/getAll', {redirect: 'manual'});
}

async function statusOfBanks(): Promise<unknown> {
  return (await (await listBanks()).json<{status: unknown}>()).status;
}

describe('an operation that fails', () => {
  test('with 500-html answers a page', async () => {
    await fail({operation: '/phs/bank/getAll', kind: '500-html'});
    const response = await listBanks();
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  test('with malformed answers half a body', async () => {
    await fail({operation: '/phs/bank/getAll', kind: 'malformed'});
    const response = await listBanks();
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  test('with empty answers nothing', async () => {
    await fail({operation: '/phs/bank/getAll', kind: 'empty'});
    const response = await listBanks();
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  test('with huge answers without end, and goes on when nobody reads it', async () => {
    await fail({operation: '/phs/bank/getAll', kind: 'huge', times: 2});
    const text = await (await listBanks()).text();
    expect(text.length).toBeGreaterThan(32 * 1024 * 1024);
    expect(JSON.parse(text)).toMatchObject({status: '000', message: 'Success'});
    await (await requestStream('/phs/bank/getAll')).body?.cancel();
    expect(await statusOfBanks()).toBe('000');
  });

  test('with redirect leads where a follower shows in the calls', async () => {
    await fail({operation: '/phs/bank/getAll', kind: 'redirect'});
    const response = await listBanks();
    expect(response.status).toBe(307);
    expect(response.headers.get('location')).toBe('/elsewhere');
    await request('/elsewhere');
    expect(await read('calls')).toMatchObject({calls: [{path: '/phs/bank/getAll'}, {path: '/elsewhere'}]});
  });

  test.each([
    ['ERR_016', 'ERR_016', 'Invalid Token'],
    ['400', '400', 'Missing Parameter'],
    [500, '500', 'Internal Server Error'],
    ['ERR_777', 'ERR_777', 'Unknown'],
  ])("with status %s answers the platform's own error", async (sent, status, message) => {
    await fail({operation: '/phs/bank/getAll', kind: 'status', status: sent});
    const response = await listBanks();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({status, message});
  });

  test('with delay answers as always, but late', async () => {
    await fail({operation: '/phs/bank/getAll', kind: 'delay', delay_ms: 300});
    const startedMs = Date.now();
    expect(await statusOfBanks()).toBe('000');
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(290);
  });

  test('may be late and wrong at once', async () => {
    await fail({operation: '/phs/bank/getAll', kind: 'status', status: 'ERR_010', delay_ms: 300});
    const startedMs = Date.now();
    expect(await statusOfBanks()).toBe('ERR_010');
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(290);
  });

  test('is not carried out', async () => {
    await fail({operation: '/orderToReference/create', kind: 'empty'});
    await expect(call('/orderToReference/create', ORDER)).rejects.toThrow(SyntaxError);
    expect(await read('orders')).toEqual({orders: []});
  });

  test('is carried out first when it fails after', async () => {
    await fail({operation: '/orderToReference/create', kind: 'status', status: 'ERR_010', after: true, times: 1});
    expect(await call('/orderToReference/create', ORDER)).toMatchObject({status: 'ERR_010'});
    expect(await read('orders')).toMatchObject({orders: [{order: 'S-1'}]});
    expect(await call('/orderToReference/create', ORDER)).toMatchObject({status: 'ERR_019'});
  });

  test('is carried out at once when only its answer is late', async () => {
    await fail({operation: '/orderToReference/create', kind: 'delay', delay_ms: 300, after: true});
    const created = call('/orderToReference/create', ORDER);
    await expect.poll(() => read('orders')).toMatchObject({orders: [{order: 'S-1'}]});
    expect(await created).toMatchObject({status: '000'});
  });

  test('does not hold up others', async () => {
    await fail({operation: '/bank/getAll', kind: 'delay', delay_ms: 1_000});
    const late = listBanks();
    const other = call('/transaction/search', {code: 'DEMO'});
    expect(await Promise.race([late.then(() => 'late'), other])).toMatchObject({status: '000'});
    await late;
  });
});

describe('a fault', () => {
  test.each(['/phs/getToken/check', '/getToken/check', 'getToken/check'])('is named by %s', async (operation) => {
    await fail({operation, kind: 'status', status: 'ERR_020'});
    expect(await post('/getToken/check', {})).toMatchObject({status: 'ERR_020'});
    expect(await post('/getToken', {})).toMatchObject({status: '400'});
  });

  test('strikes as often as it is told, before any look at the token', async () => {
    await fail({operation: '/transaction/search', kind: 'status', status: 'ERR_016', times: 2});
    expect(await post('/transaction/search', {})).toEqual(INVALID_TOKEN);
    expect(await post('/transaction/search', {})).toEqual(INVALID_TOKEN);
    expect(await post('/transaction/search', {})).toEqual({status: 'ERR_015', message: 'Empty Token'});
  });

  test('strikes each of many calls at once no more often than it is told', async () => {
    await fail({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', times: 5});
    const statuses = await Promise.all(Array.from({length: 30}, statusOfBanks));
    expect(statuses.filter((status) => status === 'ERR_002')).toHaveLength(5);
  });

  test('strikes at its rate', async () => {
    await fail({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', rate: 0.5});
    const statuses = await Promise.all(Array.from({length: 60}, statusOfBanks));
    const struck = statuses.filter((status) => status === 'ERR_002').length;
    // Far enough from 30 that chance alone never fails the test.
    expect(struck).toBeGreaterThan(8);
    expect(struck).toBeLessThan(52);
  });

  test('strikes never at a rate of 0 and always at 1', async () => {
    await fail({operation: '/bank/getAll', kind: 'empty', rate: 0});
    expect(await statusOfBanks()).toBe('000');
    await fail({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', rate: 1});
    expect(await statusOfBanks()).toBe('ERR_002');
  });

  test('waits until an older one is used up', async () => {
    await fail({operation: '/bank/getAll', kind: 'status', status: 'ERR_001', times: 1});
    await fail({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', times: 1});
    expect([await statusOfBanks(), await statusOfBanks(), await statusOfBanks()]).toEqual([
      'ERR_001',
      'ERR_002',
      '000',
    ]);
  });

  test.each([[{}], [{kind: 'clear'}], [{operation: '/bank/getAll', kind: 'clear'}]])(
    'is cleared by %o',
    async (clear) => {
      await fail({operation: '/bank/getAll', kind: 'empty'});
      await fail(clear);
      expect(await statusOfBanks()).toBe('000');
    },
  );

  test("stays when another operation's is cleared", async () => {
    await fail({operation: '/bank/getAll', kind: 'status', status: 'ERR_002'});
    await fail({operation: '/getToken', kind: 'clear'});
    expect(await statusOfBanks()).toBe('ERR_002');
  });

  test('shows in the calls like any other call', async () => {
    await fail({operation: '/bank/getAll', kind: 'empty'});
    await listBanks();
    expect(await read('calls')).toMatchObject({calls: [{path: '/phs/bank/getAll'}]});
  });

  test.each([
    [{kind: 'empty'}, 'A fault needs the operation it is for.'],
    [{operation: '/nothing', kind: 'empty'}, 'The platform has no operation /nothing.'],
    [{operation: '/nothing', kind: 'clear'}, 'The platform has no operation /nothing.'],
    [{operation: 5, kind: 'empty'}, 'operation: is the path of an operation.'],
    [
      {operation: '/getToken', kind: 'explode'},
      'kind: is one of delay, 500-html, malformed, empty, huge, redirect, status, clear.',
    ],
    [{operation: '/getToken', kind: 'delay'}, 'A delay needs delay_ms.'],
    [{operation: '/getToken', kind: 'delay', delay_ms: -1}, 'delay_ms: is not below 0.'],
    [{operation: '/getToken', kind: 'delay', delay_ms: 1e9}, 'delay_ms: is at most ten minutes.'],
    [{operation: '/getToken', kind: 'status'}, 'A fault of kind status needs the status.'],
    [
      {operation: '/getToken', kind: 'status', status: 'oops'},
      'status: is a status of the platform such as "ERR_016".',
    ],
    [{operation: '/getToken', kind: 'empty', rate: 2}, 'rate: is a share from 0 to 1.'],
    [{operation: '/getToken', kind: 'empty', times: 0}, 'times: is at least 1.'],
    [{operation: '/getToken', kind: 'empty', times: 1, rate: 1}, 'A fault has a rate or a number of times, not both.'],
    [{operation: '/getToken', kind: 'empty', after: 'yes'}, 'after: is true or false.'],
  ])('%o is refused', async (fault, error) => {
    expect(await control('faults', fault)).toEqual({httpStatus: 422, body: {error}});
  });
});
