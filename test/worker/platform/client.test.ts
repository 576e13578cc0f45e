/** Tests when and how long the platform client retries, with which token, and when it stops calling the platform. */

import {expect, inject, test} from 'vitest';
import {PlatformClient} from '../../../worker/platform/client.ts';
import {phsInterface} from '../../../worker/platform/interfaces.ts';
import type {OperationInput, OperationName} from '../../../worker/platform/operations/index.ts';
import type {QuotaExhausted, QuotaSource} from '../../../worker/platform/quotas.ts';
import type {TokenSource} from '../../../worker/platform/token-source.ts';
import {unlimited} from '../../support/unlimited-quotas.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {calls, callPlatform, hold, setFault, setLine} from '../support/sandbox.ts';
import {clientWithTransport, failureOf, refusal, success, TOKEN, FakeClock} from '../support/stub-transport.ts';

freshWorker();

const RENEWED = '{00000000-0000-4000-8000-00000000000A}';
const ORDER = {code: 'KTP', order: 'S-1'};

/** Operations that carry a token, of every effect. */
const WITH_TOKEN: readonly [name: OperationName, input: OperationInput<OperationName>, reply: object][] = [
  ['orderCodeCheck', ORDER, {order: '8'}],
  ['orderCodeCreate', {...ORDER, amount: '1.00'}, {order: '8'}],
  ['transactionGet', {id: '7'}, {transaction: {id: 7, amount: '1.00', status: 3}}],
  ['transactionSearch', {code: 'KTP'}, {recordsFiltered: 0, data: []}],
  ['orderComplete', ORDER, {}],
];

/** A token source that gives these tokens, in order, when the client renews its token. It records the stale tokens. */
function renewableToken(...renewed: string[]): TokenSource & {readonly stale: string[]} {
  const stale: string[] = [];
  return {
    stale,
    current: () => Promise.resolve(TOKEN),
    renew: (token) => {
      stale.push(token);
      return Promise.resolve(renewed.shift() ?? RENEWED);
    },
  };
}

for (const status of ['ERR_016', 'ERR_015']) {
  test.for(WITH_TOKEN)(
    `%s is sent again with a new token when the platform refuses its token with ${status}`,
    async ([name, input, reply]) => {
      const tokens = renewableToken();
      const {client, sent} = clientWithTransport((_sent, count) => (count === 1 ? refusal(status) : success(reply)), {
        tokens,
      });
      await client.call(name, input);
      expect(tokens.stale).toEqual([TOKEN]);
      expect(sent.map(({headers}) => headers['token'])).toEqual([TOKEN, RENEWED]);
      expect(sent[1]?.body).toBe(sent[0]?.body);
    },
  );
}

test('the client requests at most two new tokens for one call', async () => {
  const tokens = renewableToken();
  const {client, sent} = clientWithTransport(() => refusal('ERR_016', 'Invalid Token'), {tokens});
  expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({
    outcome: 'refused',
    status: 'ERR_016',
    message: 'Invalid Token',
  });
  expect([tokens.stale.length, sent.length]).toEqual([2, 3]);
});

test('if a new token expires before it reaches the platform, the client renews it once more', async () => {
  const [second, third] = ['{00000000-0000-4000-8000-00000000000B}', '{00000000-0000-4000-8000-00000000000C}'];
  const tokens = renewableToken(second, third);
  const {client, sent} = clientWithTransport((_sent, count) => (count < 3 ? refusal('ERR_016') : success()), {tokens});
  await client.call('orderComplete', ORDER);
  expect(tokens.stale).toEqual([TOKEN, second]);
  expect(sent.map(({headers}) => headers['token'])).toEqual([TOKEN, second, third]);
});

test('after a refusal that is not about the token, the client does not send the call again', async () => {
  for (const status of [
    'ERR_001',
    'ERR_002',
    'ERR_004',
    'ERR_005',
    'ERR_007',
    'ERR_020',
    '400',
    '500',
    'ERR_010',
    'ERR_160',
  ]) {
    const {client, sent} = clientWithTransport(() => refusal(status));
    await failureOf(client.call('orderComplete', ORDER));
    expect(sent, status).toHaveLength(1);
  }
});

/** A client that has earned retries with 30 calls. `transport` answers all later calls. */
async function clientWithRetries(transport: Parameters<typeof clientWithTransport>[0], clock = new FakeClock()) {
  let isEarning = true;
  const {client, sent} = clientWithTransport(
    (request, count) => (isEarning ? success({banks: []}) : transport(request, count - 30)),
    {clock},
  );
  for (let call = 0; call < 30; call += 1) await client.call('bankGetAll', {});
  isEarning = false;
  return {client, clock, sent: () => sent.slice(30)};
}

test('a failed read is retried after growing delays', async () => {
  for (const broken of ['', '<h1>502</h1>', refusal('500'), refusal('ERR_010')]) {
    const {client, clock, sent} = await clientWithRetries((_sent, count) =>
      count < 3 ? broken : success({order: '8'}),
    );
    expect(await client.call('orderCodeCheck', ORDER)).toEqual({
      order: '8',
      payout: null,
      sub_merchant_id: null,
      fee: null,
    });
    expect(sent()).toHaveLength(3);
    expect(clock.waits).toEqual([100, 200]);
  }
});

test('a read is sent at most three times', async () => {
  const {client, sent} = await clientWithRetries(() => '');
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(sent()).toHaveLength(3);
});

test.for<[name: OperationName, input: OperationInput<OperationName>]>([
  ['orderCodeCreate', {...ORDER, amount: '1.00'}],
  ['orderComplete', ORDER],
])('%s is never sent twice', async ([name, input]) => {
  for (const broken of ['', '<h1>502</h1>', refusal('500'), refusal('ERR_010')]) {
    const {client, sent} = await clientWithRetries(() => broken);
    await failureOf(client.call(name, input));
    expect(sent()).toHaveLength(1);
  }
});

test('a refused read is not retried, unless the platform reports an internal error', async () => {
  for (const status of ['ERR_014', 'ERR_005', 'ERR_777', '400', '404']) {
    const {client, sent} = await clientWithRetries(() => refusal(status));
    await failureOf(client.call('orderCodeCheck', ORDER));
    expect(sent(), status).toHaveLength(1);
  }
});

test('a client retries at most a tenth of its calls, and two more at the start', async () => {
  let call = 0;
  let isFirstAttempt = true;
  const {client, sent} = clientWithTransport(() => {
    const fails = isFirstAttempt && call % 3 === 0;
    isFirstAttempt = false;
    return fails ? '' : success({order: '8'});
  });
  for (call = 1; call <= 60; call += 1) {
    isFirstAttempt = true;
    await client.call('orderCodeCheck', ORDER).catch(() => {});
  }
  expect(sent).toHaveLength(60 + 6 + 2);
});

test('a new client can retry its first read', async () => {
  const {client, sent} = clientWithTransport((_sent, count) => (count < 3 ? '' : success({order: '8'})));
  expect(await client.call('orderCodeCheck', ORDER)).toEqual({
    order: '8',
    payout: null,
    sub_merchant_id: null,
    fee: null,
  });
  expect(sent).toHaveLength(3);
});

test('the deadline covers all attempts together', async () => {
  const clock = new FakeClock();
  const {client, sent} = await clientWithRetries(() => {
    clock.advance(7_600);
    return '';
  }, clock);
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(sent()).toHaveLength(1);
});

/** A client that calls the sandbox over the network, and that has `remainingMs` until the deadline when it sends. */
function clientOverNetwork(remainingMs: number): PlatformClient {
  let time = 0;
  const clock = {
    now() {
      const now = time;
      time = 8_000 - remainingMs;
      return now;
    },
    wait: () => Promise.resolve(),
    random: () => 0,
  };
  return new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${inject('platformUrl')}/phs`, merchantId: '123', parameters: 'form'})},
    tokens: renewableToken(),
    quotas: unlimited,
    clock,
    fetch: (input, init) => fetch(input, init),
  });
}

test('a call that the platform accepts but does not answer has an unknown outcome at the deadline', async () => {
  await setLine('silent');
  expect(await failureOf(clientOverNetwork(40).call('orderCodeCheck', ORDER))).toEqual({
    outcome: 'unknown',
    fault: 'timeout',
  });
});

test('a call that the platform answers after the deadline has an unknown outcome at the deadline', async () => {
  await hold('/bank/getAll');
  expect(await failureOf(clientOverNetwork(40).call('bankGetAll', {}))).toEqual({outcome: 'unknown', fault: 'timeout'});
});

test.for(['refused', 'reset', 'truncated'] as const)('after a %s connection the outcome is unknown', async (state) => {
  await setLine(state);
  expect(await failureOf(clientOverNetwork(5_000).call('bankGetAll', {}))).toEqual({
    outcome: 'unknown',
    fault: 'connection',
  });
});

test('a redirect is not followed, so no other host receives the headers merchant and token', async () => {
  await setFault({operation: '/orderToReference/check', kind: 'redirect'});
  expect(await failureOf(clientOverNetwork(5_000).call('orderCodeCheck', ORDER))).toEqual({
    outcome: 'unknown',
    fault: 'redirect',
  });
  expect(new Set((await calls()).map(({path}) => path))).toEqual(new Set(['/phs/orderToReference/check']));
});

test.for(['500-html', 'malformed', 'empty', 'huge'] as const)(
  'after a reply of the kind %s the outcome is unknown',
  async (kind) => {
    await setFault({operation: '/orderToReference/check', kind});
    expect(await failureOf(clientOverNetwork(5_000).call('orderCodeCheck', ORDER))).toEqual({
      outcome: 'unknown',
      fault: 'unreadable',
      ...(kind === '500-html' && {httpStatus: 500}),
    });
  },
);

test('if the platform does an operation but its reply is lost, the outcome is unknown', async () => {
  const order = {code: 'DEMO', order: 'S-LOST', amount: '1.00'};
  await setFault({operation: '/orderToReference/create', kind: 'empty', after: true, times: 1});
  const token = String(
    (await callPlatform('/getToken', {merchant: '123', key: '935b88250b3c795b0b17e63c665ff9bf'}))['token'],
  );
  const clock = {now: () => 0, wait: () => Promise.resolve(), random: () => 0};
  const client = new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${inject('platformUrl')}/phs`, merchantId: '123', parameters: 'form'})},
    clock,
    fetch: (input, init) => fetch(input, init),
    tokens: {current: () => Promise.resolve(token), renew: () => Promise.resolve(token)},
    quotas: unlimited,
  });
  expect(await failureOf(client.call('orderCodeCreate', order))).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(await callPlatform('/orderToReference/check', {code: 'DEMO', order: 'S-LOST'})).toMatchObject({status: '000'});
});

test('after ten failed calls the client sends one probe every 15 seconds until a probe succeeds', async () => {
  let broken = true;
  const clock = new FakeClock();
  const {client, sent} = clientWithTransport(() => (broken ? '' : success()), {clock});
  for (let call = 0; call < 10; call += 1) await failureOf(client.call('orderComplete', ORDER));
  expect(client.hasOpenCircuit).toBe(true);
  expect(sent).toHaveLength(10);
  expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({outcome: 'unsent', retryAfterMs: 15_000});
  clock.advance(15_000);
  expect(
    await Promise.all([failureOf(client.call('orderComplete', ORDER)), failureOf(client.call('orderComplete', ORDER))]),
  ).toEqual([
    {outcome: 'unknown', fault: 'unreadable'},
    // The client delays this call by only 2 s, because the probe's outcome will be known soon.
    {outcome: 'unsent', retryAfterMs: 2_000},
  ]);
  expect(sent).toHaveLength(11);
  broken = false;
  clock.advance(15_000);
  await client.call('orderComplete', ORDER);
  await client.call('orderComplete', ORDER);
  expect(client.hasOpenCircuit).toBe(false);
  expect(logLines().filter(({event}) => event !== 'platform_call')).toEqual([
    {level: 'error', event: 'circuit_opened', names: ['orderComplete']},
    {level: 'info', event: 'circuit_closed', names: ['orderComplete']},
  ]);
});

test.for<[reply: string, odd: () => string | Response]>([
  ['lacks its fields', () => success()],
  ['is an internal error', () => refusal('500')],
  ['is an HTML page', () => new Response('<h1>Fatal error</h1>', {status: 500})],
])('if each reply of an operation %s, only this operation is stopped', async ([, odd]) => {
  const {client, sent} = clientWithTransport(({url}) => (url.endsWith('/create') ? odd() : success({order: '8'})));
  for (let call = 0; call < 11; call += 1) await failureOf(client.call('orderCodeCreate', {...ORDER, amount: '1.00'}));
  expect(sent).toHaveLength(10);
  expect(await client.call('orderCodeCheck', ORDER)).toMatchObject({order: '8'});
});

test('calls without a reply open the circuit of their interface, unless pages choose what the calls contain', async () => {
  const {client} = clientWithTransport(({url}) =>
    url.endsWith('/check') ? success({order: '8'}) : Promise.reject(new TypeError('No connection')),
  );
  const notice = {...ORDER, amount: '1.00', bank: 'garanti'};
  for (let call = 0; call < 10; call += 1) await failureOf(client.call('paymentNotificationCreate', notice));
  expect(await client.call('orderCodeCheck', ORDER)).toMatchObject({order: '8'});
  for (let call = 0; call < 10; call += 1) await failureOf(client.call('orderComplete', ORDER));
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unsent', retryAfterMs: 15_000});
});

test('refusals do not open the circuit', async () => {
  const {client, sent} = clientWithTransport(() => refusal('ERR_005'));
  for (let call = 0; call < 30; call += 1) await failureOf(client.call('orderComplete', ORDER));
  expect([client.hasOpenCircuit, sent.length]).toEqual([false, 30]);
});

test('waiting for a token counts towards the deadline', async () => {
  const clock = new FakeClock();
  const current = () => {
    clock.advance(8_000);
    return Promise.resolve(TOKEN);
  };
  const {client, sent} = clientWithTransport(() => success(), {clock, tokens: {current, renew: current}});
  expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({outcome: 'unsent', retryAfterMs: 1000});
  expect(sent).toEqual([]);
});

/** Quotas that record what the client does with them. They first refuse with these answers, and then give permits. */
function recordingQuotas(answers: readonly QuotaExhausted[] = []) {
  const recorded: string[] = [];
  const remaining = [...answers];
  const quotas: QuotaSource = {
    acquire(quota, {queueId}) {
      const refused = remaining.shift();
      recorded.push([refused ? 'refused' : 'acquired', quota, queueId].filter(Boolean).join(' '));
      return Promise.resolve(
        refused ?? {
          end: (reason) => void recorded.push(`ended ${JSON.stringify(reason ?? null)}`),
          release: () => void recorded.push('released'),
        },
      );
    },
  };
  return {recorded, quotas};
}
const CHARGE = {serviceId: '1', transactionId: '7'};
const charge = JSON.stringify({response: {result: 'SUCCESS', resultCode: '0000'}, transaction: {id: 7}});

test('for a limited operation, each request and each retry is counted before it is sent', async () => {
  const {recorded, quotas} = recordingQuotas();
  const {client} = clientWithTransport(
    (_sent, count) => {
      expect(recorded.filter((one) => one.startsWith('acquired'))).toHaveLength(count);
      return count < 3 ? '' : charge;
    },
    {quotas},
  );
  await client.call('chargeGet', CHARGE);
  expect(recorded).toEqual([
    'acquired get_charge',
    'ended null',
    'acquired get_charge',
    'ended null',
    'acquired get_charge',
    'ended null',
  ]);
});

test('an operation without a limit is not counted', async () => {
  const {recorded, quotas} = recordingQuotas();
  await clientWithTransport(() => success(), {quotas}).client.call('orderComplete', ORDER);
  expect(recorded).toEqual([]);
});

test('a call is not sent when its quota is used up', async () => {
  const {quotas} = recordingQuotas([{limit: 'day', retryAfterMs: 60_000}]);
  const {client, sent} = clientWithTransport(() => charge, {quotas});
  expect(await failureOf(client.call('chargeRefund', CHARGE, {queueId: 'c-1'}))).toEqual({
    outcome: 'unsent',
    limit: 'day',
    retryAfterMs: 60_000,
  });
  expect(sent).toEqual([]);
});

test('a quota permit that arrives after the deadline is released', async () => {
  const clock = new FakeClock();
  const {recorded, quotas} = recordingQuotas();
  const arrival = Promise.withResolvers<void>();
  const late: QuotaSource = {
    async acquire(quota, queueId) {
      clock.advance(8_000);
      await arrival.promise;
      return quotas.acquire(quota, queueId);
    },
  };
  const {client, sent} = clientWithTransport(() => charge, {clock, quotas: late});
  expect(await failureOf(client.call('chargeRefund', CHARGE))).toEqual({outcome: 'unsent', retryAfterMs: 1000});
  arrival.resolve();
  await expect.poll(() => recorded).toEqual(['acquired refund_charge', 'released']);
  expect(sent).toEqual([]);
});

test('a call with an unknown outcome counts towards its quota; a call that the circuit stops does not', async () => {
  const {recorded, quotas} = recordingQuotas();
  const {client} = clientWithTransport(() => '', {quotas});
  for (let call = 0; call < 10; call += 1) await failureOf(client.call('chargeRefund', CHARGE));
  expect(await failureOf(client.call('chargeRefund', CHARGE))).toEqual({outcome: 'unsent', retryAfterMs: 15_000});
  expect(recorded.filter((one) => one === 'ended null')).toHaveLength(10);
  expect(recorded.at(-1)).toBe('released');
});

test.for<[headers: Record<string, string>, refusal: string]>([
  [{'retry-after': '30'}, '{"retryAfterMs":30000}'],
  [{}, '{"retryAfterMs":null}'],
])('the client reports a 429 answer with the headers %j to the quota', async ([headers, refused]) => {
  const {recorded, quotas} = recordingQuotas();
  const {client} = clientWithTransport(() => new Response('', {status: 429, headers}), {quotas});
  expect(await failureOf(client.call('chargeRefund', CHARGE))).toMatchObject({
    outcome: 'refused',
    status: 'HTTP_429',
    httpStatus: 429,
  });
  expect(recorded).toEqual(['acquired refund_charge', `ended ${refused}`]);
});
