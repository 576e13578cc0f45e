/**
 * GETs that move money, under a workerd that sends a GET again when a connection it had used before dies under it. The platform
 * is a bare TCP server that answers the first request of every connection and ends the connection at the next one.
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

const KEY = 'sandbox-merchant-api-key';
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
  const byRelay = {EGRESS: 'relay', RELAY_SECRET: SECRET};
  const bound = {...plan('binding', {EGRESS: 'binding'}), services: {PLATFORM: 'internet'}};
  const plans = [
    plan('direct', {}),
    bound,
    plan('relay', {...byRelay, RELAY_URL: relay.url}),
    plan('worse', {...byRelay, RELAY_URL: line.url}),
  ];
  workers = await Workerd.start(plans, WORKERD_NEXT);
});
afterAll(async () => {
  await workers.stop();
  await line.stop();
  await Promise.all([relay.stop(), platform.stop()]);
  vi.restoreAllMocks();
});

let used: Set<number>;
beforeEach(() => {
  used = new Set();
  platform.requests.length = 0;
  platform.answer = ({connection}, socket) => {
    if (used.has(connection)) return (void socket.destroy(), null);
    used.add(connection);
    return httpResponse(CHARGE);
  };
});

const headers = () => ({
  authorization: `Bearer ${KEY}`,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
});

/** Reads a charge, which leaves a connection behind where connections are kept, and refunds it. */
async function refund(worker: string): Promise<number> {
  const url = `${workers.url(worker)}/merchant/v1/charges/DEMO/7`;
  expect((await sendRequest(url, {headers: headers()})).status).toBe(200);
  return (await sendRequest(`${url}/refund`, {headers: headers(), body: '{}'})).status;
}

const refunds = () =>
  platform.requests.filter(({path}) => path.startsWith('/micropayment/transaction/refund/')).map(({method}) => method);

test('a plain fetch sends a refund twice: the runtime repeats it behind our back', async () => {
  await refund('direct');
  expect(refunds()).toEqual(['GET', 'GET']);
});

test('so does what lies behind a binding', async () => {
  await refund('binding');
  expect(refunds()).toEqual(['GET', 'GET']);
});

test('by the relay it is sent once', async () => {
  expect(await refund('relay')).toBe(200);
  expect(refunds()).toEqual(['GET']);
  expect(new Set(platform.requests.map(({connection}) => connection)).size).toBe(platform.requests.length);
});

test('by the relay it is sent once though the platform ends the connection instead of answering', async () => {
  platform.answer = ({path}, socket) =>
    path.includes('/refund/') ? (socket.resetAndDestroy(), null) : httpResponse(CHARGE);
  expect(await refund('relay')).toBe(504);
  expect(refunds()).toEqual(['GET']);
});

test('by the relay it is sent once at most though the connection to the relay dies under every question', async () => {
  const url = `${workers.url('worse')}/merchant/v1/charges/DEMO/7`;
  await sendRequest(url, {headers: headers()});
  await line.set('reset-after');
  // The charge is read first: where that fails nothing is sent at all.
  expect((await sendRequest(`${url}/refund`, {headers: headers(), body: '{}'})).status).toBe(503);
  expect(refunds().length).toBeLessThanOrEqual(1);
});
