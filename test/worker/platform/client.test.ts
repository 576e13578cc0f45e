/** When the client asks again, with which token, for how long, and when it leaves the platform alone. */

import {expect, inject, test} from 'vitest';
import {PlatformClient} from '../../../worker/platform/client.ts';
import {phsInterface} from '../../../worker/platform/interfaces.ts';
import type {OperationInput, OperationName} from '../../../worker/platform/operations/index.ts';
import type {QuotaExhausted, QuotaSource} from '../../../worker/platform/quotas.ts';
import {CircuitBreaker, RetryBudget} from '../../../worker/platform/resilience.ts';
import type {TokenSource} from '../../../worker/platform/token-source.ts';
import {unlimited} from '../../support/unlimited-quotas.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {calls, callPlatform, setLine, setFault} from '../support/sandbox.ts';
import {clientWithTransport, failureOf, refusal, success, TOKEN, FakeClock} from '../support/stub-transport.ts';

freshWorker();

const RENEWED = '{00000000-0000-4000-8000-00000000000A}';
const ORDER = {code: 'KTP', order: 'S-1'};

/** Every operation that carries a token, whatever its effect. */
const WITH_TOKEN: readonly [name: OperationName, input: OperationInput<OperationName>, reply: object][] = [
  ['orderCodeCheck', ORDER, {order: '8'}],
  ['orderCodeCreate', {...ORDER, amount: '1.00'}, {order: '8'}],
  ['transactionGet', {id: '7'}, {transaction: {id: 7, amount: '1.00', status: 3}}],
  ['transactionSearch', {code: 'KTP'}, {recordsFiltered: 0, data: []}],
  ['orderComplete', ORDER, {}],
];

function renewing(...renewed: string[]): TokenSource & {readonly stale: string[]} {
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
    `%s with a token refused as ${status} asks once more with a new one`,
    async ([name, input, reply]) => {
      const tokens = renewing();
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

test('a new token that is refused too is not renewed for ever', async () => {
  const tokens = renewing();
  const {client, sent} = clientWithTransport(() => refusal('ERR_016', 'Invalid Token'), {tokens});
  expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({
    outcome: 'refused',
    status: 'ERR_016',
    message: 'Invalid Token',
  });
  expect([tokens.stale.length, sent.length]).toEqual([2, 3]);
});

test('a new token that ends while it is carried to the platform is renewed like the first', async () => {
  const [second, third] = ['{00000000-0000-4000-8000-00000000000B}', '{00000000-0000-4000-8000-00000000000C}'];
  const tokens = renewing(second, third);
  const {client, sent} = clientWithTransport((_sent, count) => (count < 3 ? refusal('ERR_016') : success()), {tokens});
  await client.call('orderComplete', ORDER);
  expect(tokens.stale).toEqual([TOKEN, second]);
  expect(sent.map(({headers}) => headers['token'])).toEqual([TOKEN, second, third]);
});

test('no other refusal asks for a token', async () => {
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

/** A client that has earned its retries. */
async function seasoned(wire: Parameters<typeof clientWithTransport>[0], clock = new FakeClock()) {
  let failing = false;
  const {client, sent} = clientWithTransport(
    (recorded, count) => (failing ? wire(recorded, count - 30) : success({banks: []})),
    {
      clock,
    },
  );
  for (let call = 0; call < 30; call += 1) await client.call('bankGetAll', {});
  failing = true;
  return {client, clock, sent: () => sent.slice(30)};
}

test('a read is tried again, after a pause that grows', async () => {
  for (const broken of ['', '<h1>502</h1>', refusal('500'), refusal('ERR_010')]) {
    const {client, clock, sent} = await seasoned((_sent, count) => (count < 3 ? broken : success({order: '8'})));
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

test('a read is tried three times and no more', async () => {
  const {client, sent} = await seasoned(() => '');
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(sent()).toHaveLength(3);
});

test.for<[name: OperationName, input: OperationInput<OperationName>]>([
  ['orderCodeCreate', {...ORDER, amount: '1.00'}],
  ['orderComplete', ORDER],
])('%s is never sent twice', async ([name, input]) => {
  for (const broken of ['', '<h1>502</h1>', refusal('500'), refusal('ERR_010')]) {
    const {client, sent} = await seasoned(() => broken);
    await failureOf(client.call(name, input));
    expect(sent()).toHaveLength(1);
  }
});

test('a read that is refused is not tried again', async () => {
  for (const status of ['ERR_014', 'ERR_005', 'ERR_777', '400', '404']) {
    const {client, sent} = await seasoned(() => refusal(status));
    await failureOf(client.call('orderCodeCheck', ORDER));
    expect(sent(), status).toHaveLength(1);
  }
});

test('tries again with a tenth of what is asked, so that an outage is not made worse', async () => {
  const budget = new RetryBudget();
  let spent = 0;
  for (let call = 0; call < 1000; call += 1) {
    budget.earn();
    while (budget.spend()) spent += 1;
  }
  expect(spent).toBe(102);
});

test('a quiet shop’s first read is tried again too', async () => {
  const {client, sent} = clientWithTransport((_sent, count) => (count < 3 ? '' : success({order: '8'})));
  expect(await client.call('orderCodeCheck', ORDER)).toEqual({
    order: '8',
    payout: null,
    sub_merchant_id: null,
    fee: null,
  });
  expect(sent).toHaveLength(3);
});

test('keeps ten retries for a quiet time and no more', () => {
  const budget = new RetryBudget();
  for (let call = 0; call < 1000; call += 1) budget.earn();
  let spent = 0;
  while (budget.spend()) spent += 1;
  expect(spent).toBe(10);
});

test('the deadline bounds all attempts together', async () => {
  const clock = new FakeClock();
  const {client, sent} = await seasoned(() => {
    clock.advance(7_600);
    return '';
  }, clock);
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(sent()).toHaveLength(1);
});

/** A client over the real line, whose deadline is `restMs` away when it sends: the wait is the network's own. */
function overTheLine(restMs: number): PlatformClient {
  const beganAt = performance.now();
  let begun = false;
  const clock = {
    now: () => {
      if (begun) return 8_000 - restMs + performance.now() - beganAt;
      begun = true;
      return 0;
    },
    wait: () => Promise.resolve(),
    random: () => 0,
  };
  return new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${inject('platformUrl')}/phs`, merchantId: '123'})},
    tokens: renewing(),
    quotas: unlimited,
    clock,
    fetch: (input, init) => fetch(input, init),
  });
}

test('a platform that takes the call and says nothing is given up on at the deadline', async () => {
  await setLine('silent');
  expect(await failureOf(overTheLine(40).call('orderCodeCheck', ORDER))).toEqual({
    outcome: 'unknown',
    fault: 'timeout',
  });
});

test('a platform that answers too late is given up on at the deadline', async () => {
  await setFault({operation: '/bank/getAll', kind: 'delay', delay_ms: 60_000, times: 1});
  expect(await failureOf(overTheLine(40).call('bankGetAll', {}))).toEqual({outcome: 'unknown', fault: 'timeout'});
});

test.for(['refused', 'reset', 'truncated'] as const)('a line that is %s leaves the outcome unknown', async (state) => {
  await setLine(state);
  expect(await failureOf(overTheLine(5_000).call('bankGetAll', {}))).toEqual({outcome: 'unknown', fault: 'connection'});
});

test('a redirect is not followed: nobody else learns merchant and token', async () => {
  await setFault({operation: '/orderToReference/check', kind: 'redirect'});
  expect(await failureOf(overTheLine(5_000).call('orderCodeCheck', ORDER))).toEqual({
    outcome: 'unknown',
    fault: 'redirect',
  });
  expect(new Set((await calls()).map(({path}) => path))).toEqual(new Set(['/phs/orderToReference/check']));
});

test.for(['500-html', 'malformed', 'empty', 'huge'] as const)(
  'an answer that is %s leaves the outcome unknown',
  async (kind) => {
    await setFault({operation: '/orderToReference/check', kind});
    expect(await failureOf(overTheLine(5_000).call('orderCodeCheck', ORDER))).toEqual({
      outcome: 'unknown',
      fault: 'unreadable',
      ...(kind === '500-html' && {httpStatus: 500}),
    });
  },
);

test('a call whose answer was lost may have been carried out', async () => {
  const order = {code: 'DEMO', order: 'S-LOST', amount: '1.00'};
  await setFault({operation: '/orderToReference/create', kind: 'empty', after: true, times: 1});
  const token = String(
    (await callPlatform('/getToken', {merchant: '123', key: '935b88250b3c795b0b17e63c665ff9bf'}))['token'],
  );
  const clock = {now: () => 0, wait: () => Promise.resolve(), random: () => 0};
  const client = new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${inject('platformUrl')}/phs`, merchantId: '123'})},
    clock,
    fetch: (input, init) => fetch(input, init),
    tokens: {current: () => Promise.resolve(token), renew: () => Promise.resolve(token)},
    quotas: unlimited,
  });
  expect(await failureOf(client.call('orderCodeCreate', order))).toEqual({outcome: 'unknown', fault: 'unreadable'});
  expect(await callPlatform('/orderToReference/check', {code: 'DEMO', order: 'S-LOST'})).toMatchObject({status: '000'});
});

test('leaves a platform alone when half of ten calls failed, and asks one at a time until it works', async () => {
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
    // How the other call ends will be known soon.
    {outcome: 'unsent', retryAfterMs: 2_000},
  ]);
  expect(sent).toHaveLength(11);
  broken = false;
  clock.advance(15_000);
  await client.call('orderComplete', ORDER);
  await client.call('orderComplete', ORDER);
  expect(client.hasOpenCircuit).toBe(false);
  expect(logLines().filter(({event}) => event !== 'platform_call')).toEqual([
    {level: 'error', event: 'circuit_opened', names: ['phs']},
    {level: 'info', event: 'circuit_closed', names: ['phs']},
  ]);
});

/** A call that gets leave at once and ends at once. */
function end(breaker: CircuitBreaker, failed: boolean): void {
  const permit = breaker.tryAcquire();
  if ('generation' in permit) breaker.record(permit, failed);
}

test.for<[story: string, failures: string, open: boolean]>([
  ['nine failures are too few to judge by', 'xxxxxxxxx', false],
  ['ten failures are enough', 'xxxxxxxxxx', true],
  ['five of ten are enough', '.....xxxxx', true],
  ['four of ten are not', '......xxxx', false],
  ['success does not open it', '..........', false],
])('%s', ([, failures, open]) => {
  const breaker = new CircuitBreaker(() => 0);
  for (const outcome of failures) end(breaker, outcome === 'x');
  expect(breaker.open).toBe(open);
});

test('what failed half a minute ago says nothing about now', () => {
  let now = 0;
  const breaker = new CircuitBreaker(() => now);
  for (let call = 0; call < 9; call += 1) end(breaker, true);
  now = 30_000;
  for (let call = 0; call < 9; call += 1) end(breaker, true);
  expect(breaker.open).toBe(false);
  end(breaker, true);
  expect(breaker.open).toBe(true);
});

test('a refusal is an answer: it leaves nobody alone', async () => {
  const {client, sent} = clientWithTransport(() => refusal('ERR_005'));
  for (let call = 0; call < 30; call += 1) await failureOf(client.call('orderComplete', ORDER));
  expect([client.hasOpenCircuit, sent.length]).toEqual([false, 30]);
});

test('a call that began before the platform was left alone neither proves it well nor worse', () => {
  let now = 0;
  const breaker = new CircuitBreaker(() => now);
  const early = breaker.tryAcquire();
  for (let call = 0; call < 10; call += 1) end(breaker, true);
  if ('generation' in early) breaker.record(early, false);
  expect(breaker.open).toBe(true);
  now = 15_000;
  end(breaker, false);
  expect(breaker.open).toBe(false);
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

/** Limits that write down what they are asked. */
function counting(answers: readonly QuotaExhausted[] = []) {
  const recorded: string[] = [];
  const left = [...answers];
  const quotas: QuotaSource = {
    acquire(quota, queueId) {
      const refused = left.shift();
      recorded.push([refused ? 'refused' : 'acquired', quota, queueId].filter(Boolean).join(' '));
      return Promise.resolve(
        refused ?? {
          end: (word) => void recorded.push(`ended ${JSON.stringify(word ?? null)}`),
          release: () => void recorded.push('released'),
        },
      );
    },
  };
  return {recorded, quotas};
}
const CHARGE = {serviceId: '1', transactionId: '7'};
const charge = JSON.stringify({response: {result: 'SUCCESS', resultCode: '0000'}, transaction: {id: 7}});

test('each request of a limited operation is counted before it is sent, repetitions too', async () => {
  const {recorded, quotas} = counting();
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
  const {recorded, quotas} = counting();
  await clientWithTransport(() => success(), {quotas}).client.call('orderComplete', ORDER);
  expect(recorded).toEqual([]);
});

test('what a limit has no more of is not sent', async () => {
  const {quotas} = counting([{limit: 'day', retryAfterMs: 60_000}]);
  const {client, sent} = clientWithTransport(() => charge, {quotas});
  expect(await failureOf(client.call('chargeRefund', CHARGE, {queueId: 'c-1'}))).toEqual({
    outcome: 'unsent',
    limit: 'day',
    retryAfterMs: 60_000,
  });
  expect(sent).toEqual([]);
});

test('leave that comes after the deadline is given back: nobody is left to use it', async () => {
  const clock = new FakeClock();
  const {recorded, quotas} = counting();
  const comes = Promise.withResolvers<void>();
  const late: QuotaSource = {
    async acquire(quota, queueId) {
      clock.advance(8_000);
      await comes.promise;
      return quotas.acquire(quota, queueId);
    },
  };
  const {client, sent} = clientWithTransport(() => charge, {clock, quotas: late});
  expect(await failureOf(client.call('chargeRefund', CHARGE))).toEqual({outcome: 'unsent', retryAfterMs: 1000});
  comes.resolve();
  await expect.poll(() => recorded).toEqual(['acquired refund_charge', 'released']);
  expect(sent).toEqual([]);
});

test('an outcome that is not known counts; what the platform is spared does not', async () => {
  const {recorded, quotas} = counting();
  const {client} = clientWithTransport(() => '', {quotas});
  for (let call = 0; call < 10; call += 1) await failureOf(client.call('chargeRefund', CHARGE));
  expect(await failureOf(client.call('chargeRefund', CHARGE))).toEqual({outcome: 'unsent', retryAfterMs: 15_000});
  expect(recorded.filter((one) => one === 'ended null')).toHaveLength(10);
  expect(recorded.at(-1)).toBe('released');
});

test.for<[headers: Record<string, string>, word: string]>([
  [{'retry-after': '30'}, '{"retryAfterMs":30000}'],
  [{}, '{"retryAfterMs":null}'],
  [{'retry-after': 'Sat, 21 Nov 2026 12:00:00 GMT'}, '{"retryAfterMs":null}'],
])('the platform’s own word that it was asked too often is passed on: %j', async ([headers, word]) => {
  const {recorded, quotas} = counting();
  const {client} = clientWithTransport(() => new Response('', {status: 429, headers}), {quotas});
  expect(await failureOf(client.call('chargeRefund', CHARGE))).toMatchObject({
    outcome: 'refused',
    status: 'HTTP_429',
    httpStatus: 429,
  });
  expect(recorded).toEqual(['acquired refund_charge', `ended ${word}`]);
});
