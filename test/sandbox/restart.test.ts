import {evictDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {readConfig, type EnvironmentVariables} from '../../sandbox/config.ts';
import {listCycles, generatePin, requestSubscription, search, subscribe} from './support/mobile-billing.ts';
import {call, control, createOrder, pay, post, read, request, signIn} from './support/platform.ts';

function restart(): Promise<void> {
  return evictDurableObject(exports.Platform.getByName('platform'));
}

async function restartWith(settings: Partial<EnvironmentVariables>): Promise<void> {
  Object.assign(env, settings);
  await restart();
}

beforeEach(() => control('reset'));

async function answerOf(path: string): Promise<{httpStatus: number; status: string}> {
  const response = await request(path);
  const {status} = await response.json<{status: string}>();
  return {httpStatus: response.status, status};
}

test('the sandbox keeps all of its state across a restart', async () => {
  const order_code = await createOrder('S-1');
  await control('readings', {notice_code: 'own_id'});
  await pay({order_code});
  await control('faults', {operation: '/bank/getAll', kind: 'status', status: 'ERR_002', times: 2});
  const notice = await call('/paymentNotification/create', {
    code: 'DEMO',
    order: 'S-1',
    amount: '1.00',
    bank: 'garanti',
  });
  await subscribe();
  await generatePin('5557654321');
  await control('limits', {limits: null});
  await control('clock', {advance_seconds: 7 * 24 * 60 * 60});
  const headers = await signIn();
  const before = await read('calls');
  const [{at: timeBefore} = {at: ''}] = (await read<{calls: {at: string}[]}>('calls')).calls.slice(-1);

  await restart();

  expect(await read('calls')).toEqual(before);
  expect(await post('/getToken/check', headers)).toEqual({status: '000', message: 'Success'});
  expect(await call('/paymentNotification/get', {id: String(notice['code'])})).toMatchObject({status: '000'});
  expect(await listCycles()).toMatchObject([{charges: [{status: 3}]}, {charges: [{status: 3}]}]);
  expect(await requestSubscription('5557654321')).toMatchObject({status: '003'});
  expect(await search('messages')).toMatchObject({httpStatus: 200});
  expect(await search('messages')).toMatchObject({httpStatus: 200});
  expect(await read('orders')).toMatchObject({orders: [{order_code, arrived: '149.90'}]});
  expect(await call('/transaction/search', {code: 'DEMO'})).toMatchObject({recordsTotal: 1});
  expect(await (await request('/phs/bank/getAll')).json()).toEqual({status: 'ERR_002', message: 'IP Not Allow'});
  const [{at: timeAfter} = {at: ''}] = (await read<{calls: {at: string}[]}>('calls')).calls.slice(-1);
  expect(timeAfter >= timeBefore).toBe(true);
});

describe('a restart with other settings', () => {
  const originalSettings = {...env};

  afterEach(() => restartWith(originalSettings));

  test('error answers have the configured HTTP status, and successful answers have 200', async () => {
    await restartWith({ERROR_HTTP_STATUS: '422'});
    await control('faults', {operation: '/getToken/check', kind: 'status', status: 'ERR_016'});
    expect(await answerOf('/phs/getToken')).toEqual({httpStatus: 422, status: '400'});
    expect(await answerOf('/phs/nothing')).toEqual({httpStatus: 422, status: '404'});
    expect(await answerOf('/phs/getToken/check')).toEqual({httpStatus: 422, status: 'ERR_016'});
    expect(await answerOf('/phs/bank/getAll')).toEqual({httpStatus: 200, status: '000'});
  });

  test('mobile billing has the configured limits', async () => {
    await restartWith({SANDBOX_LIMITS: 'null'});
    for (let count = 0; count < 3; count += 1) expect(await search('messages')).toMatchObject({httpStatus: 200});
    await restartWith({SANDBOX_LIMITS: '{"messages/search": {"day": 4, "second": null}}'});
    expect(await search('messages')).toMatchObject({httpStatus: 200});
    expect(await search('messages')).toMatchObject({httpStatus: 429});
  });

  test('a token is valid for the configured lifetime', async () => {
    await restartWith({TOKEN_LIFETIME_SECONDS: '60'});
    const headers = await signIn();
    await control('clock', {advance_seconds: 50});
    expect(await post('/getToken/check', headers)).toEqual({status: '000', message: 'Success'});
    await control('clock', {advance_seconds: 10});
    expect(await post('/getToken/check', headers)).toEqual({status: 'ERR_016', message: 'Invalid Token'});
  });
});

describe('settings', () => {
  const SETTINGS = {
    MERCHANT_ID: '123',
    MERCHANT_IP: '127.0.0.1',
    MERCHANT_KEY: 'secret-value',
    MERCHANT_PRIVATE_KEY: 'secret-private',
    SERVICE_PRIVATE_KEYS: '{"DEMO": "secret-service"}',
    LANDING_AUTHORIZATION: 'secret-landing',
    PAYMENT_PAGE_SECRET: 'secret-page',
  };

  test('optional settings have defaults, and by default the sandbox sends no notifications', () => {
    expect(readConfig(SETTINGS)).toEqual({
      merchantId: 123,
      merchantIp: '127.0.0.1',
      merchantKey: 'secret-value',
      merchantPrivateKey: 'secret-private',
      servicePrivateKeys: new Map([['DEMO', 'secret-service']]),
      landingAuthorization: 'secret-landing',
      paymentPageSecret: 'secret-page',
      tokenLifetimeMs: 24 * 60 * 60 * 1000,
      errorHttpStatus: 200,
      notifyUrls: {refund: '', payment: '', billing: '', subscription: ''},
      limits: {},
    });
  });

  test.each<[string, Partial<EnvironmentVariables>, string]>([
    ['no merchant id', {MERCHANT_ID: ''}, 'MERCHANT_ID must be a whole number from 1 to 9007199254740991'],
    ['no server address', {MERCHANT_IP: ''}, 'MERCHANT_IP is not set'],
    ['no merchant key', {MERCHANT_KEY: ''}, 'MERCHANT_KEY is not set'],
    ['no merchant private key', {MERCHANT_PRIVATE_KEY: ''}, 'MERCHANT_PRIVATE_KEY is not set'],
    ['no landing authorization', {LANDING_AUTHORIZATION: ''}, 'LANDING_AUTHORIZATION is not set'],
    ['no payment page secret', {PAYMENT_PAGE_SECRET: ''}, 'PAYMENT_PAGE_SECRET is not set'],
    ['service keys that are not JSON', {SERVICE_PRIVATE_KEYS: '{"DEMO'}, 'SERVICE_PRIVATE_KEYS must be JSON'],
    [
      'a key of an unknown service',
      {SERVICE_PRIVATE_KEYS: '{"X": "y"}'},
      'SERVICE_PRIVATE_KEYS must be an object of service codes and their keys',
    ],
    ['a file URL', {NOTIFY_URL: 'file:///etc'}, 'NOTIFY_URL must be an http or https URL'],
    [
      'limits of an unknown operation',
      {SANDBOX_LIMITS: '{"x": {"day": 1, "second": 1}}'},
      'SANDBOX_LIMITS must be null or an object such as {"subscription/detail": {"day": 1000, "second": 5}}',
    ],
    [
      'a lifetime of zero',
      {TOKEN_LIFETIME_SECONDS: '0'},
      'TOKEN_LIFETIME_SECONDS must be a whole number from 1 to 9007199254740991',
    ],
    ['an invalid HTTP status', {ERROR_HTTP_STATUS: '42'}, 'ERROR_HTTP_STATUS must be a whole number from 200 to 599'],
  ])('settings with %s are refused, and the error names the setting without its value', (_, wrong, message) => {
    expect(() => readConfig({...SETTINGS, ...wrong})).toThrow(new TypeError(message));
  });
});
