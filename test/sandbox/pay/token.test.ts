import {beforeEach, describe, expect, test} from 'vitest';
import {md5, pageKey} from '../../../sandbox/keys.ts';
import {LOCAL_TIME} from '../support/mobile-billing.ts';
import {control, ORIGIN, read, request} from '../support/platform.ts';

const TIME = expect.stringMatching(LOCAL_TIME);
const FIELDS = {
  merchantId: '123',
  serviceId: '1',
  referenceCode: 'REF-7',
  item: 'Aylık üyelik',
  price: '10.00',
  successUrl: 'https://shop.example/ok',
  failureUrl: 'https://shop.example/fail',
};

beforeEach(() => control('reset'));

/** The key for these fields. It covers the price exactly as written. */
function keyOf(fields: Record<string, string>): Promise<string> {
  const {
    merchantId = '',
    serviceId = '',
    referenceCode = '',
    item = '',
    price = '',
    successUrl = '',
    failureUrl = '',
  } = fields;
  return md5(merchantId, serviceId, referenceCode, item, price, successUrl, failureUrl, 'sandbox-payment-page-secret');
}

async function post(contentType: string, body: string): Promise<{httpStatus: number; body: unknown}> {
  const response = await request('/pay/token', {method: 'POST', headers: {'content-type': contentType}, body});
  return {httpStatus: response.status, body: await response.json()};
}

async function create(changes: Record<string, unknown> = {}): Promise<{httpStatus: number; body: unknown}> {
  const fields = {...FIELDS, ...changes} as Record<string, string>;
  return post('application/json', JSON.stringify({key: await keyOf(fields), ...fields}));
}

const CREATED = {
  httpStatus: 200,
  body: {
    response: {
      result: 'SUCCESS',
      resultCode: '0000',
      resultDescription: 'Success',
      resultDetail: null,
      respnseTime: TIME,
    },
    tokenData: {
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      redirectUrl: expect.stringMatching(new RegExp(`^${ORIGIN}/pay/page/[0-9a-f-]{36}$`)),
      expiryDate: TIME,
    },
  },
};

function refusal(resultCode: string, resultDescription: string) {
  const response = {result: 'FAILED', resultCode, resultDescription, resultDetail: null, respnseTime: TIME};
  return {httpStatus: 400, body: {response}};
}

test.each([
  ['30', '459da46056dbd1cd2a088502f2d53010'],
  ['10.00', '6570eed511a8dfb71072af2863039d37'],
])('the key for a price written as %s matches the test vector', async (price, key) => {
  const fields = {...FIELDS, merchantId: '2042', serviceId: '31', price};
  expect(await pageKey(fields, {paymentPageSecret: 'example page secret'})).toBe(key);
});

describe('a valid request for a token', () => {
  test('the platform creates a token for a JSON body whose fields are strings', async () => {
    expect(await create()).toEqual(CREATED);
  });

  test.each(['10.00', '10.0', '10', '10.50'])(
    'the platform creates a token for a JSON body with numbers, such as the price %s',
    async (price) => {
      const key = await keyOf({...FIELDS, price});
      const {referenceCode, item, successUrl, failureUrl} = FIELDS;
      const otherFields = JSON.stringify({referenceCode, item, successUrl, failureUrl, key}).slice(1);
      expect(await post('application/json', `{"merchantId":123,"serviceId":1,"price":${price},${otherFields}`)).toEqual(
        CREATED,
      );
    },
  );

  test('the platform creates a token for a trial, and the trial fields are not part of the key', async () => {
    expect(await create({hasTrialPeriod: true, trialPeriodDay: 7})).toEqual(CREATED);
    expect(await create({hasTrialPeriod: false, trialPeriodDay: 0})).toEqual(CREATED);
  });
});

test('the platform refuses a request for a token with a wrong key', async () => {
  const wrong = refusal('API_ERR_1023', 'Invalid parameter, key');
  expect(await create({key: 'ab15c00e40d43db6e1cc40da2bb38c51'})).toEqual(wrong);
  expect(await create({key: (await keyOf(FIELDS)).toUpperCase()})).toEqual(wrong);
  const body = JSON.stringify({...FIELDS, price: '10', key: await keyOf(FIELDS)});
  expect(await post('application/json', body)).toEqual(wrong);
});

test.each([...Object.keys(FIELDS), 'key'])('a request for a token requires %s', async (name) => {
  expect(await create({[name]: ''})).toEqual(refusal('API_ERR_1001', `Invalid parameter, ${name}`));
  expect(await create({[name]: undefined})).toEqual(refusal('API_ERR_1001', `Invalid parameter, ${name}`));
  expect(await create({[name]: ['x']})).toEqual(refusal('API_ERR_1001', `Invalid parameter, ${name}`));
});

test.each([
  [{merchantId: '124'}, 'merchantId'],
  [{serviceId: '2'}, 'serviceId'],
  [{price: '0.00'}, 'price'],
  [{price: '1,00'}, 'price'],
  [{price: '-1'}, 'price'],
  [{successUrl: 'javascript:alert(1)'}, 'successUrl'],
  [{failureUrl: 'shop.example'}, 'failureUrl'],
  [{hasTrialPeriod: true}, 'trialPeriodDay'],
  [{hasTrialPeriod: true, trialPeriodDay: '1.5'}, 'trialPeriodDay'],
])('the platform refuses a request for a token with %o', async (wrong, name) => {
  expect(await create(wrong)).toEqual(refusal('API_ERR_1001', `Invalid parameter, ${name}`));
});

test.each(['{', 'null', '[]', '"x"', ''])(
  'the platform refuses a request for a token with the body %s',
  async (body) => {
    const {httpStatus} = await post('application/json', body);
    expect(httpStatus).toBe(400);
  },
);

test('the list of calls masks the key of a request for a token', async () => {
  await create();
  expect(await read('calls')).toMatchObject({calls: [{path: '/pay/token', params: {key: '***', price: '10.00'}}]});
});
