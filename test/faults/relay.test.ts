/**
 * Calls through the relay to a platform that fails: each fault ends in the expected failure, and a call that moves
 * money is sent at most once.
 */

import {createServer, type RequestListener, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {PlatformClient} from '../../worker/platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../worker/platform/failure.ts';
import {micropaymentInterface, phsInterface} from '../../worker/platform/interfaces.ts';
import {type OperationName, operations} from '../../worker/platform/operations/index.ts';
import {clientOf, type RelayServer, startRelay} from '../relay/support/relay-server.ts';
import {type FaultProxy, startFaultProxy} from '../support/fault-proxy.ts';
import {unlimited} from '../support/unlimited-quotas.ts';

const OK =
  '{"status":"000","message":"Success","banks":[],"order":"881200450017","response":{"result":"SUCCESS","resultCode":"0000"},"transaction":{"id":7}}';
const connection: PlatformFailure = {outcome: 'unknown', fault: 'connection'};
const timeout: PlatformFailure = {outcome: 'unknown', fault: 'timeout'};
const unreadable: PlatformFailure = {outcome: 'unknown', fault: 'unreadable'};

interface Fault {
  readonly name: string;
  /** Sets the fault of the connection between the relay and the platform. */
  readonly apply: (line: FaultProxy) => Promise<void>;
  /** The platform's answer while the fault lasts. */
  readonly answer?: RequestListener;
  readonly failure: PlatformFailure;
  /** How often a read is sent; null if the proxy cannot count the attempts, because its port is closed. */
  readonly reads: number | null;
}

const noFault = () => Promise.resolve();
const respond =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);

const FAULTS: readonly Fault[] = [
  {
    name: 'refused',
    apply: (line) => line.set('refused'),
    failure: {outcome: 'unsent', retryAfterMs: 2_000, tried: true},
    reads: null,
  },
  {name: 'silent', apply: (line) => line.set('silent'), failure: timeout, reads: 1},
  {name: 'slow', apply: (line) => line.set('slow'), failure: timeout, reads: 1},
  {name: 'reset before delivery', apply: (line) => line.set('reset-before'), failure: connection, reads: 3},
  {name: 'executed, then reset', apply: (line) => line.set('reset-after'), failure: connection, reads: 3},
  {name: 'truncated', apply: (line) => line.set('truncated'), failure: connection, reads: 3},
  {
    name: '500 with a page',
    apply: noFault,
    answer: respond(500, '<html>no</html>'),
    failure: {...unreadable, httpStatus: 500},
    reads: 3,
  },
  {name: '200 with a page', apply: noFault, answer: respond(200, '<html>hello</html>'), failure: unreadable, reads: 3},
  {name: 'empty', apply: noFault, answer: respond(200, ''), failure: unreadable, reads: 3},
  {
    name: 'huge',
    apply: noFault,
    answer: respond(200, `{"x":"${'x'.repeat(2_000_000)}"}`),
    failure: unreadable,
    reads: 3,
  },
  {
    name: 'a redirect to another host',
    apply: noFault,
    answer: respond(307, '', {location: 'http://127.0.0.1:1/'}),
    failure: {outcome: 'unknown', fault: 'redirect'},
    reads: 3,
  },
];

const servers: Server[] = [];
const relays: RelayServer[] = [];
const lines: FaultProxy[] = [];
beforeAll(() => {
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterAll(async () => {
  await Promise.all([...relays.map((relay) => relay.stop()), ...lines.map((line) => line.stop())]);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  vi.restoreAllMocks();
});

/**
 * Starts a platform, a fault proxy in front of it, and a relay in front of the proxy. `openClient` opens a client that
 * uses the relay.
 */
async function open(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const line = await startFaultProxy({target: (server.address() as AddressInfo).port});
  const relay = await startRelay(line.url);
  servers.push(server);
  relays.push(relay);
  lines.push(line);
  const egress = clientOf(relay.url, line.url);
  const openClient = (now: () => number = Date.now) =>
    new PlatformClient({
      interfaces: {
        phs: phsInterface({baseUrl: `${line.url}/phs`, merchantId: '123', parameters: 'form'}),
        micropayment: micropaymentInterface({
          baseUrl: `${line.url}/micropayment`,
          merchantId: '123',
          credentials: {headers: {}, query: {}, body: {}},
        }),
      },
      tokens: {current: () => Promise.resolve('t'), renew: () => Promise.resolve('t')},
      quotas: unlimited,
      fetch: (url, init) => egress.fetch(url, init),
      clock: {now, wait: () => Promise.resolve(), random: Math.random},
    });
  return {line, openClient};
}

/** The part of the deadline that is left when a call that will time out starts. */
const LEFT_MS = 4_500;

/** A clock for one call: it jumps ahead after the client has read it to set the deadline. */
function lateClock(operation: OperationName): () => number {
  let skippedMs = 0;
  return () => {
    const time = Date.now() + skippedMs;
    skippedMs = operations[operation].deadlineMs - LEFT_MS;
    return time;
  };
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

const ORDER = {code: 'DEMO', order: 'S-1'};

const CALLS: readonly [OperationName, (client: PlatformClient) => Promise<unknown>][] = [
  ['bankGetAll', (client) => client.call('bankGetAll', {})],
  ['orderCodeCreate', (client) => client.call('orderCodeCreate', {...ORDER, amount: '1.00'})],
  ['orderComplete', (client) => client.call('orderComplete', ORDER)],
  ['chargeRefund', (client) => client.call('chargeRefund', {serviceId: '1', transactionId: '7'})],
];

test.concurrent.for(FAULTS)(
  'through the relay, the fault "$name" ends in the expected failure, and a write is sent at most once',
  async ({apply, answer, failure, reads}) => {
    let isFaulty = false;
    const {line, openClient} = await open((request, response) =>
      isFaulty && answer ? answer(request, response) : response.end(OK),
    );
    await openClient().call('bankGetAll', {});
    await apply(line);
    isFaulty = true;
    const before = line.attempts();
    // Each call has its own client, so that its failures do not open the circuit of the other calls.
    const failures = await Promise.all(
      CALLS.map(([name, call]) => failureOf(call(openClient(failure === timeout ? lateClock(name) : Date.now)))),
    );
    expect(failures).toEqual([failure, failure, failure, failure]);
    if (reads !== null) expect(line.attempts() - before).toBe(reads + 3);
    for (const path of ['/orderToReference/create', '/transaction/order-complete', '/transaction/refund/'])
      expect(line.attempts(path), path).toBe(reads === null ? 0 : 1);
  },
);

test('a refund that was not sent because the port was closed can be repeated, and is then sent once', async () => {
  const {line, openClient} = await open(respond(200, OK));
  const client = openClient();
  await line.set('refused');
  expect(await failureOf(client.call('chargeRefund', {serviceId: '1', transactionId: '7'}))).toEqual({
    outcome: 'unsent',
    retryAfterMs: 2_000,
    tried: true,
  });
  await line.set(null);
  expect(await failureOf(client.call('chargeRefund', {serviceId: '1', transactionId: '7'}))).toBe(null);
  expect(line.attempts('/transaction/refund/')).toBe(1);
});
