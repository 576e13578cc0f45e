/**
 * Tests GET requests that move money, in a workerd that repeats a GET when a kept-alive connection breaks. The platform
 * is a plain TCP server: it answers the first request on a connection, and closes the connection when the second
 * request arrives.
 */

import {randomUUID} from 'node:crypto';
import {afterAll, beforeAll, beforeEach, expect, inject, test, vi} from 'vitest';
import {httpResponse, RawPlatform} from '../relay/support/raw-platform.ts';
import {type RelayServer, SECRET, startRelay} from '../relay/support/relay-server.ts';
import {type FaultProxy, startFaultProxy} from '../support/fault-proxy.ts';
import {sendRequest} from './support/http-request.ts';
import {planWorker} from './support/worker-plans.ts';
import {WORKERD_NEXT} from './support/workerd-next.ts';
import {Workerd} from './support/workerd.ts';

const KEY = 'merchant-api-key-of-this-test';
const CHARGE = '{"response":{"result":"SUCCESS","resultCode":"0000"},"transaction":{"id":7,"status":3}}';

let platform: RawPlatform;
let relay: RelayServer;
let line: FaultProxy;
let workers: Workerd;

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  platform = await RawPlatform.start();
  relay = await startRelay(platform.url);
  line = await startFaultProxy({target: relay.url});
  const vars = {
    MICROPAYMENT_URL: `${platform.url}/micropayment`,
    SERVICES: '{"DEMO":{"micropaymentId":1}}',
    MERCHANT_API_KEY: KEY,
  };
  const plan = (name: string, more: Record<string, string>) =>
    planWorker(name, inject('bundles'), platform.url, {...vars, ...more});
  const throughRelay = {EGRESS: 'relay', RELAY_SECRET: SECRET};
  // A Worker that calls the platform through a binding refuses the sandbox's secrets and localhost origins.
  const live = {
    MERCHANT_KEY: 'merchant-key-of-this-test',
    SESSION_SECRET: 'session-secret-of-this-test-with-32-characters',
    ALLOWED_ORIGINS: 'https://shop.example',
  };
  const throughBinding = {
    ...plan('binding', {...live, EGRESS: 'binding'}),
    services: {ASSETS: 'internet', PLATFORM: 'internet'},
  };
  const plans = [
    plan('direct', {}),
    throughBinding,
    plan('relay', {...throughRelay, RELAY_URL: relay.url}),
    plan('failing relay', {...throughRelay, RELAY_URL: line.url}),
  ];
  workers = await Workerd.start(plans, WORKERD_NEXT);
});
afterAll(async () => {
  await workers.stop();
  await line.stop();
  await Promise.all([relay.stop(), platform.stop()]);
  vi.restoreAllMocks();
});

let usedConnections: Set<number>;
beforeEach(() => {
  usedConnections = new Set();
  platform.requests.length = 0;
  platform.answer = ({connection}, socket) => {
    if (usedConnections.has(connection)) return (void socket.destroy(), null);
    usedConnections.add(connection);
    return httpResponse(CHARGE);
  };
});

const headers = () => ({
  authorization: `Bearer ${KEY}`,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
});

/**
 * Reads a charge and then refunds it. If the Worker keeps connections, the read leaves an open connection for the
 * refund.
 */
async function refund(worker: string): Promise<number> {
  const url = `${workers.url(worker)}/merchant/v1/charges/DEMO/7`;
  expect((await sendRequest(url, {headers: headers()})).status).toBe(200);
  return (await sendRequest(`${url}/refund`, {headers: headers(), body: '{}'})).status;
}

const refunds = () =>
  platform.requests.filter(({path}) => path.startsWith('/micropayment/transaction/refund/')).map(({method}) => method);

test('without a relay the runtime sends a refund twice if a kept-alive connection breaks', async () => {
  await refund('direct');
  expect(refunds()).toEqual(['GET', 'GET']);
});

test('through a service binding, which may repeat a call, the Worker refuses a refund', async () => {
  expect(await refund('binding')).toBe(503);
  expect(refunds()).toEqual([]);
});

test('through the relay a refund is sent once, on its own connection', async () => {
  expect(await refund('relay')).toBe(200);
  expect(refunds()).toEqual(['GET']);
  const sent = platform.requests.find(({path}) => path.includes('/refund/'));
  expect(platform.requests.filter(({connection}) => connection === sent?.connection)).toEqual([sent]);
});

test('through the relay a refund is sent once even if the platform resets the connection', async () => {
  platform.answer = ({path}, socket) =>
    path.includes('/refund/') ? (socket.resetAndDestroy(), null) : httpResponse(CHARGE);
  expect(await refund('relay')).toBe(504);
  expect(refunds()).toEqual(['GET']);
});

test('through the relay a refund is sent at most once even if every connection to the relay breaks', async () => {
  const url = `${workers.url('failing relay')}/merchant/v1/charges/DEMO/7`;
  await sendRequest(url, {headers: headers()});
  await line.set('reset-after');
  // The Worker reads the charge first. When that fails, it sends no refund.
  expect((await sendRequest(`${url}/refund`, {headers: headers(), body: '{}'})).status).toBe(503);
  expect(refunds().length).toBeLessThanOrEqual(1);
});
