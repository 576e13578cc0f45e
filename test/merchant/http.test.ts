/** What is asked again, how often and when; and what is not. */

import {afterAll, beforeAll, beforeEach, describe, expect, inject, test} from 'vitest';
import {VezneConnectionError, type VezneError} from '../../merchant/index.ts';
import {ERROR_KINDS} from '../../worker/contract/codes.ts';
import {type FaultProxy, startFaultProxy} from '../support/fault-proxy.ts';
import {connect, failure, newOrder, service} from './support/live-worker.ts';
import {problem, startStub} from './support/stub-server.ts';

const lamp = () => ({service, order: newOrder(), amount: '149.90'});
const running = problem('in_progress', 409, {retryable: true, headers: {'retry-after': '0'}});
const fine = {status: 200, body: {banks: [], stale: false, arrival: {same_bank: null, other_bank: null}}};
const code = {order_code: '881200450017', service, order: 'S-1', amount: '149.90', currency: 'TRY'};

describe('On a line that breaks', () => {
  let line: FaultProxy;
  beforeAll(async () => {
    line = await startFaultProxy({target: inject('workerUrl')});
  });
  beforeEach(() => line.set(null));
  afterAll(() => line.stop());

  test.each(['reset-before', 'reset-after', 'truncated'] as const)('a read is asked again: %s', async (fault) => {
    const before = line.attempts('/banks');
    await line.set(fault, {match: '/banks', times: 2});
    expect((await connect({url: line.url}).banks.list()).banks.length).toBeGreaterThan(0);
    expect(line.attempts('/banks') - before).toBe(3);
  });

  test.each(['reset-before', 'reset-after', 'truncated'] as const)(
    'a write is asked again under its key, and done once: %s',
    async (fault) => {
      const order = lamp();
      const before = line.attempts('/order-codes');
      await line.set(fault, {match: '/order-codes', times: 2});
      const made = await connect({url: line.url}).orderCodes.create(order);
      expect(line.attempts('/order-codes') - before).toBe(3);
      // Under another key it would be `order_exists`.
      expect(await connect().orderCodes.find({service, order: order.order})).toMatchObject({
        order_code: made.order_code,
      });
    },
  );

  test('where nobody listens a call ends with what to ask again under', async () => {
    await line.set('refused');
    const error = await failure<VezneError>(
      connect({url: line.url}).orderCodes.create(lamp(), {idempotencyKey: 'S-1'}),
    );
    expect(error).toBeInstanceOf(VezneConnectionError);
    expect({...error}).toEqual({
      name: 'VezneConnectionError',
      code: 'connection_failed',
      retryable: true,
      idempotencyKey: 'S-1',
      fields: [],
      status: undefined,
      requestId: undefined,
      platform: undefined,
      retryAfterMs: undefined,
    });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('a connection that went dead costs half of the time, and no more', async () => {
    await line.set('silent', {match: '/banks', times: 1});
    const before = line.attempts('/banks');
    await connect({url: line.url, timeoutMs: 10_000}).banks.list();
    expect(line.attempts('/banks') - before).toBeGreaterThan(1);
  });

  test.each(['silent', 'slow'] as const)('an answer that does not come in time ends the call: %s', async (fault) => {
    await line.set(fault, {match: '/banks'});
    const error = await failure<VezneError>(connect({url: line.url}).banks.list({timeoutMs: 400}));
    expect([error.name, error.code, error.retryable]).toEqual(['VezneConnectionError', 'timed_out', true]);
  });
});

test('a fetch that does not listen to its signal is left alone when the time is over', async () => {
  const error = await failure<VezneError>(connect({fetch: () => new Promise(() => {}), timeoutMs: 200}).banks.list());
  expect(error.code).toBe('timed_out');
});

test('every attempt of a write has the same key, and every write another one', async () => {
  const stub = await startStub(
    {status: 503, body: '<html>'},
    {status: 502, body: '<html>'},
    {status: 201, body: code},
    {status: 201, body: code},
  );
  const vezne = stub.connect();
  await vezne.orderCodes.create(lamp());
  await vezne.orderCodes.create(lamp());
  const keys = stub.asked.map(({headers}) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
});

test('a write that still runs is waited for, however often that needs asking', async () => {
  const stub = await startStub(running, running, running, running, running, {status: 201, body: code});
  expect(await stub.connect().orderCodes.create(lamp())).toEqual(code);
  expect(stub.asked).toHaveLength(6);
});

test('a write that runs on and on ends with the time of the call', async () => {
  const stub = await startStub(running);
  const error = await failure<VezneError>(
    stub.connect({timeoutMs: 2000}).orderCodes.create(lamp(), {idempotencyKey: 'S-1'}),
  );
  // Whichever it was when the time was over: said once more, or not said any more.
  expect(['in_progress', 'timed_out']).toContain(error.code);
  expect([error.retryable, error.idempotencyKey]).toEqual([true, 'S-1']);
});

test('what to wait for is waited for', async () => {
  const stub = await startStub(problem('rate_limited', 429, {retryable: true, headers: {'retry-after': '1'}}), fine);
  const began = performance.now();
  await stub.connect().banks.list();
  expect(performance.now() - began).toBeGreaterThan(990);
  expect(stub.asked).toHaveLength(2);
});

test('a date to wait for is understood, and one that has passed', async () => {
  const stub = await startStub(
    problem('rate_limited', 429, {retryable: true, headers: {'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT'}}),
    fine,
  );
  await stub.connect().banks.list();
  expect(stub.asked).toHaveLength(2);
});

test('what takes longer than the call is told at once, with how long it takes', async () => {
  const stub = await startStub(problem('quota_exhausted', 429, {retryable: true, headers: {'retry-after': '3600'}}));
  const error = await failure<VezneError>(stub.connect().charges.search({service}));
  expect([error.code, error.retryAfterMs, stub.asked.length]).toEqual(['quota_exhausted', 3_600_000, 1]);
});

test.for<[string, Parameters<typeof problem>, number]>([
  ['a limit that does not say when it is over', ['billing_cap_reached', 429, {retryable: true}], 1],
  ['a refusal', ['order_exists', 409], 1],
  ['what may be different another time, and not in a moment', ['not_thought_of', 409, {retryable: true}], 1],
  ['an outcome that is not known', ['outcome_unknown', 504], 1],
  [
    'what left no trace at the platform',
    ['not_done', ERROR_KINDS.not_done.status, {retryable: ERROR_KINDS.not_done.retryable}],
    1,
  ],
  ['credentials the platform refuses', ['platform_unauthorized', 502], 1],
  ['a write that broke inside the Worker', ['internal', 500, {retryable: true}], 1],
  ['a platform that is away', ['temporarily_unavailable', 503, {retryable: true}], 3],
  ['a code of a newer Worker', ['not_thought_of', 418], 1],
])('%s is asked %o', async ([, [name, status, more], times]) => {
  const stub = await startStub(problem(name, status, more));
  const error = await failure<VezneError>(stub.connect().orderCodes.create(lamp()));
  expect([error.name, error.code, error.status, error.requestId, stub.asked.length]).toEqual([
    'VezneError',
    name,
    status,
    'request-1',
    times,
  ]);
});

test('a read that broke inside the Worker is asked again', async () => {
  const stub = await startStub(problem('internal', 500, {retryable: true}), fine);
  expect(await stub.connect().banks.list()).toEqual(fine.body);
});

test('what stands between here and the Worker is not taken for it', async () => {
  const stub = await startStub({status: 520, body: '<html>'});
  const error = await failure<VezneError>(stub.connect().banks.list());
  expect([error.message, error.code, error.status, error.retryable, stub.asked.length]).toEqual([
    'unexpected_answer: HTTP 520, and not from the Worker.',
    'unexpected_answer',
    520,
    true,
    3,
  ]);
});

test('a page in place of an answer is none', async () => {
  const stub = await startStub({status: 200, body: '<html>'});
  const error = await failure<VezneError>(stub.connect().banks.list());
  expect([error.name, error.code, error.status]).toEqual(['VezneConnectionError', 'unreadable_answer', 200]);
});

test('nothing is asked again by who wants none of it', async () => {
  const stub = await startStub({status: 503, body: '<html>'});
  await failure(stub.connect({retries: 0}).banks.list());
  expect(stub.asked).toHaveLength(1);
});

test.each([301, 302, 307, 308])('a redirect (%i) is not followed, and the key stays here', async (status) => {
  const elsewhere = await startStub(fine);
  const stub = await startStub({status, headers: {location: `${elsewhere.url}/merchant/v1/banks`}, body: ''});
  const error = await failure<VezneError>(stub.connect().banks.list());
  expect([error.code, error.status, error.retryable]).toEqual(['unexpected_answer', status, false]);
  expect([stub.asked.length, elsewhere.asked.length]).toEqual([1, 0]);
});

describe('A call that its caller ends', () => {
  const reason = new Error('The shopper left.');

  test('before it began is never sent', async () => {
    const stub = await startStub(fine);
    expect(await failure(stub.connect().banks.list({signal: AbortSignal.abort(reason)}))).toBe(reason);
    expect(stub.asked).toHaveLength(0);
  });

  test('while it waits for an answer is rejected with the reason', async () => {
    const stub = await startStub('silent');
    const caller = new AbortController();
    const call = failure(stub.connect().banks.list({signal: caller.signal}));
    await expect.poll(() => stub.asked.length).toBe(1);
    caller.abort(reason);
    expect(await call).toBe(reason);
  });

  test('while it waits for another try is not tried', async () => {
    const stub = await startStub(problem('rate_limited', 429, {retryable: true, headers: {'retry-after': '20'}}));
    const caller = new AbortController();
    const call = failure(stub.connect().banks.list({signal: caller.signal}));
    await expect.poll(() => stub.asked.length).toBe(1);
    caller.abort(reason);
    expect(await call).toBe(reason);
    expect(stub.asked).toHaveLength(1);
  });

  test('leaves nothing on its signal', async () => {
    const stub = await startStub({status: 503, body: '<html>'}, fine);
    const {signal} = new AbortController();
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => (listeners.add(given[1]), add(...given));
    signal.removeEventListener = (...given: Parameters<typeof remove>) => (
      listeners.delete(given[1]),
      remove(...given)
    );
    await stub.connect().banks.list({signal});
    expect(listeners.size).toBe(0);
  });
});
