import {beforeEach, describe, expect, test} from 'vitest';
import {LANDING_STATUSES} from '../../sandbox/landing.ts';
import {
  getBilling,
  AUTHORIZATION,
  listCycles,
  generatePin,
  postLanding,
  NUMBER,
  readPin,
  requestSubscription,
  subscribe,
  VISITOR,
} from './support/mobile-billing.ts';
import {control, read, request} from './support/platform.ts';

const OK = {status: '000', description: 'Request Successfully'};
const ZONED = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

beforeEach(() => control('reset'));

function refusal(status: keyof typeof LANDING_STATUSES) {
  return {status, description: LANDING_STATUSES[status]};
}

async function issueNumberToken(fields: Record<string, unknown> = {}): Promise<string> {
  const {body} = await control('number-tokens', {msisdn: NUMBER, ...fields});
  return String(body['number_token']);
}

describe('the Wi-Fi flow', () => {
  test('the platform sends a PIN of four digits, with which the number can be subscribed', async () => {
    expect(await generatePin(NUMBER)).toEqual(OK);
    expect(await read(`sms?msisdn=${NUMBER}`)).toEqual({
      messages: [
        {
          message: expect.stringMatching(/^Onay kodunuz: \d{4}\. 10 dakika geçerlidir, kimseyle paylaşmayın\.$/),
          at: TIME,
        },
      ],
    });
    expect(await requestSubscription(NUMBER)).toEqual(OK);
    expect(await listCycles()).toMatchObject([{msisdn: NUMBER, operator: 1, product: 77, status: 'active'}]);
  });

  test('a number can be subscribed by GET, with all parameters in the query', async () => {
    const query = new URLSearchParams({authorization: AUTHORIZATION, merchant: '123', ...VISITOR, msisdn: NUMBER});
    expect(await (await request(`/landing/generate-pin?${query}`)).json()).toEqual(OK);
    query.append('pin', await readPin(NUMBER));
    expect(await (await request(`/landing/subscription-request?${query}`)).json()).toEqual(OK);
    expect(await listCycles()).toHaveLength(1);
  });

  test('the platform refuses a wrong PIN and then accepts the correct PIN', async () => {
    await generatePin(NUMBER);
    const correct = Number(await readPin(NUMBER));
    for (const pin of [String((correct + 1) % 10_000).padStart(4, '0'), `${correct}0`, 'x']) {
      expect(await requestSubscription(NUMBER, {pin})).toEqual(refusal('028'));
    }
    expect(await requestSubscription(NUMBER)).toEqual(OK);
  });

  test('a PIN that was used, never sent, or sent for another number, operator or product is refused', async () => {
    expect(await requestSubscription(NUMBER, {pin: '0000'})).toEqual(refusal('028'));
    await generatePin(NUMBER);
    const pin = await readPin(NUMBER);
    expect(await requestSubscription(NUMBER, {pin, operator: '2'})).toEqual(refusal('028'));
    expect(await requestSubscription('5557654321', {pin})).toEqual(refusal('028'));
    expect(await requestSubscription(NUMBER, {pin, product: '78'})).toEqual(refusal('028'));
    await requestSubscription(NUMBER, {pin});
    expect(await requestSubscription(NUMBER, {pin})).toEqual(refusal('028'));
  });

  test('a new PIN replaces the previous one', async () => {
    await generatePin(NUMBER);
    const first = await readPin(NUMBER);
    let second = first;
    while (second === first) {
      await generatePin(NUMBER);
      second = await readPin(NUMBER);
    }
    expect(await requestSubscription(NUMBER, {pin: first})).toEqual(refusal('028'));
    expect(await requestSubscription(NUMBER, {pin: second})).toEqual(OK);
  });

  test("a PIN is valid for ten minutes of the sandbox's clock", async () => {
    await generatePin(NUMBER);
    await generatePin('5557654321');
    await control('clock', {advance_seconds: 590});
    expect(await requestSubscription(NUMBER)).toEqual(OK);
    await control('clock', {advance_seconds: 10});
    expect(await requestSubscription('5557654321')).toEqual(refusal('003'));
  });

  test('a subscription to a product with a trial starts with the free trial', async () => {
    await generatePin(NUMBER, {product: '78'});
    expect(await requestSubscription(NUMBER, {product: '78'})).toEqual(OK);
    expect(await listCycles()).toMatchObject([{product: 78, charges: []}]);
  });
});

describe('the one-click flow', () => {
  test('the platform returns the number for a number token, and the token can be used to subscribe once', async () => {
    const token = await issueNumberToken({operator: 4});
    expect(token).toMatch(/^\d{18}$/);
    expect(await postLanding('/get-msisdn', {token})).toEqual({...OK, msisdn: NUMBER, operator: 4});
    const {operator: _, ...visitor} = VISITOR;
    expect(await postLanding('/subscription-request', {...visitor, token})).toEqual(OK);
    expect(await listCycles()).toMatchObject([{msisdn: NUMBER, operator: 4, status: 'active'}]);
    expect(await postLanding('/subscription-request', {...visitor, token})).toEqual(refusal('027'));
  });

  test('a number token expires after ten minutes', async () => {
    const token = await issueNumberToken();
    await control('clock', {advance_seconds: 600});
    expect(await postLanding('/get-msisdn', {token})).toEqual(refusal('027'));
  });

  test.each(['1', '5551234567', 'x'])('the platform refuses the unknown number token %s', async (token) => {
    expect(await postLanding('/get-msisdn', {token})).toEqual(refusal('027'));
    expect(await postLanding('/subscription-request', {...VISITOR, token})).toEqual(refusal('027'));
  });
});

describe('cancel-subscription', () => {
  test('/cancel-subscription ends the subscription and returns its details; a second call is refused', async () => {
    const id = await subscribe();
    expect(await postLanding('/cancel-subscription', {subscription: String(id)})).toEqual({
      ...OK,
      subscription: {
        id,
        product: 77,
        status: 'cancelled',
        subscription_date: ZONED,
        renewal_date: ZONED,
        cancellation_date: ZONED,
        cancellation_source: 'landing',
      },
    });
    expect(await postLanding('/cancel-subscription', {subscription: String(id)})).toEqual(refusal('032'));
    await control('limits', {limits: null});
    expect(await getBilling(`/subscription/cancel/123/1/${id}`)).toMatchObject({httpStatus: 409});
  });

  test('the platform refuses to cancel an unknown id and a rejected subscription', async () => {
    expect(await postLanding('/cancel-subscription', {subscription: '7'})).toEqual(refusal('031'));
    const id = await subscribe();
    await control(`subscriptions/${id}/status`, {status: 'rejected'});
    expect(await postLanding('/cancel-subscription', {subscription: String(id)})).toEqual(refusal('033'));
  });
});

describe('user-activity', () => {
  const ACTIVITY = {product: '77', tracking_id: 't-1', type: 'visit'};
  const VISIT = {url: 'https://shop.example/kulup', userip: '192.0.2.7', browser: 'Firefox', referer: '-'};

  test('the platform stores visits with all fields, and clicks with empty text in the fields of a visit', async () => {
    expect(await postLanding('/user-activity', {...ACTIVITY, ...VISIT})).toEqual(OK);
    expect(await postLanding('/user-activity', {...ACTIVITY, type: 'subscribe_clicked'})).toEqual(OK);
    expect(await postLanding('/user-activity', {...ACTIVITY, type: 'confirm_clicked'})).toEqual(OK);
    const empty = {url: '', userip: '', browser: '', referer: ''};
    expect(await read('activities')).toEqual({
      activities: [
        {at: TIME, product: 77, tracking_id: 't-1', type: 'confirm_clicked', ...empty},
        {at: TIME, product: 77, tracking_id: 't-1', type: 'subscribe_clicked', ...empty},
        {at: TIME, product: 77, tracking_id: 't-1', type: 'visit', ...VISIT},
      ],
    });
  });

  test.each(Object.keys(VISIT))('a visit requires %s', async (name) => {
    expect(await postLanding('/user-activity', {...ACTIVITY, ...VISIT, [name]: ''})).toEqual(refusal('025'));
  });

  test('the platform refuses an unknown type of activity', async () => {
    expect(await postLanding('/user-activity', {...ACTIVITY, type: 'unknown_type'})).toEqual(refusal('026'));
    expect(await read('activities')).toEqual({activities: []});
  });
});

const OPERATIONS: readonly [path: string, fields: Record<string, string>][] = [
  ['/generate-pin', {...VISITOR, msisdn: NUMBER}],
  ['/subscription-request', {product: '77', userip: '192.0.2.7', tracking_id: 't-1'}],
  ['/cancel-subscription', {subscription: '7'}],
  ['/get-msisdn', {token: '7'}],
  ['/user-activity', {product: '77', tracking_id: 't-1', type: 'subscribe_clicked'}],
];

test.each(OPERATIONS)(
  '%s requires each of its parameters, and the authorization of the merchant',
  async (path, fields) => {
    for (const name of ['authorization', 'merchant', ...Object.keys(fields)])
      expect(await postLanding(path, {...fields, [name]: ''}), name).toEqual(refusal('400'));
    expect(await postLanding(path, {...fields, authorization: 'wrong'})).toEqual(refusal('029'));
    expect(await postLanding(path, {...fields, merchant: '124'})).toEqual(refusal('029'));
    expect(await postLanding(path, {...fields, merchant: 'x'})).toEqual(refusal('026'));
  },
);

test('the platform refuses a call from an IP address that is not allowed, or with a planned fault', async () => {
  const [[path, fields] = ['', {}]] = OPERATIONS;
  await control('faults', {operation: path, kind: 'status', status: '018', times: 1});
  expect(await postLanding(path, fields)).toEqual(refusal('018'));
  await control('address', {allowed: false});
  expect(await postLanding(path, fields)).toEqual(refusal('030'));
});

describe('a landing page', () => {
  test.each(['/generate-pin', '/subscription-request', '/user-activity'])(
    '%s refuses an unknown product',
    async (path) => {
      const [, fields = {}] = OPERATIONS.find(([candidate]) => candidate === path) ?? [];
      expect(await postLanding(path, {...fields, product: '1'})).toEqual(refusal('001'));
      expect(await postLanding(path, {...fields, product: 'x'})).toEqual(refusal('026'));
    },
  );

  test('the platform refuses every subscription to a product whose landing page is in test mode', async () => {
    expect(await generatePin(NUMBER, {product: '79'})).toEqual(refusal('021'));
    expect(
      await postLanding('/subscription-request', {...VISITOR, product: '79', token: await issueNumberToken()}),
    ).toEqual(refusal('021'));
  });
});

describe('number and mobile operator', () => {
  test('a mobile operator is a number from 1 to 7', async () => {
    for (const operator of ['1', '7']) expect(await generatePin(NUMBER, {operator})).toEqual(OK);
    for (const [operator, status] of Object.entries({
      '': '400',
      0: '006',
      8: '006',
      '-1': '026',
      '1.5': '026',
      x: '026',
    }))
      expect((await generatePin(NUMBER, {operator})).status, operator).toBe(status);
  });

  test('a number has ten digits, of which the first is 5', async () => {
    for (const msisdn of ['4551234567', '555123456', '55512345678', '05551234567', '+905551234567', 'x'])
      expect(await generatePin(msisdn), msisdn).toEqual(refusal('004'));
  });

  test('a number can subscribe to a product only once, whichever operation requests it', async () => {
    await generatePin(NUMBER);
    const pin = await readPin(NUMBER);
    await subscribe();
    expect(await generatePin(NUMBER)).toEqual(refusal('020'));
    expect(await requestSubscription(NUMBER, {pin})).toEqual(refusal('020'));
    expect(await postLanding('/subscription-request', {...VISITOR, token: await issueNumberToken()})).toEqual(
      refusal('020'),
    );
    expect(await generatePin(NUMBER, {product: '78'})).toEqual(OK);
    expect(await listCycles()).toHaveLength(1);
  });
});

test('a subscription-request without a number token requires msisdn, operator and pin', async () => {
  for (const name of ['msisdn', 'operator', 'pin'])
    expect(await postLanding('/subscription-request', {...VISITOR, msisdn: NUMBER, pin: '1234', [name]: ''})).toEqual(
      refusal('025'),
    );
});

test('a number that ends in a status gets it: 5550000… at once, 5550001… when it subscribes', async () => {
  for (const status of Object.keys(LANDING_STATUSES) as (keyof typeof LANDING_STATUSES)[]) {
    const [atOnce, later] = [`5550000${status}`, `5550001${status}`];
    expect(await generatePin(atOnce)).toEqual(refusal(status));
    const token = await issueNumberToken({msisdn: atOnce});
    expect(await postLanding('/get-msisdn', {token})).toMatchObject(refusal(status));
    expect(await postLanding('/subscription-request', {...VISITOR, token})).toEqual(refusal(status));
    expect(await generatePin(later)).toEqual(OK);
    expect(await requestSubscription(later)).toEqual(refusal(status));
  }
  // Only 000 is a success.
  expect(await listCycles()).toHaveLength(2);
});

test('a request to an unknown path gets the status 026', async () => {
  expect(await postLanding('/nothing', {})).toEqual(refusal('026'));
});

test('the list of calls masks the authorization', async () => {
  await generatePin(NUMBER);
  expect(await read('calls')).toMatchObject({
    calls: [
      {method: 'POST', path: '/landing/generate-pin', params: {authorization: '***', merchant: '123', msisdn: NUMBER}},
    ],
  });
});
