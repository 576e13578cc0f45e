/** Tests the fault proxy itself: what a client sees of each fault, and what reaches the server behind the proxy. */

import {Agent, createServer, request, type Server} from 'node:http';
import {type AddressInfo, connect, type Socket} from 'node:net';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type FaultProxy, startFaultProxy} from './fault-proxy.ts';

const ANSWER = JSON.stringify({status: '000', message: 'Success', padding: 'x'.repeat(200)});

let target: Server;
let delivered: string[];
let proxy: FaultProxy;
let agent: Agent;

beforeEach(async () => {
  delivered = [];
  agent = new Agent({keepAlive: true, maxSockets: 1});
  target = createServer(async (incoming, answer) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    delivered.push(`${incoming.method} ${incoming.url} ${body}`);
    answer.end(ANSWER);
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  proxy = await startFaultProxy({target: (target.address() as AddressInfo).port});
});

afterEach(async () => {
  agent.destroy();
  await proxy.stop();
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
});

/** Opens a plain TCP connection to the proxy, which resets it after the test. */
function open(): Socket {
  return connect(proxy.port, '127.0.0.1').on('error', () => {});
}

interface Outcome {
  readonly body?: string;
  /** The system's error code. */
  readonly error?: string;
  /** How many bytes of the body had arrived before the error. */
  readonly received?: number;
}

/** Sends a request through the proxy, on a kept-alive connection. Gives up after `timeoutMs`. */
function send(
  path = '/phs/bank/getAll',
  {body, timeoutMs = 20_000, headers = {}}: {body?: string; timeoutMs?: number; headers?: Record<string, string>} = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = 0;
    const outgoing = request(
      `${proxy.url}${path}`,
      {method: body === undefined ? 'GET' : 'POST', agent, headers},
      (answer) => {
        let text = '';
        answer.on('data', (bytes: Buffer) => {
          received += bytes.length;
          text += bytes.toString();
        });
        answer.on('end', () => resolve({body: text}));
        answer.on('error', (error: NodeJS.ErrnoException) => resolve({error: error.code ?? error.name, received}));
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve({error: error.code ?? error.name}));
    const timeout = setTimeout(() => {
      resolve({error: 'no answer', received});
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('close', () => clearTimeout(timeout));
    outgoing.end(body);
  });
}

test('without a fault the proxy forwards several requests on one connection and counts them by path', async () => {
  expect(await send('/phs/getToken', {body: 'merchant=123'})).toEqual({body: ANSWER});
  expect(await send('/phs/getToken', {body: 'merchant=123', headers: {'transfer-encoding': 'chunked'}})).toEqual({
    body: ANSWER,
  });
  expect(await send()).toEqual({body: ANSWER});
  expect(delivered).toEqual([
    'POST /phs/getToken merchant=123',
    'POST /phs/getToken merchant=123',
    'GET /phs/bank/getAll ',
  ]);
  expect([proxy.attempts(), proxy.attempts('/getToken'), proxy.attempts('/bank/getAll')]).toEqual([3, 2, 1]);
});

test('the proxy reads a request that arrives in pieces and two requests that arrive together', async () => {
  const socket = open();
  const bothAnswers = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.split(ANSWER).length === 3) resolve(text);
    });
  });
  const bytes =
    'POST /phs/a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /phs/b HTTP/1.1\r\nHost: x\r\n\r\n';
  for (const piece of [bytes.slice(0, 20), bytes.slice(20, 55), bytes.slice(55)]) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise(setImmediate);
  }
  await bothAnswers;
  expect(delivered.sort()).toEqual(['GET /phs/b ', 'POST /phs/a hello']);
});

test.each([
  {fault: 'refused', outcome: {error: 'ECONNREFUSED'}, arrived: 0},
  {fault: 'silent', outcome: {error: 'no answer', received: 0}, arrived: 0},
  {fault: 'silent-after', outcome: {error: 'no answer', received: 0}, arrived: 1},
  {fault: 'slow', outcome: {error: 'no answer', received: 0}, arrived: 1},
  {fault: 'reset-before', outcome: {error: 'ECONNRESET'}, arrived: 0},
  {fault: 'reset-after', outcome: {error: 'ECONNRESET'}, arrived: 1},
  {fault: 'truncated', outcome: {error: 'ECONNRESET', received: Math.floor(ANSWER.length / 2)}, arrived: 1},
] as const)(
  'under a fault of kind $fault, a request ends with $outcome and the server receives $arrived requests',
  async ({fault, outcome, arrived}) => {
    await proxy.set(fault);
    expect(await send('/phs/bank/getAll', outcome.error === 'no answer' ? {timeoutMs: 400} : {})).toEqual(outcome);
    await expect.poll(() => delivered).toHaveLength(arrived);
    expect(proxy.attempts()).toBe(fault === 'refused' ? 0 : 1);

    await proxy.set(null);
    expect(await send()).toEqual({body: ANSWER});
  },
);

test('under a fault of kind slow, the answer arrives byte by byte', async () => {
  await proxy.set('slow');
  const socket = open();
  const pieces = new Promise<number[]>((resolve) => {
    const sizes: number[] = [];
    socket.on('data', (bytes: Buffer) => sizes.push(bytes.length) === 3 && resolve(sizes));
  });
  socket.write('GET /phs/bank/getAll HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await pieces).toEqual([1, 1, 1]);
});

test('a fault applies only to its paths and only as often as `times` says', async () => {
  await proxy.set('reset-before', {match: '/getToken', times: 2});
  await proxy.set('truncated', {match: '/transaction/search'});
  expect(await send('/phs/bank/getAll')).toEqual({body: ANSWER});
  expect(await send('/phs/getToken')).toEqual({error: 'ECONNRESET'});
  expect(await send('/phs/transaction/search')).toMatchObject({error: 'ECONNRESET'});
  expect(await send('/phs/getToken')).toEqual({error: 'ECONNRESET'});
  expect(await send('/phs/getToken')).toEqual({body: ANSWER});

  await proxy.set(null, {match: '/transaction/search'});
  expect(await send('/phs/transaction/search')).toEqual({body: ANSWER});
});

test('if several faults are set, the proxy picks one at random for each request', async () => {
  await proxy.set(['reset-before', 'reset-after']);
  for (let index = 0; index < 40; index += 1) await send();
  // All requests get the same fault by chance only once in 10^11 runs.
  expect(delivered.length).toBeGreaterThan(0);
  expect(delivered.length).toBeLessThan(40);
});

test('a fault with `rate` affects that fraction of the requests', async () => {
  await proxy.set('reset-before', {rate: 0.3});
  const outcomes: Outcome[] = [];
  for (let index = 0; index < 200; index += 1) outcomes.push(await send());
  const failed = outcomes.filter(({error}) => error === 'ECONNRESET').length;
  // The bounds are four standard deviations away, so chance breaks them once in 16,000 runs.
  expect(failed).toBeGreaterThan(60 - 26);
  expect(failed).toBeLessThan(60 + 26);
});

test('a fault of kind refused cannot be limited to some paths', async () => {
  await expect(proxy.set('refused', {match: '/getToken'})).rejects.toThrow('`refused` takes no scope');
});

test('`cut` resets the connection of a request that has no answer because of the fault silent', async () => {
  await proxy.set('silent');
  const waiting = send('/phs/bank/getAll');
  await expect.poll(() => proxy.attempts()).toBe(1);
  proxy.cut();
  expect(await waiting).toEqual({error: 'ECONNRESET'});
});

test('a silent connection stays open when the server behind the proxy closes its side', async () => {
  expect(await send()).toEqual({body: ANSWER});
  await proxy.set('silent');
  const waiting = send('/phs/bank/getAll', {timeoutMs: 400});
  await expect.poll(() => proxy.attempts()).toBe(2);
  target.closeAllConnections();
  expect(await waiting).toEqual({error: 'no answer', received: 0});
});
