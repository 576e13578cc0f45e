import {beforeEach, describe, expect, test} from 'vitest';
import {tokenKey} from '../../../sandbox/keys.ts';
import {control, KEY, post, request, signIn} from '../support/platform.ts';

const DAY_SECONDS = 24 * 60 * 60;

beforeEach(() => control('reset'));

describe('the key of a token request', () => {
  test('the key is the lowercase MD5 of merchant id, server IP address and merchant key', async () => {
    const secrets = {merchantId: 2042, merchantIp: '192.0.2.44', merchantKey: 'example merchant key'};
    expect(await tokenKey(secrets)).toBe('ab15c00e40d43db6e1cc40da2bb38c51');
  });

  test.each([
    ['a different key', 'ab15c00e40d43db6e1cc40da2bb38c51'],
    ['the correct key in upper case', KEY.toUpperCase()],
    ['half of the correct key', KEY.slice(0, 16)],
  ])('the platform refuses a key that is %s', async (_, key) => {
    expect(await post('/getToken', {merchant: '123', key})).toEqual({
      status: 'ERR_007',
      message: 'Invalid Request:key not true',
    });
  });
});

describe('a token', () => {
  test('a token has 38 characters: an upper-case UUID in braces', async () => {
    expect(await post('/getToken', {merchant: '123', key: KEY})).toEqual({
      status: '000',
      message: 'Success',
      token: expect.stringMatching(/^\{[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\}$/),
    });
  });

  test('with the reading `older_tokens: ended`, a new token makes the older tokens invalid', async () => {
    await control('readings', {older_tokens: 'ended'});
    const [older, newer] = [await signIn(), await signIn()];
    expect(await post('/getToken/check', older)).toMatchObject({status: 'ERR_016'});
    expect(await post('/getToken/check', newer)).toMatchObject({status: '000'});
  });

  test('every call of getToken returns a new token, and older tokens stay valid', async () => {
    const older = await signIn();
    const newer = await signIn();
    expect(newer['token']).not.toBe(older['token']);
    expect(await post('/getToken/check', older)).toEqual({status: '000', message: 'Success'});
    expect(await post('/getToken/check', newer)).toEqual({status: '000', message: 'Success'});
  });

  test('a token expires at the end of its lifetime', async () => {
    const headers = await signIn();
    await control('clock', {advance_seconds: DAY_SECONDS - 60});
    expect(await post('/getToken/check', headers)).toEqual({status: '000', message: 'Success'});
    await control('clock', {advance_seconds: 60});
    expect(await post('/getToken/check', headers)).toEqual({status: 'ERR_016', message: 'Invalid Token'});
    expect(await post('/transaction/search', {code: 'DEMO'}, headers)).toEqual({
      status: 'ERR_016',
      message: 'Invalid Token',
    });
  });
});

test.each([
  ['/getToken', {}, '400', 'Missing Parameter'],
  ['/getToken', {merchant: '123'}, '400', 'Missing Parameter'],
  ['/getToken', {key: KEY}, '400', 'Missing Parameter'],
  ['/getToken', {merchant: '', key: KEY}, '400', 'Missing Parameter'],
  ['/getToken', {merchant: '124', key: KEY}, 'ERR_004', 'Invalid Merchant'],
  ['/getToken/check', {}, '400', 'Missing Parameter'],
  ['/getToken/check', {merchant: '123'}, '400', 'Missing Parameter'],
  ['/getToken/check', {merchant: '123', 'token[]': 'x'}, '400', 'Missing Parameter'],
  ['/getToken/check', {merchant: '123', token: ''}, 'ERR_015', 'Empty Token'],
  ['/getToken/check', {merchant: '124', token: '{x}'}, 'ERR_004', 'Invalid Merchant'],
  ['/getToken/check', {merchant: '123', token: '{x}'}, 'ERR_016', 'Invalid Token'],
])('%s with %o gets the status %s', async (path, fields, status, message) => {
  expect(await post(path, fields)).toEqual({status, message});
});

/** The operations that require the headers `merchant` and `token`. */
test.each([
  ['/orderToReference/check', {code: 'DEMO', order: 'S-1'}],
  ['/orderToReference/create', {code: 'DEMO', order: 'S-1', amount: '1.00'}],
  ['/orderToReference/direct', {code: 'DEMO', order: 'S-1', amount: '1.00'}],
  ['/orderToReference/update', {code: 'DEMO', order: 'S-1', amount: '1.00'}],
  ['/paymentNotification/get', {id: '1'}],
  ['/paymentNotification/create', {code: 'DEMO', order: 'S-1', amount: '1.00', bank: 'garanti'}],
  ['/refund/get', {id: '1'}],
  ['/refund/getByOrder', {order: 'S-1'}],
  ['/refund/create', {code: 'DEMO', order: 'S-1', amount: '1.00'}],
  ['/marketPlace/get-vendor-form-url', {code: 'DEMO'}],
  ['/transaction/get', {id: '1'}],
  ['/transaction/search', {code: 'DEMO'}],
  ['/transaction/order-complete', {code: 'DEMO', order: 'S-1'}],
])('%s needs the token and the id of its merchant in the headers', async (path, fields) => {
  const {token = ''} = await signIn();
  const empty = {status: 'ERR_015', message: 'Empty Token'};
  for (const headers of [{}, {merchant: '123'}, {merchant: '123', token: ''}])
    expect(await post(path, fields, headers)).toEqual(empty);
  expect(await post(path, {...fields, merchant: '123', token})).toEqual(empty);
  const invented = {merchant: '123', token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'};
  expect(await post(path, fields, invented)).toEqual({status: 'ERR_016', message: 'Invalid Token'});
  for (const headers of [{merchant: '124', token}, {token}])
    expect(await post(path, fields, headers)).toEqual({status: 'ERR_004', message: 'Invalid Merchant'});
  expect((await post(path, fields, {MERCHANT: '123', Token: token})).status).not.toMatch(/^ERR_0(04|15|16)$/);
});

test('getToken and getToken/check also accept GET', async () => {
  const issued: {token: string} = await (await request(`/phs/getToken?merchant=123&key=${KEY}`)).json();
  const checked = await request(`/phs/getToken/check?merchant=123&token=${encodeURIComponent(issued.token)}`);
  expect(await checked.json()).toEqual({status: '000', message: 'Success'});
});
