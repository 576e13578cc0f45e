import {beforeEach, describe, expect, test} from 'vitest';
import {getBilling, listCycles, LOCAL_TIME, NUMBER, subscribe} from '../support/mobile-billing.ts';
import {control, read, request} from '../support/platform.ts';

const TIME = expect.stringMatching(LOCAL_TIME);
const SUCCESS = {
  result: 'SUCCESS',
  resultCode: '0000',
  resultDescription: 'Success',
  resultDetail: null,
  timeElapsed: expect.stringMatching(/ms$/),
  responseTime: TIME,
};

function failure(resultCode: string, resultDescription: string, resultDetail: string | null = null) {
  return {result: 'FAILED', resultCode, resultDescription, resultDetail, responseTime: TIME};
}

beforeEach(async () => {
  await control('reset');
  await control('limits', {limits: null});
});

describe('detail', () => {
  test('the subscription detail shows all fields, with the renewal date in epoch milliseconds', async () => {
    const id = await subscribe();
    const {httpStatus, body} = await getBilling(`/subscription/detail/123/1/${id}`);
    expect(httpStatus).toBe(200);
    const transaction = {
      id: expect.any(Number),
      service: 1,
      status: 3,
      msisdn: NUMBER,
      operator: 1,
      amount: 12,
      error: null,
      errorDetail: null,
      transactionDate: TIME,
      referenceCode: null,
      subscriptionId: id,
    };
    expect(body).toEqual({
      response: SUCCESS,
      subscription: {
        id,
        service: 1,
        status: 'active',
        msisdn: NUMBER,
        operator: 1,
        subscriptionFee: 12,
        period: 'weekly',
        subscriptionDate: TIME,
        renewalDate: expect.any(Number),
        cancellationDate: null,
        cancellationSource: null,
        referenceCode: null,
        hasTrialPeriod: false,
        trialPeriodDay: 0,
        lastTransaction: transaction,
        lastSuccessfulTransaction: transaction,
      },
    });
    const {subscriptionDate, renewalDate} = body['subscription'] as {subscriptionDate: string; renewalDate: number};
    expect(renewalDate - Date.parse(`${subscriptionDate}+03:00`)).toBe(7 * 24 * 3600 * 1000);
    expect(String(id)).toMatch(/^\d{14}$/);
  });

  test('the subscription detail of a trial has no transaction', async () => {
    const id = await subscribe({product: 78});
    const {body} = await getBilling(`/subscription/detail/123/1/${id}`);
    expect(body['subscription']).toMatchObject({
      period: 'monthly',
      subscriptionFee: 29.9,
      hasTrialPeriod: true,
      trialPeriodDay: 7,
      lastSuccessfulTransaction: null,
    });
    expect(body['subscription']).not.toHaveProperty('lastTransaction');
  });

  test('the subscription detail after a failed charge shows that charge, and no successful transaction', async () => {
    const id = await subscribe({msisdn: '5550002004'});
    expect((await getBilling(`/subscription/detail/123/1/${id}`)).body['subscription']).toMatchObject({
      status: 'retry',
      lastTransaction: {status: 4, error: 'Operator charging error', errorDetail: '51|Insufficient balance'},
      lastSuccessfulTransaction: null,
    });
  });
});

describe('cancel', () => {
  test('a cancellation ends the subscription and returns its details, and the subscriber gets a message', async () => {
    const id = await subscribe();
    const {httpStatus, body} = await getBilling(`/subscription/cancel/123/1/${id}`);
    expect(httpStatus).toBe(200);
    expect(body).toEqual({
      response: SUCCESS,
      subscription: {
        id,
        service: 1,
        status: 'cancelled',
        msisdn: NUMBER,
        operator: 1,
        subscriptionFee: 12,
        period: 'weekly',
        subscriptionDate: TIME,
        renewalDate: TIME,
        cancellationDate: TIME,
        cancellationSource: 'mi',
        hasTrialPeriod: false,
        trialPeriodDay: 0,
      },
    });
    const {messages} = await read<{messages: {message: string}[]}>(`sms?msisdn=${NUMBER}`);
    expect(messages.at(-1)?.message).toBe('Kulüp üyeliği iptal edildi. Bundan sonra ücret alınmaz.');
  });

  test('a second cancellation gets 409 with the same subscription details', async () => {
    const id = await subscribe();
    const {body: cancelled} = await getBilling(`/subscription/cancel/123/1/${id}`);
    expect(await getBilling(`/subscription/cancel/123/1/${id}`)).toEqual({
      httpStatus: 409,
      body: {
        response: failure('API_ERR_2005', 'Subscription is already cancelled', 'Current status: cancelled'),
        subscription: cancelled['subscription'],
      },
    });
  });

  test.each(['active', 'retry', 'suspend'])('a subscription with status %s can be cancelled', async (status) => {
    const id = await subscribe();
    await control(`subscriptions/${id}/status`, {status});
    expect((await getBilling(`/subscription/cancel/123/1/${id}`)).body['subscription']).toMatchObject({
      status: 'cancelled',
    });
  });

  test.each(['unknown', 'rejected'])('a subscription with status %s cannot be cancelled', async (status) => {
    const id = await subscribe();
    await control(`subscriptions/${id}/status`, {status});
    expect(await getBilling(`/subscription/cancel/123/1/${id}`)).toMatchObject({
      httpStatus: 409,
      body: {
        response: failure(
          'API_ERR_2006',
          'Subscription status is not available for cancellation',
          `Current status: ${status}`,
        ),
        subscription: {id, status},
      },
    });
  });
});

describe('the reset of a test number', () => {
  test('a reset cancels all subscriptions of a test number and sends no message', async () => {
    await subscribe();
    await subscribe({product: 78});
    await subscribe({msisdn: '5557654321'});
    const before = await read(`sms?msisdn=${NUMBER}`);
    expect(await getBilling(`/subscription/cancel/123/1/${NUMBER}`)).toEqual({
      httpStatus: 200,
      body: {response: SUCCESS},
    });
    expect((await listCycles()).map(({status}) => status)).toEqual(['cancelled', 'cancelled', 'active']);
    expect(await read(`sms?msisdn=${NUMBER}`)).toEqual(before);
  });

  test('a reset succeeds for a test number without subscriptions', async () => {
    expect(await getBilling(`/subscription/cancel/123/1/${NUMBER}`)).toEqual({
      httpStatus: 200,
      body: {response: SUCCESS},
    });
  });

  test('the platform refuses to reset a number that is not a test number', async () => {
    await subscribe({msisdn: '5321234567'});
    expect(await getBilling('/subscription/cancel/123/1/5321234567')).toEqual({
      httpStatus: 400,
      body: {response: failure('API_ERR_2007', 'Number is not a test number')},
    });
    expect(await listCycles()).toMatchObject([{status: 'active'}]);
  });
});

test.each([
  ['/subscription/detail/123/1/7', 404, 'API_ERR_2001', 'Subscription not found'],
  ['/subscription/cancel/123/1/7', 404, 'API_ERR_2001', 'Subscription not found'],
  ['/subscription/cancel/123/1/4551234567', 404, 'API_ERR_2001', 'Subscription not found'],
  ['/subscription/detail/124/1/7', 400, 'API_ERR_1001', 'Invalid parameter, merchantId'],
  ['/subscription/detail/123/2/7', 400, 'API_ERR_1001', 'Invalid parameter, serviceId'],
  ['/subscription/detail/123/1/x', 404, 'API_ERR_1005', 'Operation not found'],
  ['/subscription/detail/123/1', 404, 'API_ERR_1005', 'Operation not found'],
  ['/subscription/detail/123/1/7/8', 404, 'API_ERR_1005', 'Operation not found'],
  ['/subscription/detail/123/1/9999999999999999', 404, 'API_ERR_1005', 'Operation not found'],
  ['/nothing', 404, 'API_ERR_1005', 'Operation not found'],
])('a call to %s gets HTTP %i and %s', async (path, httpStatus, code, description) => {
  expect(await getBilling(path)).toEqual({httpStatus, body: {response: failure(code, description)}});
});

test.each([
  ['GET', '/subscription/create'],
  ['POST', '/subscription/create'],
  ['POST', '/transaction/request'],
  ['GET', '/transaction/request/123/1/7'],
])('merchants cannot call %s %s', async (method, path) => {
  const response = await request(`/micropayment${path}`, {method});
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({response: failure('API_ERR_1004', 'Operation is not available to merchants')});
});

test('calls from an IP address that is not allowed get 403 in mobile billing and ERR_002 under /phs', async () => {
  await control('address', {allowed: false});
  expect(await getBilling('/subscription/detail/123/1/7')).toEqual({
    httpStatus: 403,
    body: {response: failure('API_ERR_1003', 'IP address not allowed')},
  });
  const {status} = await (await request('/phs/bank/getAll')).json<{status: string}>();
  expect(status).toBe('ERR_002');
  await control('address', {allowed: true});
  expect(await getBilling('/subscription/detail/123/1/7')).toMatchObject({httpStatus: 404});
});

test.each([
  ['API_ERR_2005', 409, 'API_ERR_2005', 'Subscription is already cancelled'],
  ['429', 429, 'API_ERR_1029', 'Usage limit exceeded'],
  ['503', 503, '503', 'Unknown'],
  ['API_ERR_7777', 400, 'API_ERR_7777', 'Unknown'],
])(
  'a planned fault with the status %s makes one call return HTTP %i',
  async (status, httpStatus, code, description) => {
    const id = await subscribe();
    await control('faults', {operation: '/subscription/detail', kind: 'status', status, times: 1});
    expect(await getBilling(`/subscription/detail/123/1/${id}`)).toEqual({
      httpStatus,
      body: {response: failure(code, description)},
    });
    expect(await getBilling(`/subscription/detail/123/1/${id}`)).toMatchObject({httpStatus: 200});
  },
);
