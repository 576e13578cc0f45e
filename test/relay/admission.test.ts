/** Tests that the relay does not send forged, repeated, old or malformed requests. */

import * as fc from 'fast-check';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test, vi} from 'vitest';
import {Admission} from '../../relay/admission.ts';
import {resolvePath} from '../../relay/forward.ts';
import {httpResponse, RawPlatform} from './support/raw-platform.ts';
import {clientOf, environmentFor, type RelayServer, SECRET, startRelay} from './support/relay-server.ts';
import {post, signBytes, signedRequest} from './support/signed-request.ts';

let platform: RawPlatform;
let relay: RelayServer;
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  platform = await RawPlatform.start();
});
beforeEach(async () => {
  // Time stands still, so that a slow machine cannot make a request too old.
  vi.useFakeTimers({toFake: ['Date']});
  relay = await startRelay(platform.url);
  platform.requests.length = 0;
  platform.connections = 0;
  platform.answer = () => httpResponse('{"status":"000"}');
});
afterEach(async () => {
  await relay.stop();
  vi.useRealTimers();
});
afterAll(async () => {
  await platform.stop();
  vi.restoreAllMocks();
});

const paths = fc.oneof(
  fc.webPath(),
  fc.string().map((text) => `/${text}`),
  fc.string(),
);
const unknown = (reason: string) => ({status: 200, head: {v: 1, outcome: 'unknown', reason}});
const unsent = (reason: string, retryAfterMs: number) => ({
  status: 200,
  head: {v: 1, outcome: 'unsent', reason, retry_after_ms: retryAfterMs},
});

test('the relay sends a request once, however often the request arrives', async () => {
  const request = signedRequest();
  expect(await post(relay.url, request)).toMatchObject({status: 200, head: {outcome: 'answered', status: 200}});
  for (let repeat = 0; repeat < 3; repeat += 1)
    expect(await post(relay.url, request)).toMatchObject(unknown('repeated'));
  relay.shift(29_000);
  expect(await post(relay.url, request)).toMatchObject(unknown('repeated'));
  expect(platform.requests.length).toBe(1);
});

test('the relay sends a request once if the request arrives a hundred times at the same time', async () => {
  const request = signedRequest();
  const replies = await Promise.all(Array.from({length: 100}, () => post(relay.url, request)));
  expect(replies.filter(({head}) => head?.['outcome'] === 'answered').length).toBe(1);
  expect(replies.filter(({head}) => head?.['reason'] === 'repeated').length).toBe(99);
  expect(platform.requests.length).toBe(1);
});

test('the relay does not send a request that is too old or from the future', async () => {
  expect(await post(relay.url, signedRequest({at: Date.now() - 31_000}))).toMatchObject(unknown('old'));
  expect(await post(relay.url, signedRequest({at: Date.now() + 60_000}))).toMatchObject(unknown('ahead'));
  expect(await post(relay.url, signedRequest({at: Date.now() - 25_000}))).toMatchObject({head: {outcome: 'answered'}});
  const request = signedRequest();
  await post(relay.url, request);
  relay.shift(31_000);
  expect(await post(relay.url, request)).toMatchObject(unknown('old'));
  expect(platform.requests.length).toBe(2);
});

test('a relay whose clock was set back does not send an old request a second time', async () => {
  const request = signedRequest();
  await post(relay.url, request);
  for (const ms of [40_000, 80_000, 120_000]) {
    relay.shift(ms);
    await post(relay.url, signedRequest({at: Date.now() + ms}));
  }
  relay.shift(0);
  expect(await post(relay.url, request)).toMatchObject(unknown('old'));
});

test('however the clock changes, the relay does not admit a request twice', () => {
  const step = fc.record({
    nonce: fc.nat(9),
    aheadMs: fc.integer({min: -35_000, max: 5_000}),
    clockMs: fc.oneof(fc.nat(3_000), fc.nat(70_000), fc.integer({min: -200_000, max: 0})),
  });
  fc.assert(
    fc.property(fc.array(step, {maxLength: 60}), (steps) => {
      let now = 1_000_000;
      const admission = new Admission(() => now);
      const createdAt = new Map<number, number>();
      const admitted = new Set<number>();
      for (const {nonce, aheadMs, clockMs} of steps) {
        now += clockMs;
        // A repeated request keeps the time at which it was created.
        const at = createdAt.get(nonce) ?? now + aheadMs;
        createdAt.set(nonce, at);
        if (admission.admit({nonce: String(nonce), at}) !== null) continue;
        expect(admitted).not.toContain(nonce);
        admitted.add(nonce);
      }
    }),
    {numRuns: 2_000},
  );
});

test('a relay that just started sends no request that an earlier relay may have sent', async () => {
  const restarted = await startRelay(platform.url);
  // `startRelay` dates the start of the relay one minute back. This sets the clock to one second after that start.
  restarted.shift(-59_000);
  for (const ms of [-1_000, 0, 2_000])
    expect(await post(restarted.url, signedRequest({at: restarted.startedAt + ms}))).toEqual(
      expect.objectContaining({head: {...unknown('started_since').head, retry_after_ms: 2_001 - ms}}),
    );
  const bounds = {method: 'POST', timeoutMs: 20_000, maxReplyBytes: 1_000};
  await expect(
    clientOf(restarted.url, platform.url, {now: () => restarted.startedAt}).fetch(`${platform.url}/phs/a`, bounds),
  ).rejects.toMatchObject({failure: {outcome: 'unknown', fault: 'connection'}, relayDelayMs: 2_001});
  expect(await post(restarted.url, signedRequest({at: restarted.startedAt + 2_001}))).toMatchObject({
    head: {outcome: 'answered'},
  });
  expect(platform.requests.length).toBe(1);
  await restarted.stop();
});

test('a request with no signature, a wrong secret or a signature for other bytes gets only a 401', async () => {
  const request = signedRequest();
  const other = signedRequest({}, 'another-secret-that-is-long-enough-00');
  const forged = [
    {...request, signature: ''},
    {...request, signature: 'x'},
    {...request, signature: `${request.signature.slice(0, 13)}${'0'.repeat(64)}`},
    {...request, signature: `${other.signature.slice(0, 12)}${request.signature.slice(12)}`},
    {...request, signature: request.signature.toUpperCase()},
    {...request, signature: Array.from({length: 5}, () => request.signature).join(' ')},
    {...request, bytes: signedRequest().bytes},
    other,
    signBytes(request.bytes, SECRET, 'about'),
    signBytes(request.bytes, SECRET, `reply ${'0'.repeat(32)}`),
  ];
  for (const forgedRequest of forged)
    expect(await post(relay.url, forgedRequest)).toMatchObject({
      status: 401,
      signature: undefined,
      text: '{"error":"signature"}',
    });
  expect(await post(relay.url, signBytes(request.bytes), '/v1/about')).toMatchObject({status: 401});
  expect(platform.connections).toBe(0);
  // The forged requests did not use up the nonce of the valid request.
  expect(await post(relay.url, request)).toMatchObject({head: {outcome: 'answered'}});
});

test('Worker and relay can get a new secret in either order; after the rotation the old secret is invalid', async () => {
  const next = 'the-next-secret-which-is-long-enough-01';
  const both = await startRelay(platform.url, {RELAY_SECRET: next, RELAY_SECRET_PREVIOUS: SECRET});
  const url = `${platform.url}/phs/bank/getAll`;
  const bounds = {timeoutMs: 20_000, maxReplyBytes: 1_000, method: 'POST'};
  for (const [server, secrets] of [
    [both, [SECRET]],
    [both, [next]],
    [both, [next, SECRET]],
    [relay, [next, SECRET]],
  ] as const) {
    expect((await clientOf(server.url, platform.url, {secrets: [...secrets]}).fetch(url, bounds)).status).toBe(200);
  }
  expect(platform.requests.length).toBe(4);
  await both.stop();
  const after = await startRelay(platform.url, {RELAY_SECRET: next});
  await expect(clientOf(after.url, platform.url, {secrets: [SECRET]}).fetch(url, bounds)).rejects.toThrow(
    'relay: not signed',
  );
  expect((await clientOf(after.url, platform.url, {secrets: [next]}).fetch(url, bounds)).status).toBe(200);
  expect(platform.requests.length).toBe(5);
  await after.stop();
});

test('the relay refuses a signed envelope that is malformed', async () => {
  const head = {
    v: 1,
    nonce: '0'.repeat(32),
    at: Date.now(),
    deadline_ms: 5_000,
    max_reply_bytes: 1_000,
    base: 'phs',
    method: 'POST',
    path: '/a',
    headers: {},
  };
  const invalidFields: object[] = [
    {v: 2},
    {nonce: 'x'},
    {nonce: '0'.repeat(31)},
    {nonce: 7},
    {at: '1'},
    {at: -1},
    {at: 1.5},
    {deadline_ms: 0},
    {deadline_ms: 60_001},
    {max_reply_bytes: 0},
    {max_reply_bytes: 16_000_001},
    {base: 'other'},
    {base: 'constructor'},
    {method: 'PUT'},
    {method: 'GET'},
    {method: 'get'},
    {path: 7},
    {headers: []},
    {headers: null},
    {headers: {Merchant: '1'}},
    {headers: {merchant: 1}},
    {headers: {merchant: 'a\r\nhost: b'}},
    {headers: {'a b': '1'}},
    {headers: {token: 'ş'}},
    {headers: {token: 'x'.repeat(4097)}},
  ];
  for (const fields of invalidFields) {
    const bytes = Buffer.from(`${JSON.stringify({...head, ...fields})}\nbody`);
    expect(await post(relay.url, signBytes(bytes)), JSON.stringify(fields)).toMatchObject({
      status: 400,
      text: '{"error":"malformed"}',
    });
  }
  for (const text of ['', '\n', 'null\n', '[]\n', '{"v":1}\n', JSON.stringify(head), '\ufeff{}\n']) {
    expect(await post(relay.url, signBytes(Buffer.from(text))), text).toMatchObject({status: 400});
  }
  expect(platform.connections).toBe(0);
});

test('the relay refuses a request of more than 131,072 bytes, and sends one that is a little shorter', async () => {
  const result = await post(relay.url, signBytes(Buffer.alloc(131_073, 'x'))).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect(result === 'ECONNRESET' || result === 'EPIPE' || (typeof result === 'object' && result.status === 413)).toBe(
    true,
  );
  expect(await post(relay.url, signedRequest({body: 'x'.repeat(130_000)}))).toMatchObject({
    head: {outcome: 'answered'},
  });
});

test('the relay answers GET and HEAD of /health, and answers 404 to an unknown path, method or query', async () => {
  for (const [method, path, status] of [
    ['GET', '/health', 200],
    ['HEAD', '/health', 200],
    ['POST', '/health', 404],
    ['GET', '/v1/forward', 404],
    ['PUT', '/v1/forward', 404],
    ['POST', '/v1/forward?x=1', 404],
    ['GET', '/', 404],
  ] as const) {
    expect((await fetch(`${relay.url}${path}`, {method})).status, `${method} ${path}`).toBe(status);
  }
  expect(await (await fetch(`${relay.url}/health`)).json()).toEqual({status: 'ok'});
});

test('a path cannot lead out of the base URL of its interface', async () => {
  const base = environmentFor(platform.url)['PHS_URL'] ?? '';
  for (const path of [
    '',
    '/../micropayment/a',
    '/%2e%2e/micropayment',
    '/a/../../x',
    '/..%2fx',
    '/a%5c..%5cx',
    '//evil.example/',
    '/a//b',
    '@evil.example/',
    ':80/',
    'x',
    '.evil.example',
    '/a#b',
    '/a?',
    '?',
    '/a\\b',
    '/a b',
    '/\t',
    '/a\0',
    '/ş',
    '/%00',
    'http://evil.example/',
  ]) {
    expect(await post(relay.url, signedRequest({path})), path).toMatchObject(unsent('address', 60_000));
  }
  expect(platform.connections).toBe(0);
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      platform.requests.length = 0;
      const {head} = await post(relay.url, signedRequest({path}));
      if (head?.['outcome'] === 'unsent') expect(head['reason']).toBe('address');
      else expect(platform.requests.map((received) => received.path)).toEqual([`${new URL(base).pathname}${path}`]);
    }),
    {numRuns: 30},
  );
  fc.assert(
    fc.property(
      fc.constantFrom(
        'https://p.example/phs',
        'https://p.example',
        'http://127.0.0.1:8790/a/b/',
        'https://p.example:8443/',
      ),
      paths,
      (address, path) => {
        const url = resolvePath(new URL(address), path);
        if (url) expect(url.href).toBe(address.replace(/\/$/, '') + path);
      },
    ),
    {numRuns: 5_000},
  );
});

test('the relay does not send a request with a changed, missing or added byte or a changed signature', async () => {
  const request = signedRequest({headers: {merchant: '123', token: '{T-1}'}});
  await fc.assert(
    fc.asyncProperty(
      fc.nat(request.bytes.length - 1),
      fc.integer({min: 1, max: 255}),
      fc.constantFrom('change', 'drop', 'add'),
      async (at, value, change) => {
        const bytes = Buffer.from(request.bytes);
        bytes[at] = (bytes[at] ?? 0) ^ value;
        const changed =
          change === 'change'
            ? bytes
            : change === 'drop'
              ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
              : Buffer.concat([request.bytes.subarray(0, at), Buffer.from([value]), request.bytes.subarray(at)]);
        if (changed.equals(request.bytes)) return;
        expect((await post(relay.url, {...request, bytes: changed})).status).toBe(401);
      },
    ),
    {numRuns: 300},
  );
  for (let at = 0; at < request.signature.length; at += 1) {
    const digit = request.signature[at] === '0' ? '1' : '0';
    expect(
      (
        await post(relay.url, {
          ...request,
          signature: request.signature.slice(0, at) + digit + request.signature.slice(at + 1),
        })
      ).status,
      String(at),
    ).toBe(401);
  }
  expect(platform.connections).toBe(0);
});
