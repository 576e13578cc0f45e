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
  target = createServer(async (asked, answer) => {
    const body = Buffer.concat(await asked.toArray()).toString();
    delivered.push(`${asked.method} ${asked.url} ${body}`);
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

/** A bare connection; the proxy resets it when the test is over. */
function open(): Socket {
  return connect(proxy.port, '127.0.0.1').on('error', () => {});
}

interface Outcome {
  readonly body?: string;
  /** The system's code of what went wrong. */
  readonly error?: string;
  /** How much of the body had come by then. */
  readonly received?: number;
}

/** Asks through the proxy, on a connection that is kept alive; gives up after `patienceMs`. */
function ask(
  path = '/phs/bank/getAll',
  {body, patienceMs = 2000, headers = {}}: {body?: string; patienceMs?: number; headers?: Record<string, string>} = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = 0;
    const asked = request(
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
    asked.on('error', (error: NodeJS.ErrnoException) => resolve({error: error.code ?? error.name}));
    const patience = setTimeout(() => {
      resolve({error: 'no answer', received});
      asked.destroy();
    }, patienceMs);
    asked.on('close', () => clearTimeout(patience));
    asked.end(body);
  });
}

test('passes requests and answers on, several on one connection, and counts them by path', async () => {
  expect(await ask('/phs/getToken', {body: 'merchant=123'})).toEqual({body: ANSWER});
  expect(await ask('/phs/getToken', {body: 'merchant=123', headers: {'transfer-encoding': 'chunked'}})).toEqual({
    body: ANSWER,
  });
  expect(await ask()).toEqual({body: ANSWER});
  expect(delivered).toEqual([
    'POST /phs/getToken merchant=123',
    'POST /phs/getToken merchant=123',
    'GET /phs/bank/getAll ',
  ]);
  expect([proxy.attempts(), proxy.attempts('/getToken'), proxy.attempts('/bank/getAll')]).toEqual([3, 2, 1]);
});

test('reads requests that come in pieces, and two that come at once', async () => {
  const socket = open();
  const heard = new Promise<string>((resolve) => {
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
  await heard;
  expect(delivered.sort()).toEqual(['GET /phs/b ', 'POST /phs/a hello']);
});

test.each([
  {fault: 'refused', met: {error: 'ECONNREFUSED'}, arrived: 0},
  {fault: 'silent', met: {error: 'no answer', received: 0}, arrived: 0},
  {fault: 'silent-after', met: {error: 'no answer', received: 0}, arrived: 1},
  {fault: 'slow', met: {error: 'no answer', received: 0}, arrived: 1},
  {fault: 'reset-before', met: {error: 'ECONNRESET'}, arrived: 0},
  {fault: 'reset-after', met: {error: 'ECONNRESET'}, arrived: 1},
  {fault: 'truncated', met: {error: 'ECONNRESET', received: Math.floor(ANSWER.length / 2)}, arrived: 1},
] as const)('$fault: the request meets $met, and $arrived of it arrives', async ({fault, met, arrived}) => {
  await proxy.set(fault);
  expect(await ask('/phs/bank/getAll', {patienceMs: 400})).toEqual(met);
  expect(delivered).toHaveLength(arrived);
  expect(proxy.attempts()).toBe(fault === 'refused' ? 0 : 1);

  await proxy.set(null);
  expect(await ask()).toEqual({body: ANSWER});
});

test('a slow answer comes all the same, byte by byte', async () => {
  await proxy.set('slow');
  const socket = open();
  const pieces = new Promise<number[]>((resolve) => {
    const sizes: number[] = [];
    socket.on('data', (bytes: Buffer) => sizes.push(bytes.length) === 3 && resolve(sizes));
  });
  socket.write('GET /phs/bank/getAll HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await pieces).toEqual([1, 1, 1]);
});

test('a fault strikes the paths it is for, as often as it is told', async () => {
  await proxy.set('reset-before', {match: '/getToken', times: 2});
  await proxy.set('truncated', {match: '/transaction/search'});
  expect(await ask('/phs/bank/getAll')).toEqual({body: ANSWER});
  expect(await ask('/phs/getToken')).toEqual({error: 'ECONNRESET'});
  expect(await ask('/phs/transaction/search')).toMatchObject({error: 'ECONNRESET'});
  expect(await ask('/phs/getToken')).toEqual({error: 'ECONNRESET'});
  expect(await ask('/phs/getToken')).toEqual({body: ANSWER});

  await proxy.set(null, {match: '/transaction/search'});
  expect(await ask('/phs/transaction/search')).toEqual({body: ANSWER});
});

test('a fault for connections that were used leaves new ones alone', async () => {
  await proxy.set('reset-before', {reused: true});
  expect(await ask()).toEqual({body: ANSWER});
  expect(await ask()).toEqual({error: 'ECONNRESET'});
  expect(await ask()).toEqual({body: ANSWER});
  expect(delivered).toHaveLength(2);
});

test('of several faults each strikes now and then', async () => {
  await proxy.set(['reset-before', 'reset-after']);
  for (let index = 0; index < 40; index += 1) await ask();
  // Once in 10^11 runs all are alike.
  expect(delivered.length).toBeGreaterThan(0);
  expect(delivered.length).toBeLessThan(40);
});

test('a fault with a rate strikes that share of requests', async () => {
  await proxy.set('reset-before', {rate: 0.3});
  const outcomes: Outcome[] = [];
  for (let index = 0; index < 200; index += 1) outcomes.push(await ask());
  const struck = outcomes.filter(({error}) => error === 'ECONNRESET').length;
  // Four standard deviations either side: once in 16,000 runs this is bad luck.
  expect(struck).toBeGreaterThan(60 - 26);
  expect(struck).toBeLessThan(60 + 26);
});

test('a closed port cannot be closed for some paths only', async () => {
  await expect(proxy.set('refused', {match: '/getToken'})).rejects.toThrow('`refused` takes no scope');
});

test('whoever waits for a silent platform is freed when the connections are cut', async () => {
  await proxy.set('silent');
  const waiting = ask('/phs/bank/getAll', {patienceMs: 5000});
  await expect.poll(() => proxy.attempts()).toBe(1);
  proxy.cut();
  expect(await waiting).toEqual({error: 'ECONNRESET'});
});

test('a silent connection outlives the target it was joined to', async () => {
  expect(await ask()).toEqual({body: ANSWER});
  await proxy.set('silent');
  const waiting = ask('/phs/bank/getAll', {patienceMs: 400});
  await expect.poll(() => proxy.attempts()).toBe(2);
  target.closeAllConnections();
  expect(await waiting).toEqual({error: 'no answer', received: 0});
});
