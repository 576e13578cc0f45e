/** The relay as an operator runs it: as a separate process. */

import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer as createSecureServer, get as getSecurely} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {repoPath, tools} from '../../scripts/lib/repo.mjs';
import {httpResponse, RawPlatform} from './support/raw-platform.ts';
import {startFailure, type RelayProcess, runRelay} from './support/relay-process.ts';
import {clientOf, environmentFor, SECRET} from './support/relay-server.ts';
import {post, signedRequest} from './support/signed-request.ts';

const tls = {
  certificate: repoPath('test', 'relay', 'tls', 'certificate.pem'),
  key: repoPath('test', 'relay', 'tls', 'key.pem'),
};

/** The reply to a request that an earlier relay may have sent. */
const NOT_REPEATED = {outcome: 'unknown', reason: expect.stringMatching(/^(started_since|old)$/) as string};
const WAIT = {timeout: 20_000, interval: 100};

let platform: RawPlatform;
const running: RelayProcess[] = [];
beforeEach(async () => {
  platform = await RawPlatform.start();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((relay) => relay.end('SIGKILL')));
  await platform.stop();
});

async function run(environment: Record<string, string> = {}, script?: string): Promise<RelayProcess> {
  const relay = await runRelay({...environmentFor(platform.url), ...environment}, script);
  running.push(relay);
  return relay;
}

/** Waits until a relay that just started admits requests. */
async function waitUntilAdmitting(relay: RelayProcess): Promise<void> {
  await vi.waitFor(
    async () => expect(await post(relay.url, signedRequest())).toMatchObject({head: {outcome: 'answered'}}),
    WAIT,
  );
}

test.for<[description: string, environment: Record<string, string>, reason: string]>([
  [
    'no secret',
    {RELAY_SECRET: ''},
    'RELAY_SECRET must have at least 32 characters, for example from: openssl rand -base64 32.',
  ],
  [
    'a short secret',
    {RELAY_SECRET: 'hush'},
    'RELAY_SECRET must have at least 32 characters, for example from: openssl rand -base64 32.',
  ],
  [
    'a short previous secret',
    {RELAY_SECRET_PREVIOUS: 'hush'},
    'RELAY_SECRET_PREVIOUS must have at least 32 characters, for example from: openssl rand -base64 32.',
  ],
  [
    'the sandbox’s secret before a real platform',
    {RELAY_SECRET: 'sandbox-relay-secret-that-is-long-enough', PHS_URL: 'https://platform.example/phs'},
    "RELAY_SECRET is the sandbox's secret, which is public.",
  ],
  [
    'no platform',
    {PHS_URL: '', MICROPAYMENT_URL: ''},
    "None of PHS_URL, MICROPAYMENT_URL, PAYMENT_PAGE_URL, LANDING_URL is set. Set them to the platform's addresses, as in the Worker's configuration.",
  ],
  ['a platform without TLS', {PHS_URL: 'http://hush.example/phs'}, 'PHS_URL must be an https address without a query.'],
  [
    'an address with a password',
    {PHS_URL: 'https://a:hush@platform.example/phs'},
    'PHS_URL must be an https address without a query.',
  ],
  ['an invalid address', {LANDING_URL: 'hush'}, 'LANDING_URL must be an https address without a query.'],
  [
    'a port without an address',
    {RELAY_LISTEN: '8788'},
    'RELAY_LISTEN must be an address and a port, such as 127.0.0.1:8788.',
  ],
  [
    'an open port without TLS',
    {RELAY_LISTEN: '0.0.0.0:0'},
    'RELAY_LISTEN accepts connections from other hosts. Set RELAY_CERT and RELAY_KEY, or set RELAY_TLS=terminated if a terminator in front of the relay handles TLS.',
  ],
  [
    'a certificate without a key',
    {RELAY_CERT: tls.certificate},
    'RELAY_CERT and RELAY_KEY must be set together: the files of a certificate and of its key.',
  ],
  [
    'a file that is not a certificate',
    {RELAY_CERT: repoPath('LICENSE'), RELAY_KEY: tls.key},
    'RELAY_CERT and RELAY_KEY must be the files of a certificate and its key (ERR_OSSL_PEM_NO_START_LINE).',
  ],
  [
    'a missing certificate file',
    {RELAY_CERT: '/hush', RELAY_KEY: tls.key},
    'RELAY_CERT and RELAY_KEY must be the files of a certificate and its key (ENOENT).',
  ],
  ['a host name to send from', {RELAY_SOURCE: 'hush.example'}, 'RELAY_SOURCE must be an IP address.'],
  [
    'a header that belongs to the connection',
    {RELAY_HEADERS: 'x-credential Transfer-Encoding'},
    'RELAY_HEADERS must be names of allowed headers, separated by spaces.',
  ],
  ['a concurrency of zero', {RELAY_CONCURRENCY: '0'}, 'RELAY_CONCURRENCY must be a whole number from 1 to 1024.'],
])('with %s, the relay does not start and prints the reason in one line', async ([, environment, reason]) => {
  expect(await startFailure({...environmentFor(platform.url), ...environment})).toEqual({
    code: 1,
    printed: `vezne-relay does not start: ${reason}`,
  });
});

test('if the port is in use, the relay does not start and prints the reason in one line', async () => {
  const first = await run();
  expect(await startFailure({...environmentFor(platform.url), RELAY_LISTEN: new URL(first.url).host})).toEqual({
    code: 1,
    printed: 'vezne-relay does not start: It cannot listen on the address in RELAY_LISTEN (EADDRINUSE).',
  });
});

test('a request that was sent before a kill -9 is not sent again after the restart', async () => {
  const first = await run();
  await waitUntilAdmitting(first);
  const request = signedRequest();
  expect(await post(first.url, request)).toMatchObject({head: {outcome: 'answered'}});
  await first.end('SIGKILL');
  const second = await run({RELAY_LISTEN: new URL(first.url).host});
  const countBefore = platform.requests.length;
  expect(await post(second.url, request)).toMatchObject({head: NOT_REPEATED});
  await waitUntilAdmitting(second);
  expect(await post(second.url, request)).toMatchObject({head: NOT_REPEATED});
  expect(platform.requests.filter(({path: sentPath}) => sentPath === '/phs/refund/create').length).toBe(
    countBefore + 1,
  );
});

test('on SIGTERM the relay answers calls in progress, refuses new connections and prints no secret', async () => {
  const relay = await run();
  await waitUntilAdmitting(relay);
  const openSockets: Socket[] = [];
  platform.answer = (_request, socket) => {
    openSockets.push(socket);
    return null;
  };
  const countBefore = platform.requests.length;
  const call = post(relay.url, signedRequest({headers: {token: '{hush-token}'}, body: 'iban=TR33hush'}));
  await vi.waitFor(() => expect(platform.requests.length).toBe(countBefore + 1), WAIT);
  process.kill(relay.pid, 'SIGTERM');
  await vi.waitFor(() => expect(relay.output()).toContain('"event":"ending"'), WAIT);
  await expect(post(relay.url, signedRequest())).rejects.toThrow('ECONNREFUSED');
  for (const socket of openSockets) socket.write(httpResponse('{"a":1}'));
  expect((await call).text).toMatch(/\{"a":1\}$/);
  expect(await relay.ended).toBe(0);
  expect(relay.output()).not.toMatch(/hush|refund|127\.0\.0\.1:\d+\/|http/);
  expect(relay.output()).not.toContain(SECRET);
});

test('the built file runs alone in a folder', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-relay-'));
  const build = startNode(tools.vite, [
    'build',
    '-c',
    'relay/vite.config.ts',
    '--outDir',
    folder,
    '--logLevel',
    'warn',
  ]);
  expect(await build.ended, build.output()).toBe(0);
  expect(readdirSync(folder)).toEqual(['vezne-relay.mjs']);
  const relay = await run({}, path.join(folder, 'vezne-relay.mjs'));
  await waitUntilAdmitting(relay);
  rmSync(folder, {recursive: true});
});

test('the relay serves TLS with its own certificate files, and reloads them on SIGHUP', async () => {
  const relay = await run({RELAY_CERT: tls.certificate, RELAY_KEY: tls.key});
  const health = () =>
    new Promise<number | undefined>((resolve, reject) => {
      getSecurely(`${relay.url}/health`, {agent: false, ca: readFileSync(tls.certificate)}, (answer) =>
        resolve(answer.resume().statusCode),
      ).on('error', reject);
    });
  expect(await health()).toBe(200);
  process.kill(relay.pid, 'SIGHUP');
  await vi.waitFor(() => expect(relay.output()).toContain('"event":"certificate","outcome":"renewed"'), WAIT);
  expect(await health()).toBe(200);
});

test('the relay sends nothing to a platform whose certificate is not trusted', async () => {
  const receivedPaths: string[] = [];
  const impostor = createSecureServer(
    {cert: readFileSync(tls.certificate), key: readFileSync(tls.key)},
    ({url = ''}, response) => {
      receivedPaths.push(url);
      response.end('{"status":"000"}');
    },
  );
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const address = `https://localhost:${(impostor.address() as AddressInfo).port}`;
  const call = (relay: RelayProcess, host = address) =>
    clientOf(relay.url, host).fetch(`${host}/phs/a`, {
      method: 'POST',
      body: 'x',
      timeoutMs: 20_000,
      maxReplyBytes: 100,
    });
  const secure = {PHS_URL: `${address}/phs`, MICROPAYMENT_URL: ''};
  const [untrusting, trusting, wrongHost] = await Promise.all([
    // This variable turns the check off in other programs, but not in the relay.
    run({...secure, NODE_TLS_REJECT_UNAUTHORIZED: '0'}),
    run({...secure, NODE_EXTRA_CA_CERTS: tls.certificate}),
    run({
      PHS_URL: `${address.replace('localhost', 'other.localhost')}/phs`,
      MICROPAYMENT_URL: '',
      NODE_EXTRA_CA_CERTS: tls.certificate,
    }),
  ]);
  for (const [relay, host] of [
    [untrusting, address],
    [wrongHost, address.replace('localhost', 'other.localhost')],
  ] as const) {
    await vi.waitFor(() => expect(call(relay, host)).rejects.toMatchObject({failure: {outcome: 'unsent'}}), WAIT);
  }
  expect(untrusting.output()).toContain('"error":"DEPTH_ZERO_SELF_SIGNED_CERT"');
  expect(receivedPaths).toEqual([]);
  await vi.waitFor(async () => expect((await call(trusting)).status).toBe(200), WAIT);
  expect(receivedPaths).toEqual(['/phs/a']);
  await new Promise((resolve) => {
    impostor.close(resolve);
    impostor.closeAllConnections();
  });
});
