/** What the relay does not send: whatever the Worker did not ask, or asked already, or asked too long ago. */

import * as fc from 'fast-check';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test, vi} from 'vitest';
import {Admission} from '../../relay/admission.ts';
import {resolvePath} from '../../relay/forward.ts';
import {page, RawPlatform} from './support/raw-platform.ts';
import {clientOf, environmentFor, type RelayServer, SECRET, startRelay} from './support/relay-server.ts';
import {post, question, signed} from './support/signed-request.ts';

let platform: RawPlatform;
let relay: RelayServer;
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  platform = await RawPlatform.start();
});
beforeEach(async () => {
  relay = await startRelay(platform.url);
  platform.heard.length = 0;
  platform.connections = 0;
  platform.answer = () => page('{"status":"000"}');
});
afterEach(() => relay.stop());
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

test('a question is sent once, however often it comes', async () => {
  const asked = question();
  expect(await post(relay.url, asked)).toMatchObject({status: 200, head: {outcome: 'answered', status: 200}});
  for (let again = 0; again < 3; again += 1) expect(await post(relay.url, asked)).toMatchObject(unknown('repeated'));
  relay.shift(29_000);
  expect(await post(relay.url, asked)).toMatchObject(unknown('repeated'));
  expect(platform.heard.length).toBe(1);
});

test('a question that comes a hundred times at once is sent once', async () => {
  const asked = question();
  const told = await Promise.all(Array.from({length: 100}, () => post(relay.url, asked)));
  expect(told.filter(({head}) => head?.['outcome'] === 'answered').length).toBe(1);
  expect(told.filter(({head}) => head?.['reason'] === 'repeated').length).toBe(99);
  expect(platform.heard.length).toBe(1);
});

test('an old question is not sent, and neither is one from the future', async () => {
  expect(await post(relay.url, question({at: Date.now() - 31_000}))).toMatchObject(unknown('old'));
  expect(await post(relay.url, question({at: Date.now() + 3_000}))).toMatchObject(unknown('ahead'));
  expect(await post(relay.url, question({at: Date.now() - 25_000}))).toMatchObject({head: {outcome: 'answered'}});
  const asked = question();
  await post(relay.url, asked);
  relay.shift(31_000);
  expect(await post(relay.url, asked)).toMatchObject(unknown('old'));
  expect(platform.heard.length).toBe(2);
});

test('a clock that is set back does not let old questions in again', async () => {
  const asked = question();
  await post(relay.url, asked);
  for (const ms of [40_000, 80_000, 120_000]) {
    relay.shift(ms);
    await post(relay.url, question({at: Date.now() + ms}));
  }
  relay.shift(0);
  expect(await post(relay.url, asked)).toMatchObject(unknown('old'));
});

test('whatever the clock does, nothing is let in twice', () => {
  const step = fc.record({
    nonce: fc.nat(9),
    aheadMs: fc.integer({min: -35_000, max: 5_000}),
    clockMs: fc.oneof(fc.nat(3_000), fc.nat(70_000), fc.integer({min: -200_000, max: 0})),
  });
  fc.assert(
    fc.property(fc.array(step, {maxLength: 60}), (steps) => {
      let now = 1_000_000;
      const admission = new Admission(() => now);
      const made = new Map<number, number>();
      const admitted = new Set<number>();
      for (const {nonce, aheadMs, clockMs} of steps) {
        now += clockMs;
        // A question keeps the time it was made at, however often it comes.
        const at = made.get(nonce) ?? now + aheadMs;
        made.set(nonce, at);
        if (admission.admit({nonce: String(nonce), at}) !== null) continue;
        expect(admitted).not.toContain(nonce);
        admitted.add(nonce);
      }
    }),
    {numRuns: 2_000},
  );
});

test('a relay that just started sends nothing that an earlier one may have sent', async () => {
  const again = await startRelay(platform.url);
  // The clock goes on from where this one started.
  again.shift(-59_000);
  for (const ms of [-1_000, 0, 2_000])
    expect(await post(again.url, question({at: again.startedAt + ms}))).toMatchObject(unknown('started_since'));
  expect(await post(again.url, question({at: again.startedAt + 2_001}))).toMatchObject({head: {outcome: 'answered'}});
  expect(platform.heard.length).toBe(1);
  await again.stop();
});

test('who has no secret, another one, or signed something else is told nothing', async () => {
  const asked = question();
  const other = question({}, 'another-secret-that-is-long-enough-00');
  const forged = [
    {...asked, signature: ''},
    {...asked, signature: 'x'},
    {...asked, signature: `${asked.signature.slice(0, 13)}${'0'.repeat(64)}`},
    {...asked, signature: `${other.signature.slice(0, 12)}${asked.signature.slice(12)}`},
    {...asked, signature: asked.signature.toUpperCase()},
    {...asked, signature: Array.from({length: 5}, () => asked.signature).join(' ')},
    {...asked, bytes: question().bytes},
    other,
    signed(asked.bytes, SECRET, 'about'),
    signed(asked.bytes, SECRET, `reply ${'0'.repeat(32)}`),
  ];
  for (const posted of forged)
    expect(await post(relay.url, posted)).toMatchObject({
      status: 401,
      signature: undefined,
      text: '{"error":"signature"}',
    });
  expect(await post(relay.url, signed(asked.bytes), '/v1/about')).toMatchObject({status: 401});
  expect(platform.connections).toBe(0);
  // Nothing of it used the question up.
  expect(await post(relay.url, asked)).toMatchObject({head: {outcome: 'answered'}});
});

test('between two secrets either side may be the first to know the new one, and afterwards the old one lets nobody in', async () => {
  const next = 'the-next-secret-which-is-long-enough-01';
  const both = await startRelay(platform.url, {RELAY_SECRET: next, RELAY_SECRET_PREVIOUS: SECRET});
  const url = `${platform.url}/phs/bank/getAll`;
  const bounds = {timeoutMs: 20_000, maxReplyBytes: 1_000, method: 'POST'};
  for (const [at, secrets] of [
    [both, [SECRET]],
    [both, [next]],
    [both, [next, SECRET]],
    [relay, [next, SECRET]],
  ] as const) {
    expect((await clientOf(at.url, platform.url, {secrets: [...secrets]}).fetch(url, bounds)).status).toBe(200);
  }
  expect(platform.heard.length).toBe(4);
  await both.stop();
  const after = await startRelay(platform.url, {RELAY_SECRET: next});
  await expect(clientOf(after.url, platform.url, {secrets: [SECRET]}).fetch(url, bounds)).rejects.toThrow(
    'relay: not signed',
  );
  expect((await clientOf(after.url, platform.url, {secrets: [next]}).fetch(url, bounds)).status).toBe(200);
  expect(platform.heard.length).toBe(5);
  await after.stop();
});

test('an envelope of another form is not sent, whoever signed it', async () => {
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
  const wrong: object[] = [
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
  for (const one of wrong) {
    const bytes = Buffer.from(`${JSON.stringify({...head, ...one})}\nbody`);
    expect(await post(relay.url, signed(bytes)), JSON.stringify(one)).toMatchObject({
      status: 400,
      text: '{"error":"malformed"}',
    });
  }
  for (const text of ['', '\n', 'null\n', '[]\n', '{"v":1}\n', JSON.stringify(head), '\ufeff{}\n']) {
    expect(await post(relay.url, signed(Buffer.from(text))), text).toMatchObject({status: 400});
  }
  expect(platform.connections).toBe(0);
});

test('what is longer than any envelope is not read to its end', async () => {
  const told = await post(relay.url, signed(Buffer.alloc(131_073, 'x'))).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect(told === 'ECONNRESET' || told === 'EPIPE' || (typeof told === 'object' && told.status === 413)).toBe(true);
  expect(await post(relay.url, question({body: 'x'.repeat(130_000)}))).toMatchObject({head: {outcome: 'answered'}});
});

test('only the two questions and the state of health have an address', async () => {
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

test('a path leads nowhere but below its base', async () => {
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
    '/a\\b',
    '/a b',
    '/\t',
    '/a\0',
    '/ş',
    '/%00',
    'http://evil.example/',
  ]) {
    expect(await post(relay.url, question({path})), path).toMatchObject(unsent('address', 60_000));
  }
  expect(platform.connections).toBe(0);
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      platform.heard.length = 0;
      const {head} = await post(relay.url, question({path}));
      if (head?.['outcome'] === 'unsent') expect(head['reason']).toBe('address');
      else expect(platform.heard.map((heard) => heard.path)).toEqual([`${new URL(base).pathname}${path}`]);
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
        const at = resolvePath(new URL(address), path);
        if (at) expect(at.href).toBe(address.replace(/\/$/, '') + path);
      },
    ),
    {numRuns: 5_000},
  );
});

test('a question with any byte changed, taken away or added is not sent', async () => {
  const asked = question({headers: {merchant: '123', token: '{T-1}'}});
  await fc.assert(
    fc.asyncProperty(
      fc.nat(asked.bytes.length - 1),
      fc.integer({min: 1, max: 255}),
      fc.constantFrom('change', 'drop', 'add'),
      async (at, by, how) => {
        const bytes = Buffer.from(asked.bytes);
        bytes[at] = (bytes[at] ?? 0) ^ by;
        const changed =
          how === 'change'
            ? bytes
            : how === 'drop'
              ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
              : Buffer.concat([asked.bytes.subarray(0, at), Buffer.from([by]), asked.bytes.subarray(at)]);
        if (changed.equals(asked.bytes)) return;
        expect((await post(relay.url, {...asked, bytes: changed})).status).toBe(401);
      },
    ),
    {numRuns: 300},
  );
  for (let at = 0; at < asked.signature.length; at += 1) {
    const digit = asked.signature[at] === '0' ? '1' : '0';
    expect(
      (
        await post(relay.url, {
          ...asked,
          signature: asked.signature.slice(0, at) + digit + asked.signature.slice(at + 1),
        })
      ).status,
      String(at),
    ).toBe(401);
  }
  expect(platform.connections).toBe(0);
});
