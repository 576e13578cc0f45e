/** Tests calls of the Worker through the relay, and what the platform receives. */

import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {EgressError} from '../../worker/platform/transport.ts';
import {httpResponse, RawPlatform} from './support/raw-platform.ts';
import {clientOf, type RelayServer, SECRET, startRelay} from './support/relay-server.ts';

let platform: RawPlatform;
let relay: RelayServer;
let printed: string;

beforeEach(async () => {
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  platform = await RawPlatform.start();
  relay = await startRelay(platform.url);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all([relay.stop(), platform.stop()]);
});

const bounds = {timeoutMs: 20_000, maxReplyBytes: 1_000_000, redirect: 'manual' as const};
const worker = (options?: Parameters<typeof clientOf>[2]) => clientOf(relay.url, platform.url, options);

/** Returns the failure of a call through the relay. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EgressError) return {...error.failure, reason: error.reason};
    throw error;
  }
}

test('the platform receives the Worker’s method, path, headers and body, and no trace of the relay', async () => {
  const headers = {merchant: '123', token: '{T-1}'};
  const answer = await worker().fetch(`${platform.url}/phs/bank/getAll`, {
    ...bounds,
    method: 'POST',
    headers,
    body: new URLSearchParams({'Transaction[startDate]': 'ğ 1'}),
  });
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'application/json',
    '{"status":"000"}',
  ]);
  expect(platform.requests.map(({bytes}) => bytes.toString())).toEqual([
    [
      'POST /phs/bank/getAll HTTP/1.1',
      'content-type: application/x-www-form-urlencoded;charset=UTF-8',
      'merchant: 123',
      'token: {T-1}',
      `host: ${new URL(platform.url).host}`,
      'accept-encoding: identity',
      'content-length: 35',
      'Connection: close',
      '',
      'Transaction%5BstartDate%5D=%C4%9F+1',
    ].join('\r\n'),
  ]);
});

test('a GET has no body and keeps its query', async () => {
  const answer = await worker().fetch(`${platform.url}/micropayment/transaction/refund/123/1/7?a=%5B1%5D`, {
    ...bounds,
    method: 'GET',
    headers: {},
  });
  expect(answer.status).toBe(200);
  expect(platform.requests.map(({bytes}) => bytes.toString())).toEqual([
    `GET /micropayment/transaction/refund/123/1/7?a=%5B1%5D HTTP/1.1\r\nhost: ${new URL(platform.url).host}\r\naccept-encoding: identity\r\nConnection: close\r\n\r\n`,
  ]);
});

test('every call uses a new connection to the platform', async () => {
  const client = worker();
  for (let call = 0; call < 3; call += 1)
    await client.fetch(`${platform.url}/phs/bank/getAll`, {...bounds, method: 'POST'});
  expect(platform.requests.map(({connection}) => connection)).toEqual([1, 2, 3]);
});

test('the relay returns status, date and text, removes `location` and cookies, and follows no redirect', async () => {
  const otherPlatform = await RawPlatform.start();
  platform.answer = () =>
    httpResponse('{"a":"ş"}', 'HTTP/1.1 302 Found', {
      location: `${otherPlatform.url}/phs/x`,
      date: 'Sat, 21 Nov 2026 12:00:00 GMT',
      'retry-after': '7',
      'set-cookie': 'a=1',
      server: 'x',
    });
  const answer = await worker().fetch(`${platform.url}/phs/bank/getAll`, {...bounds, method: 'POST'});
  expect([answer.status, Object.fromEntries(answer.headers), await answer.text()]).toEqual([
    302,
    {'content-type': 'application/json', date: 'Sat, 21 Nov 2026 12:00:00 GMT', 'retry-after': '7'},
    '{"a":"ş"}',
  ]);
  expect(otherPlatform.connections).toBe(0);
  await otherPlatform.stop();
});

test('the relay returns an answer without a body', async () => {
  platform.answer = () => 'HTTP/1.1 204 No Content\r\n\r\n';
  const answer = await worker().fetch(`${platform.url}/phs/bank/getAll`, {...bounds, method: 'POST'});
  expect([answer.status, await answer.text()]).toEqual([204, '']);
});

test('a relay with RELAY_SOURCE sends calls from that IP address, and reports the address to the Worker', async () => {
  const source = await startRelay(platform.url, {RELAY_SOURCE: '127.0.0.5'});
  await clientOf(source.url, platform.url).fetch(`${platform.url}/phs/bank/getAll`, {...bounds, method: 'POST'});
  expect(platform.requests.map(({from}) => from)).toEqual(['127.0.0.5']);
  expect(await clientOf(source.url, platform.url).about(AbortSignal.timeout(20_000))).toMatchObject({
    sources: ['127.0.0.5'],
    address: null,
  });
  expect(await worker().about(AbortSignal.timeout(20_000))).toMatchObject({outcome: 'about', sources: ['127.0.0.1']});
  await source.stop();
});

test('the relay reports that a call was not sent if the platform refuses the connection', async () => {
  const [client, url] = [worker(), `${platform.url}/phs/bank/getAll`];
  await platform.stop();
  expect(await failureOf(client.fetch(url, {...bounds, method: 'POST'}))).toEqual({
    outcome: 'unsent',
    retryAfterMs: 2_000,
    tried: true,
    reason: 'relay: unreachable',
  });
  platform = await RawPlatform.start();
});

test('the relay does not send a call with an unknown header, unless RELAY_HEADERS names the header', async () => {
  const call = worker().fetch(`${platform.url}/phs/bank/getAll`, {
    ...bounds,
    method: 'POST',
    headers: {'x-forwarded-for': '192.0.2.1'},
  });
  expect(await failureOf(call)).toEqual({
    outcome: 'unsent',
    retryAfterMs: 60_000,
    tried: true,
    reason: 'relay: header',
  });
  expect(platform.connections).toBe(0);
  const configured = await startRelay(platform.url, {RELAY_HEADERS: 'X-Credential'});
  await clientOf(configured.url, platform.url).fetch(`${platform.url}/micropayment/a`, {
    ...bounds,
    headers: {'X-Credential': 'c-1'},
  });
  expect(platform.requests.map(({headers}) => headers['x-credential'])).toEqual(['c-1']);
  await configured.stop();
});

test('the relay does not call an interface without a configured URL', async () => {
  const partial = await startRelay(platform.url, {MICROPAYMENT_URL: ''});
  const call = clientOf(partial.url, platform.url).fetch(`${platform.url}/micropayment/a`, bounds);
  expect(await failureOf(call)).toEqual({outcome: 'unsent', retryAfterMs: 60_000, tried: true, reason: 'relay: base'});
  await partial.stop();
});

test('the relay accepts an answer up to the length that the call allows, and refuses a longer answer', async () => {
  platform.answer = () => httpResponse('x'.repeat(100_000));
  const url = `${platform.url}/phs/transaction/search`;
  expect((await (await worker().fetch(url, {...bounds, maxReplyBytes: 100_000, method: 'POST'})).text()).length).toBe(
    100_000,
  );
  expect(await failureOf(worker().fetch(url, {...bounds, maxReplyBytes: 99_999, method: 'POST'}))).toEqual({
    outcome: 'unknown',
    fault: 'unreadable',
    reason: 'relay: too_large',
  });
});

test('the log contains the outcome of a call, but nothing of its content', async () => {
  await worker().fetch(`${platform.url}/phs/refund/create?iban=TR330006100519786457841326`, {
    ...bounds,
    method: 'POST',
    headers: {token: '{hush-token}'},
    body: 'name=hush',
  });
  expect(JSON.parse(printed)).toEqual({
    at: expect.any(String) as string,
    event: 'forwarded',
    base: 'phs',
    method: 'POST',
    outcome: 'answered',
    status: 200,
    duration_ms: expect.any(Number) as number,
  });
  expect(printed).not.toMatch(/hush|TR33|refund/);
  expect(printed).not.toContain(SECRET);
});
