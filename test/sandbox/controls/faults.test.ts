import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, post, read, request, requestStream} from '../support/platform.ts';

const ORDER = {code: 'DEMO', order: 'S-1', amount: '1.00'};

beforeEach(() => control('reset'));

async function planFault(fault: Record<string, unknown>): Promise<void> {
  expect(await control('faults', fault)).toEqual({httpStatus: 200, body: {}});
}

function listBanks(): Promise<Response> {
  return request('/phs/bank/getAll', {redirect: 'manual'});
}

async function bankListStatus(): Promise<unknown> {
  return (await (await listBanks()).json<{status: unknown}>()).status;
}

describe('the effect of a fault', () => {
  test('with a fault of kind huge, the platform sends more than 32 MiB, and a client can stop reading', async () => {
    await planFault({operation: '/phs/bank/getAll', kind: 'huge', times: 2});
    const text = await (await listBanks()).text();
    expect(text.length).toBeGreaterThan(32 * 1024 * 1024);
    expect(JSON.parse(text)).toMatchObject({status: '000', message: 'Success'});
    await (await requestStream('/phs/bank/getAll')).body?.cancel();
    expect(await bankListStatus()).toBe('000');
  });

  test('with a fault of kind redirect, the list of calls shows the call of a client that follows the redirect', async () => {
    await planFault({operation: '/phs/bank/getAll', kind: 'redirect'});
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
  ])(
    'with a fault of status %s, the platform answers with an error body of that status',
    async (sent, status, message) => {
      await planFault({operation: '/phs/bank/getAll', kind: 'status', status: sent});
      const response = await listBanks();
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({status, message});
    },
  );

  test('with after: true, the platform runs the operation and then discards the operation’s answer', async () => {
    await planFault({operation: '/orderToReference/create', kind: 'status', status: 'ERR_010', after: true, times: 1});
    expect(await call('/orderToReference/create', ORDER)).toMatchObject({status: 'ERR_010'});
    expect(await read('orders')).toMatchObject({orders: [{order: 'S-1'}]});
    expect(await call('/orderToReference/create', ORDER)).toMatchObject({status: 'ERR_019'});
  });

  test('the platform holds a call, or with after: true its answer, until the fault is cleared or the sandbox reset', async () => {
    const path = '/phs/orderToReference/create';
    for (const [after, orders] of [
      [false, []],
      [true, [{order: 'S-1'}]],
    ] as const) {
      await planFault({operation: path, kind: 'hold', after, times: 1});
      const created = call('/orderToReference/create', ORDER);
      await expect.poll(() => read('faults')).toEqual({held: [path]});
      await planFault({operation: '/bank/getAll', kind: 'clear'});
      expect(await bankListStatus()).toBe('000');
      expect(await read('orders')).toMatchObject({orders});
      expect(await read('faults')).toEqual({held: [path]});
      await (after ? planFault({operation: path, kind: 'clear'}) : control('reset'));
      expect(await read('faults')).toEqual({held: []});
      await created;
    }
  });
});

describe('planning a fault', () => {
  test.each(['/phs/getToken/check', '/getToken/check', 'getToken/check'])(
    'the operation of a fault can be written as %s',
    async (operation) => {
      await planFault({operation, kind: 'status', status: 'ERR_020'});
      expect(await post('/getToken/check', {})).toMatchObject({status: 'ERR_020'});
      expect(await post('/getToken', {})).toMatchObject({status: '400'});
    },
  );

  test('a fault applies to the planned number of concurrent calls', async () => {
    await planFault({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', times: 5});
    const statuses = await Promise.all(Array.from({length: 30}, bankListStatus));
    expect(statuses.filter((status) => status === 'ERR_002')).toHaveLength(5);
  });

  test('a fault applies to the planned share of calls', async () => {
    await planFault({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', rate: 0.5});
    const statuses = await Promise.all(Array.from({length: 60}, bankListStatus));
    const failed = statuses.filter((status) => status === 'ERR_002').length;
    // The bounds are so far from 30 that chance alone does not fail the test.
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(52);
  });

  test.each([[{}], [{kind: 'clear'}], [{operation: '/bank/getAll', kind: 'clear'}]])(
    'the control `faults` clears a fault if the body of the request is %o',
    async (clear) => {
      await planFault({operation: '/bank/getAll', kind: 'empty'});
      await planFault(clear);
      expect(await bankListStatus()).toBe('000');
    },
  );

  test.each([
    [{kind: 'empty'}, 'A fault needs an operation.'],
    [{operation: '/nothing', kind: 'empty'}, 'The platform has no operation /nothing.'],
    [{operation: '/nothing', kind: 'clear'}, 'The platform has no operation /nothing.'],
    [{operation: 5, kind: 'empty'}, 'operation: must be the path of an operation.'],
    [
      {operation: '/getToken', kind: 'explode'},
      'kind: must be one of delay, hold, 500-html, malformed, empty, huge, redirect, status, clear.',
    ],
    [{operation: '/getToken', kind: 'delay'}, 'A delay needs delay_ms.'],
    [{operation: '/getToken', kind: 'delay', delay_ms: -1}, 'delay_ms: must not be negative.'],
    [{operation: '/getToken', kind: 'delay', delay_ms: 1e9}, 'delay_ms: must be at most ten minutes.'],
    [{operation: '/getToken', kind: 'status'}, 'A fault of kind status needs a status.'],
    [
      {operation: '/getToken', kind: 'status', status: 'oops'},
      'status: must be a status of the platform such as "ERR_016".',
    ],
    [{operation: '/getToken', kind: 'empty', rate: 2}, 'rate: must be a share from 0 to 1.'],
    [{operation: '/getToken', kind: 'empty', times: 0}, 'times: must be at least 1.'],
    [
      {operation: '/getToken', kind: 'empty', times: 1, rate: 1},
      'A fault can have a rate or a number of times, but not both.',
    ],
    [{operation: '/getToken', kind: 'empty', after: 'yes'}, 'after: must be true or false.'],
  ])('the sandbox control refuses the fault %o', async (fault, error) => {
    expect(await control('faults', fault)).toEqual({httpStatus: 422, body: {error}});
  });
});
