import {beforeEach, describe, expect, test} from 'vitest';
import {getBilling, listCycles, LOCAL_TIME, NUMBER, subscribe} from '../support/mobile-billing.ts';
import {control, read} from '../support/platform.ts';

const TIME = expect.stringMatching(LOCAL_TIME);

beforeEach(async () => {
  await control('reset');
  await control('limits', {limits: null});
});

/** Creates a subscription, which charges the number for its first cycle. */
async function createCharge(msisdn = NUMBER): Promise<{subscriptionId: number; id: number}> {
  const subscriptionId = await subscribe({msisdn});
  const [cycle] = await listCycles();
  return {subscriptionId, id: cycle?.charges[0]?.charge_id ?? 0};
}

function refusal(resultCode: string, resultDescription: string, resultDetail: string | null = null) {
  return {body: {response: {result: 'FAILED', resultCode, resultDescription, resultDetail, responseTime: TIME}}};
}

test('the transaction detail shows all fields of a charge and its subscription', async () => {
  const {subscriptionId, id} = await createCharge();
  const {httpStatus, body} = await getBilling(`/transaction/detail/123/1/${id}`);
  expect(httpStatus).toBe(200);
  expect(body).toEqual({
    response: expect.objectContaining({resultCode: '0000', responseTime: TIME}),
    transaction: {
      id,
      status: 3,
      service: 1,
      msisdn: NUMBER,
      operator: 1,
      item: 'Kulüp üyeliği',
      amount: 12,
      transactionDate: TIME,
      refundDate: null,
      referenceCode: null,
      error: null,
      errorDetail: null,
      subscription: {
        id: subscriptionId,
        service: 1,
        status: 'active',
        msisdn: NUMBER,
        operator: 1,
        subscriptionFee: 12,
        period: 'weekly',
        subscriptionDate: TIME,
        renewalDate: TIME,
        cancellationDate: null,
        cancellationSource: null,
        hasTrialPeriod: false,
        trialPeriodDay: 0,
      },
    },
  });
});

describe('refund', () => {
  test('a refund sets the charge to refunded, and the subscriber gets a message', async () => {
    const {subscriptionId, id} = await createCharge();
    const {httpStatus, body} = await getBilling(`/transaction/refund/123/1/${id}`);
    expect(httpStatus).toBe(200);
    expect(body).toEqual({
      response: expect.objectContaining({resultCode: '0000'}),
      subscription: {
        id,
        service: 1,
        status: 6,
        msisdn: NUMBER,
        operator: 1,
        amount: 12,
        error: null,
        errorDetail: null,
        transactionDate: TIME,
        referenceCode: null,
        subscriptionId,
      },
    });
    expect((await getBilling(`/transaction/detail/123/1/${id}`)).body['transaction']).toMatchObject({
      status: 6,
      refundDate: TIME,
    });
    const {messages} = await read<{messages: {message: string}[]}>(`sms?msisdn=${NUMBER}`);
    expect(messages.at(-1)?.message).toBe('Kulüp üyeliği için alınan 12,00 TL iade edildi.');
  });

  test('the platform refuses a second refund of a charge', async () => {
    const {id} = await createCharge();
    await getBilling(`/transaction/refund/123/1/${id}`);
    expect(await getBilling(`/transaction/refund/123/1/${id}`)).toEqual({
      httpStatus: 409,
      ...refusal('API_ERR_3005', 'Transaction is already refunded'),
    });
  });

  test.each([1, 4, 5, 7, 8, 9, -5, -8, -18])(
    'the platform refuses the refund of a charge with status %i',
    async (status) => {
      const {id} = await createCharge();
      expect(await control(`charges/${id}/status`, {status})).toEqual({httpStatus: 200, body: {}});
      expect(await getBilling(`/transaction/refund/123/1/${id}`)).toEqual({
        httpStatus: 409,
        ...refusal('API_ERR_3006', 'Transaction status is not available for refund', `Current status: ${status}`),
      });
    },
  );
});

test('the readings `unrefundable_charge` and `invalid_parameter` set the error codes of refused refunds', async () => {
  const {id} = await createCharge();
  await control(`charges/${id}/status`, {status: 4});
  await control('readings', {unrefundable_charge: 'API_ERR_1001'});
  expect(await getBilling(`/transaction/refund/123/1/${id}`)).toEqual({
    httpStatus: 400,
    ...refusal('API_ERR_1001', 'Invalid parameter', 'Current status: 4'),
  });
  await control('readings', {invalid_parameter: 'API_ERR_1023'});
  expect(await getBilling(`/transaction/refund/123/2/${id}`)).toEqual({
    httpStatus: 400,
    ...refusal('API_ERR_1023', 'Invalid parameter, serviceId'),
  });
});

test.each([
  [1, null, null],
  [4, 'Operator charging error', '51|Insufficient balance'],
  [5, 'Expired', '54|Not confirmed in time'],
  [6, null, null],
  [7, null, null],
  [8, 'Cancelled', '8|Other pending payment'],
  [9, 'Cancelled', '9|Not confirmed'],
])(
  'a charge of the number 555000200%i gets the status in the last digit, and the error of that status',
  async (status, error, errorDetail) => {
    const {id} = await createCharge(`555000200${status}`);
    expect((await getBilling(`/transaction/detail/123/1/${id}`)).body['transaction']).toMatchObject({
      status,
      error,
      errorDetail,
    });
  },
);

test.each([
  [-5, '-5|Price mismatch'],
  [-8, '-8|Bad number'],
  [-18, '-18|Other pending payment'],
])('a charge with the status %i shows the error of that status', async (status, errorDetail) => {
  const {id} = await createCharge();
  await control(`charges/${id}/status`, {status});
  expect((await getBilling(`/transaction/detail/123/1/${id}`)).body['transaction']).toMatchObject({
    status,
    error: 'Cancelled',
    errorDetail,
  });
});

test.each(['/transaction/detail/123/1/7', '/transaction/refund/123/1/7'])(
  '%s reports that the charge does not exist',
  async (path) => {
    expect(await getBilling(path)).toEqual({httpStatus: 404, ...refusal('API_ERR_3001', 'Transaction not found')});
  },
);

test.each([
  ['subscriptions/7/status', {status: 'active'}, 'There is no subscription 7.'],
  ['subscriptions/x/status', {status: 'active'}, 'There is no subscription x.'],
  ['charges/x/status', {status: 3}, 'There is no charge x.'],
  ['transfers/x/status', {status: 3}, 'There is no transaction x.'],
  [
    'subscriptions/7/status',
    {status: 'asleep'},
    'status: must be one of unknown, active, retry, cancelled, suspend, rejected.',
  ],
  ['charges/7/status', {status: 3}, 'There is no charge 7.'],
  ['charges/7/status', {status: 2}, 'status: must be one of 1, 3, 4, 5, 6, 7, 8, 9, -5, -8, -18.'],
  ['subscriptions', {msisdn: '1'}, 'msisdn: must be a number of ten digits that begins with 5.'],
  ['subscriptions', {msisdn: NUMBER, operator: 8}, 'operator: must be an operator from 1 to 7.'],
  ['subscriptions', {msisdn: NUMBER, product: 1}, 'There is no product 1.'],
])('the control %s refuses %o', async (path, body, error) => {
  expect(await control(path, body)).toEqual({httpStatus: 422, body: {error}});
});
