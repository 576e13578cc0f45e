import {beforeEach, describe, expect, test} from 'vitest';
import {call, control, createOrder, KEY, ORIGIN, pay, post, read, request, signIn} from '../support/platform.ts';

beforeEach(() => control('reset'));

interface Calls {
  readonly calls: readonly {method: string; path: string; at: string; params: Record<string, unknown>}[];
}

describe('reset', () => {
  test('a reset deletes orders, transfers, tokens, faults and calls, and resets the clock', async () => {
    const headers = await signIn();
    await pay({order_code: await createOrder('S-1')});
    await control('clock', {advance_seconds: 3600});
    await control('faults', {operation: '/bank/getAll', kind: 'empty'});

    expect(await control('reset')).toEqual({httpStatus: 200, body: {}});

    expect(await read('calls')).toEqual({calls: []});
    expect(await read('orders')).toEqual({orders: []});
    expect(await read('transfers')).toEqual({transfers: []});
    expect(await post('/getToken/check', headers)).toEqual({status: 'ERR_016', message: 'Invalid Token'});
    expect((await (await request('/phs/bank/getAll')).text()).length).toBeGreaterThan(0);
    const {body} = await control('clock', {advance_seconds: 0});
    expect(Date.parse(`${String(body['now']).replace(' ', 'T')}+03:00`) - Date.now()).toBeLessThan(1000);
  });

  test('after a reset, the clock can be ahead and a token issued, without a call to the platform', async () => {
    const {body} = await control('reset', {advance_seconds: 3600, issue_token: true});
    expect(await read('calls')).toEqual({calls: []});
    const headers = {merchant: '123', token: String(body['token'])};
    expect(await post('/getToken/check', headers)).toMatchObject({status: '000'});
    const {body: clock} = await control('clock', {advance_seconds: 0});
    expect(Date.parse(`${String(clock['now']).replace(' ', 'T')}+03:00`) - Date.now()).toBeGreaterThan(3_500_000);
  });
});

describe('tokens/expire', () => {
  test('a call of tokens/expire makes every token invalid', async () => {
    const tokens = [await signIn(), await signIn()];
    expect(await control('tokens/expire')).toEqual({httpStatus: 200, body: {expired: 2}});
    for (const headers of tokens) {
      expect(await post('/transaction/search', {code: 'DEMO'}, headers)).toEqual({
        status: 'ERR_016',
        message: 'Invalid Token',
      });
    }
    expect(await call('/transaction/search', {code: 'DEMO'})).toMatchObject({status: '000'});
  });
});

describe('clock', () => {
  test('the control `clock` advances the time of the platform, and repeated advances add up', async () => {
    await control('clock', {advance_seconds: 3600});
    const {body} = await control('clock', {advance_seconds: 24 * 3600});
    await pay({description: '-'});
    const {data} = await call('/transaction/search', {code: 'DEMO'});
    const [{transaction_date}] = data as [{transaction_date: string}];
    const paidAt = Date.parse(transaction_date.replace(' ', 'T').replace('+03', '+03:00'));
    const clockTime = Date.parse(`${String(body['now']).replace(' ', 'T')}+03:00`);
    expect(paidAt).toBeGreaterThanOrEqual(clockTime);
    for (const time of [paidAt, clockTime]) expect(Math.abs(time - Date.now() - 25 * 3600 * 1000)).toBeLessThan(60_000);
  });

  test.each([
    [{}, 'advance_seconds: must be a number of seconds.'],
    [{advance_seconds: '60'}, 'advance_seconds: must be a number of seconds.'],
    [{advance_seconds: -1}, 'advance_seconds: must not be negative: the clock cannot go back.'],
    [{advance_seconds: 1e12}, 'advance_seconds: must be at most ten years.'],
  ])('the control `clock` refuses the body %o', async (body, error) => {
    expect(await control('clock', body)).toEqual({httpStatus: 422, body: {error}});
  });
});

describe('calls', () => {
  test('the list of calls shows every call of an interface, newest last, with key and token masked', async () => {
    const {token = ''} = await signIn();
    await request(`/phs/getToken/check?merchant=123&token=${token}`);
    await request('/phs/transaction/search?code=DEMO&Transaction[status][]=3&Transaction[status][]=5');
    await request('/phs/nothing', {method: 'DELETE'});
    await request('/', {redirect: 'manual'});
    await request('/logos/garanti.svg');
    const {calls} = await read<Calls>('calls');
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(calls).toEqual([
      {method: 'POST', path: '/phs/getToken', at, params: {merchant: '123', key: '***'}},
      {method: 'GET', path: '/phs/getToken/check', at, params: {merchant: '123', token: '***'}},
      {method: 'GET', path: '/phs/transaction/search', at, params: {code: 'DEMO', 'Transaction[status][]': ['3', '5']}},
      {method: 'DELETE', path: '/phs/nothing', at, params: {}},
    ]);
    expect(JSON.stringify(calls)).not.toContain(KEY);
  });
});

describe('orders', () => {
  test('the list of orders shows the newest order first, and how much money arrived for each order', async () => {
    const first = await createOrder('S-1', '100.00');
    const second = await createOrder('S-2', '50.00');
    await pay({order_code: first, amount: '60.00'});
    await pay({order_code: first, amount: '40.05'});
    await pay({description: 'kira', amount: '7.00'});
    const created_at = expect.stringMatching(/^\d{4}-/);
    const common = {service: 'DEMO', user_id: null, created_at, completed_at: null};
    expect(await read('orders')).toEqual({
      orders: [
        {...common, order_code: second, order: 'S-2', amount: '50.00', arrived: '0.00'},
        {...common, order_code: first, order: 'S-1', amount: '100.00', arrived: '100.05'},
      ],
    });
    expect(await read('orders?limit=1')).toMatchObject({orders: [{order: 'S-2'}]});
  });
});

describe('every control', () => {
  const PATHS = ['reset', 'transfers', 'tokens/expire', 'clock', 'faults'];

  test('a request to an unknown control gets 404', async () => {
    const response = await request('/_sandbox/money');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({error: 'There is no control /_sandbox/money.'});
  });

  test('a request to a control with a wrong method gets 405', async () => {
    const response = await request('/_sandbox/transfers', {method: 'DELETE'});
    expect(response.status).toBe(405);
    expect(await response.json()).toEqual({error: '/_sandbox/transfers accepts only POST and GET.'});
  });

  test.each(['transfers', 'clock', 'faults'])(
    'the control %s refuses a body that is not a JSON object',
    async (path) => {
      for (const body of ['{', 'null', '[]', '"text"', '1', '\0']) {
        const response = await request(`/_sandbox/${path}`, {method: 'POST', body});
        expect(response.status).toBe(422);
        expect(await response.json()).toEqual({error: expect.stringMatching(/\.$/)});
      }
    },
  );

  test.each(['http://localhost:5173', 'http://127.0.0.1:8788', 'http://[::1]:80', 'https://localhost'])(
    'a page on %s may use the controls',
    async (origin) => {
      const preflight = await request('/_sandbox/transfers', {
        method: 'OPTIONS',
        headers: {origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type'},
      });
      expect(preflight.status).toBe(204);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'content-type',
        vary: 'origin',
      });
      const answer = await request('/_sandbox/transfers', {method: 'POST', headers: {origin}, body: '{}'});
      expect(answer.status).toBe(422);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    },
  );

  test.each(['https://shop.example', 'http://localhost.shop.example', 'http://127.0.0.1.shop.example', 'null', ORIGIN])(
    'a page on %s may not use the controls',
    async (origin) => {
      for (const path of PATHS) {
        for (const method of ['POST', 'OPTIONS']) {
          const response = await request(`/_sandbox/${path}`, {method, headers: {origin}});
          expect(response.status).toBe(403);
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
          expect(await response.json()).toEqual({error: 'Only pages on a loopback origin may use the controls.'});
        }
      }
    },
  );
});
