/** Counts how often the platform client sends a request over a real connection that fails. */

import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {type Clock, PlatformClient} from '../../worker/platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../worker/platform/failure.ts';
import {phsInterface} from '../../worker/platform/interfaces.ts';
import {operations} from '../../worker/platform/operations/index.ts';
import {type FaultProxy, startFaultProxy} from '../support/fault-proxy.ts';
import {unlimited} from '../support/unlimited-quotas.ts';

const ORDER = {code: 'DEMO', order: 'S-1'};

let platform: Server;
let line: FaultProxy;
/** The backoff delays that the client asked for, in ms. */
let delays: number[];

beforeEach(async () => {
  delays = [];
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  platform = createServer((_request, response) =>
    response.end('{"status":"000","message":"Success","banks":[],"order":"881200450017"}'),
  );
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  line = await startFaultProxy({target: (platform.address() as AddressInfo).port});
});

afterEach(async () => {
  await line.stop();
  platform.closeAllConnections();
  platform.close();
});

/** Opens a client on the real clock. It records its delays in `delays` instead of waiting. */
function openClient(clock: Partial<Clock> = {}): PlatformClient {
  return new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${line.url}/phs`, merchantId: '123'})},
    quotas: unlimited,
    tokens: {current: () => Promise.resolve('t'), renew: () => Promise.resolve('t')},
    fetch: (input, init) => fetch(input, init),
    clock: {now: Date.now, wait: (ms) => Promise.resolve(delays.push(ms)), random: Math.random, ...clock},
  });
}

async function failureOf(call: Promise<unknown>): Promise<PlatformFailure | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof PlatformError) return error.failure;
    throw error;
  }
}

async function repeat(times: number, call: () => Promise<unknown>): Promise<(PlatformFailure | null)[]> {
  const failures = [];
  for (let index = 0; index < times; index += 1) failures.push(await failureOf(call()));
  return failures;
}

test('a read that fails twice succeeds at the third attempt, after delays of up to 200 and 400 ms', async () => {
  for (const random of [0, 0.5, 0.999]) {
    const client = openClient({random: () => random});
    await repeat(10, () => client.call('bankGetAll', {}));
    const before = line.attempts();
    delays = [];
    await line.set('reset-before', {times: 2});
    expect(await failureOf(client.call('orderCodeCheck', ORDER))).toBe(null);
    expect(line.attempts() - before).toBe(3);
    expect(delays).toEqual([200 * random, 400 * random]);
  }
});

test('a read is not retried after the third failure', async () => {
  const client = openClient();
  await repeat(10, () => client.call('bankGetAll', {}));
  const before = line.attempts();
  await line.set('reset-after');
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unknown', fault: 'connection'});
  expect(line.attempts() - before).toBe(3);
});

test('a write is sent once, however it fails', async () => {
  const client = openClient();
  await repeat(20, () => client.call('bankGetAll', {}));
  for (const fault of ['reset-before', 'reset-after', 'truncated'] as const) {
    const before = line.attempts();
    await line.set(fault);
    expect(await failureOf(client.call('orderCodeCreate', {...ORDER, amount: '1.00'}))).toEqual({
      outcome: 'unknown',
      fault: 'connection',
    });
    expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({outcome: 'unknown', fault: 'connection'});
    expect(line.attempts() - before).toBe(2);
  }
});

test('when 30 % of all reads fail, retries add at most a tenth to the requests', async () => {
  const client = openClient();
  // These successful calls come first, so that less than half of all calls fail. Otherwise the circuit would open.
  await repeat(100, () => client.call('bankGetAll', {}));
  await line.set('reset-before', {rate: 0.3});
  const failures = await repeat(300, () => client.call('bankGetAll', {}));
  expect(line.attempts()).toBeGreaterThan(430);
  expect(line.attempts()).toBeLessThanOrEqual(440);
  expect(failures).not.toContainEqual(expect.objectContaining({outcome: 'unsent'}));
});

test('the client calls a failing platform ten times, then once every fifteen seconds until it recovers', async () => {
  let now = 0;
  const client = openClient({now: () => now});
  await line.set('truncated');
  await repeat(100, () => client.call('orderCodeCheck', ORDER));
  expect(line.attempts()).toBe(10);
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unsent', retryAfterMs: 15_000});

  now = 15_000;
  await Promise.all(Array.from({length: 100}, () => failureOf(client.call('orderCodeCheck', ORDER))));
  expect(line.attempts()).toBe(11);

  await line.set(null);
  now = 30_000;
  await Promise.all(Array.from({length: 100}, () => failureOf(client.call('orderCodeCheck', ORDER))));
  expect(line.attempts()).toBe(12);
  await Promise.all(Array.from({length: 100}, () => client.call('orderCodeCheck', ORDER)));
  expect([client.hasOpenCircuit, line.attempts()]).toEqual([false, 112]);
});

test('the deadline covers all attempts of a call together', async () => {
  const {deadlineMs} = operations.orderCodeCheck;
  const leftMs = 1_500;
  let skippedMs = 0;
  const client = openClient({now: () => Date.now() + skippedMs});
  // The first attempt fails when only `leftMs` of the deadline are left. The platform does not answer the second
  // attempt.
  platform.removeAllListeners('request').on('request', async (_request, response) => {
    skippedMs = deadlineMs - leftMs;
    await line.set('silent');
    response.destroy();
  });
  const startedAt = performance.now();
  expect(await failureOf(client.call('orderCodeCheck', ORDER))).toEqual({outcome: 'unknown', fault: 'timeout'});
  const tookMs = performance.now() - startedAt;
  expect(line.attempts()).toBe(2);
  expect(tookMs).toBeGreaterThan(leftMs * 0.9);
  // If the second attempt had its own deadline, the call would last at least this long.
  expect(tookMs).toBeLessThan(deadlineMs);
});

test('the deadline of a call includes the time for which the call waits for a token', async () => {
  const times = [0];
  const client = new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${line.url}/phs`, merchantId: '123'})},
    quotas: unlimited,
    tokens: {current: () => new Promise(() => {}), renew: () => new Promise(() => {})},
    fetch: (input, init) => fetch(input, init),
    // When the client asks for a token, only the last 300 ms of the deadline are left.
    clock: {
      now: () => times.shift() ?? operations.orderComplete.deadlineMs - 300,
      wait: () => Promise.resolve(),
      random: Math.random,
    },
  });
  const startedAt = performance.now();
  expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({outcome: 'unsent', retryAfterMs: 1000});
  expect(performance.now() - startedAt).toBeGreaterThan(290);
  expect(line.attempts()).toBe(0);
});
