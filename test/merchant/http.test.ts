/** Tests how the client sends a call: when it retries, times out, and handles redirects and cancelled calls. */

import {afterAll, describe, expect, inject, test} from 'vitest';
import {VezneConnectionError, type VezneError} from '../../merchant/index.ts';
import {ERROR_KINDS} from '../../worker/contract/codes.ts';
import {type FaultProxy, startFaultProxy} from '../support/fault-proxy.ts';
import {connect, failureOf, newOrder, service} from './support/live-worker.ts';
import {problem, startStub} from './support/stub-server.ts';

const newLampOrder = () => ({service, order: newOrder(), amount: '149.90'});
const inProgress = problem('in_progress', 409, {retryable: true, headers: {'retry-after': '0'}});
const bankList = {status: 200, body: {items: [], stale: false, arrival: {same_bank: null, other_bank: null}}};
const orderCode = {order_code: '881200450017', service, order: 'S-1', amount: '149.90', currency: 'TRY'};

describe('With a faulty connection', () => {
  const proxies: FaultProxy[] = [];
  const openProxy = async () => {
    const proxy = await startFaultProxy({target: inject('workerUrl')});
    proxies.push(proxy);
    return proxy;
  };
  afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop())));

  test.concurrent.each(['reset-before', 'reset-after', 'truncated'] as const)(
    'the client retries a read after the fault %s',
    async (fault) => {
      const proxy = await openProxy();
      await proxy.set(fault, {match: '/banks', times: 2});
      expect((await connect({url: proxy.url}).banks.list()).items.length).toBeGreaterThan(0);
      expect(proxy.attempts('/banks')).toBe(3);
    },
  );

  test.concurrent.each(['reset-before', 'reset-after', 'truncated'] as const)(
    'the client retries a write with the same idempotency key after the fault %s, and the Worker does the write once',
    async (fault) => {
      const proxy = await openProxy();
      const order = newLampOrder();
      await proxy.set(fault, {match: '/order-codes', times: 2});
      const created = await connect({url: proxy.url}).orderCodes.create(order);
      expect(proxy.attempts('/order-codes')).toBe(3);
      // With a different key, the retry would have failed with `order_exists`.
      expect(await connect().orderCodes.find({service, order: order.order})).toMatchObject({
        order_code: created.order_code,
      });
    },
  );

  test.concurrent('a call to a closed port fails with an error that contains the idempotency key', async () => {
    const proxy = await openProxy();
    await proxy.set('refused');
    const error = await failureOf<VezneError>(
      connect({url: proxy.url}).orderCodes.create(newLampOrder(), {idempotencyKey: 'S-1'}),
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

  test.concurrent('if the first attempt gets no answer, the client retries within the time of the call', async () => {
    const proxy = await openProxy();
    await proxy.set('silent', {match: '/banks', times: 1});
    await connect({url: proxy.url, timeoutMs: 10_000}).banks.list();
    expect(proxy.attempts('/banks')).toBeGreaterThan(1);
  });

  test.concurrent.each(['silent', 'slow'] as const)(
    'a call times out if each attempt has the fault %s',
    async (fault) => {
      const proxy = await openProxy();
      await proxy.set(fault, {match: '/banks'});
      const error = await failureOf<VezneError>(connect({url: proxy.url}).banks.list({timeoutMs: 400}));
      expect([error.name, error.code, error.retryable]).toEqual(['VezneConnectionError', 'timed_out', true]);
    },
  );
});

test.concurrent('a call times out even if its fetch ignores the signal', async () => {
  const error = await failureOf<VezneError>(connect({fetch: () => new Promise(() => {}), timeoutMs: 200}).banks.list());
  expect(error.code).toBe('timed_out');
});

test.concurrent('all attempts of one write have the same idempotency key, and each write has its own', async () => {
  const stub = await startStub(
    {status: 503, body: '<html>'},
    {status: 502, body: '<html>'},
    {status: 201, body: orderCode},
    {status: 201, body: orderCode},
  );
  const vezne = stub.connect();
  await vezne.orderCodes.create(newLampOrder());
  await vezne.orderCodes.create(newLampOrder());
  const keys = stub.requests.map(({headers}) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
});

test.concurrent('the client retries a write in progress more often than its option `retries` says', async () => {
  const stub = await startStub(inProgress, inProgress, inProgress, inProgress, inProgress, {
    status: 201,
    body: orderCode,
  });
  expect(await stub.connect().orderCodes.create(newLampOrder())).toEqual(orderCode);
  expect(stub.requests).toHaveLength(6);
});

test.concurrent('a write that stays in progress fails when the time of the call is over', async () => {
  const stub = await startStub(inProgress);
  const error = await failureOf<VezneError>(
    stub.connect({timeoutMs: 1000}).orderCodes.create(newLampOrder(), {idempotencyKey: 'S-1'}),
  );
  // The time can end between two attempts (`in_progress`) or during an attempt (`timed_out`).
  expect(['in_progress', 'timed_out']).toContain(error.code);
  expect([error.retryable, error.idempotencyKey]).toEqual([true, 'S-1']);
});

test.concurrent('before a retry, the client waits as long as the Worker asks', async () => {
  const stub = await startStub(
    problem('rate_limited', 429, {retryable: true, headers: {'retry-after': '1'}}),
    bankList,
  );
  const startedAt = performance.now();
  await stub.connect().banks.list();
  expect(performance.now() - startedAt).toBeGreaterThan(990);
  expect(stub.requests).toHaveLength(2);
});

test.concurrent('if the header `retry-after` has a date that has passed, the client retries', async () => {
  const stub = await startStub(
    problem('rate_limited', 429, {retryable: true, headers: {'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT'}}),
    bankList,
  );
  await stub.connect().banks.list();
  expect(stub.requests).toHaveLength(2);
});

test.concurrent('if a limit lasts longer than the call may take, the call fails immediately, and the error says how long to wait', async () => {
  const stub = await startStub(problem('quota_exhausted', 429, {retryable: true, headers: {'retry-after': '3600'}}));
  const error = await failureOf<VezneError>(stub.connect().charges.search({service}));
  expect([error.code, error.retryAfterMs, stub.requests.length]).toEqual(['quota_exhausted', 3_600_000, 1]);
});

test.concurrent.for<[number, string, Parameters<typeof problem>]>([
  [1, 'a limit without the header `retry-after`', ['billing_cap_reached', 429, {retryable: true}]],
  [1, 'a refused order', ['order_exists', 409]],
  [1, 'a retryable conflict', ['unknown_code', 409, {retryable: true}]],
  [1, 'an unknown outcome', ['outcome_unknown', 504]],
  [
    1,
    'a command that the platform did not carry out',
    ['not_done', ERROR_KINDS.not_done.status, {retryable: ERROR_KINDS.not_done.retryable}],
  ],
  [1, 'a refusal of the Worker’s credentials by the platform', ['platform_unauthorized', 502]],
  [1, 'an error inside the Worker', ['internal', 500, {retryable: true}]],
  [3, 'an unavailable platform', ['temporarily_unavailable', 503, {retryable: true}]],
  [1, 'an error code of a newer Worker', ['unknown_code', 418]],
])('the client makes %i attempt(s) at a write whose answer reports %s', async ([attempts, , [code, status, more]]) => {
  const stub = await startStub(problem(code, status, more));
  const error = await failureOf<VezneError>(stub.connect().orderCodes.create(newLampOrder()));
  expect([error.name, error.code, error.status, error.requestId, stub.requests.length]).toEqual([
    'VezneError',
    code,
    status,
    'request-1',
    attempts,
  ]);
});

test.concurrent('the client retries a read that failed inside the Worker', async () => {
  const stub = await startStub(problem('internal', 500, {retryable: true}), bankList);
  expect(await stub.connect().banks.list()).toEqual(bankList.body);
});

test.concurrent('a read that a proxy answers with 520 is retried, and fails with `unexpected_answer`', async () => {
  const stub = await startStub({status: 520, body: '<html>'});
  const error = await failureOf<VezneError>(stub.connect().banks.list());
  expect([error.message, error.code, error.status, error.retryable, stub.requests.length]).toEqual([
    'unexpected_answer: HTTP 520, but the answer is not from the Worker.',
    'unexpected_answer',
    520,
    true,
    3,
  ]);
});

test.concurrent('a call that gets a web page with the status 200 fails with `unreadable_answer`', async () => {
  const stub = await startStub({status: 200, body: '<html>'});
  const error = await failureOf<VezneError>(stub.connect().banks.list());
  expect([error.name, error.code, error.status]).toEqual(['VezneConnectionError', 'unreadable_answer', 200]);
});

test.concurrent('a client with retries: 0 does not retry', async () => {
  const stub = await startStub({status: 503, body: '<html>'});
  await failureOf(stub.connect({retries: 0}).banks.list());
  expect(stub.requests).toHaveLength(1);
});

test.concurrent.each([301, 302, 307, 308])(
  'the client does not follow a redirect (%i), so the key is not sent to another host',
  async (status) => {
    const otherServer = await startStub(bankList);
    const stub = await startStub({status, headers: {location: `${otherServer.url}/merchant/v1/banks`}, body: ''});
    const error = await failureOf<VezneError>(stub.connect().banks.list());
    expect([error.code, error.status, error.retryable]).toEqual(['unexpected_answer', status, false]);
    expect([stub.requests.length, otherServer.requests.length]).toEqual([1, 0]);
  },
);

describe('A call that its caller cancels', () => {
  const reason = new Error('The shopper left.');

  test.concurrent('a call with an aborted signal is never sent', async () => {
    const stub = await startStub(bankList);
    expect(await failureOf(stub.connect().banks.list({signal: AbortSignal.abort(reason)}))).toBe(reason);
    expect(stub.requests).toHaveLength(0);
  });

  test.concurrent('a call cancelled while it waits for an answer rejects with the reason of its signal', async () => {
    const stub = await startStub('silent');
    const caller = new AbortController();
    const call = failureOf(stub.connect().banks.list({signal: caller.signal}));
    await expect.poll(() => stub.requests.length).toBe(1);
    caller.abort(reason);
    expect(await call).toBe(reason);
  });

  test.concurrent('a call cancelled while it waits for a retry is not retried', async () => {
    const stub = await startStub(problem('rate_limited', 429, {retryable: true, headers: {'retry-after': '20'}}));
    const caller = new AbortController();
    const call = failureOf(stub.connect().banks.list({signal: caller.signal}));
    await expect.poll(() => stub.requests.length).toBe(1);
    caller.abort(reason);
    expect(await call).toBe(reason);
    expect(stub.requests).toHaveLength(1);
  });

  test.concurrent('a finished call leaves no listener on its signal', async () => {
    const stub = await startStub({status: 503, body: '<html>'}, bankList);
    const {signal} = new AbortController();
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners.add(args[1]), add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners.delete(args[1]), remove(...args));
    await stub.connect().banks.list({signal});
    expect(listeners.size).toBe(0);
  });
});
