/** The relay as an operator runs it. */

import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer as createSecureServer, get as getSecurely} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {repoPath, tools} from '../../scripts/lib/repo.mjs';
import {page, RawPlatform} from './support/raw-platform.ts';
import {refusal, type RelayProcess, runRelay} from './support/relay-process.ts';
import {clientOf, environmentFor, SECRET} from './support/relay-server.ts';
import {post, question} from './support/signed-request.ts';

const tls = {
  certificate: repoPath('test', 'relay', 'tls', 'certificate.pem'),
  key: repoPath('test', 'relay', 'tls', 'key.pem'),
};

/** What a relay says of a question that an earlier one may have sent. */
const NOT_AGAIN = {outcome: 'unknown', reason: expect.stringMatching(/^(started_since|old)$/) as string};
const SOON = {timeout: 20_000, interval: 100};

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

/** Asks until a relay that just started lets questions in. */
async function untilLetIn(relay: RelayProcess): Promise<void> {
  await vi.waitFor(
    async () => expect(await post(relay.url, question())).toMatchObject({head: {outcome: 'answered'}}),
    SOON,
  );
}

test.for<[what: string, environment: Record<string, string>, why: string]>([
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
    'a short secret of before',
    {RELAY_SECRET_PREVIOUS: 'hush'},
    'RELAY_SECRET_PREVIOUS must have at least 32 characters, for example from: openssl rand -base64 32.',
  ],
  [
    'the sandbox’s secret before a real platform',
    {RELAY_SECRET: 'sandbox-relay-secret-that-is-long-enough', PHS_URL: 'https://platform.example/phs'},
    "RELAY_SECRET is the sandbox's, which everybody knows.",
  ],
  [
    'no platform',
    {PHS_URL: '', MICROPAYMENT_URL: ''},
    "None of PHS_URL, MICROPAYMENT_URL, PAYMENT_PAGE_URL, LANDING_URL is set: name the platform's addresses as the Worker's configuration does.",
  ],
  ['a platform without TLS', {PHS_URL: 'http://hush.example/phs'}, 'PHS_URL must be an https address without a query.'],
  [
    'an address with a password',
    {PHS_URL: 'https://a:hush@platform.example/phs'},
    'PHS_URL must be an https address without a query.',
  ],
  ['no address', {LANDING_URL: 'hush'}, 'LANDING_URL must be an https address without a query.'],
  ['a port alone', {RELAY_LISTEN: '8788'}, 'RELAY_LISTEN must be an address and a port, such as 127.0.0.1:8788.'],
  [
    'an open port without TLS',
    {RELAY_LISTEN: '0.0.0.0:0'},
    'RELAY_LISTEN is open to others: give RELAY_CERT and RELAY_KEY, or say RELAY_TLS=terminated where something in front of it speaks TLS.',
  ],
  [
    'a certificate without a key',
    {RELAY_CERT: tls.certificate},
    'RELAY_CERT and RELAY_KEY belong together: the files of a certificate and of its key.',
  ],
  [
    'a certificate that is none',
    {RELAY_CERT: repoPath('LICENSE'), RELAY_KEY: tls.key},
    'RELAY_CERT and RELAY_KEY are not files of a certificate and its key (ERR_OSSL_PEM_NO_START_LINE).',
  ],
  [
    'a certificate that is not there',
    {RELAY_CERT: '/hush', RELAY_KEY: tls.key},
    'RELAY_CERT and RELAY_KEY are not files of a certificate and its key (ENOENT).',
  ],
  ['a name to send from', {RELAY_SOURCE: 'hush.example'}, 'RELAY_SOURCE must be an IP address.'],
  [
    'a header of the connection’s own',
    {RELAY_HEADERS: 'x-credential Transfer-Encoding'},
    'RELAY_HEADERS must be names of headers that may be sent, separated by spaces.',
  ],
  ['no concurrency', {RELAY_CONCURRENCY: '0'}, 'RELAY_CONCURRENCY must be a whole number from 1 to 1024.'],
])('with %s it says so in one line and does not start', async ([_what, environment, why]) => {
  expect(await refusal({...environmentFor(platform.url), ...environment})).toEqual({
    code: 1,
    printed: `vezne-relay does not start: ${why}`,
  });
});

test('where the port is taken it says so in one line', async () => {
  const first = await run();
  expect(await refusal({...environmentFor(platform.url), RELAY_LISTEN: new URL(first.url).host})).toEqual({
    code: 1,
    printed: 'vezne-relay does not start: It cannot listen where RELAY_LISTEN says (EADDRINUSE).',
  });
});

test('a question that was sent before a kill -9 is not sent again after it', async () => {
  const first = await run();
  await untilLetIn(first);
  const asked = question();
  expect(await post(first.url, asked)).toMatchObject({head: {outcome: 'answered'}});
  await first.end('SIGKILL');
  const second = await run({RELAY_LISTEN: new URL(first.url).host});
  const heard = platform.heard.length;
  expect(await post(second.url, asked)).toMatchObject({head: NOT_AGAIN});
  await untilLetIn(second);
  expect(await post(second.url, asked)).toMatchObject({head: NOT_AGAIN});
  expect(platform.heard.filter((request) => request.path === '/phs/refund/create').length).toBe(heard + 1);
});

test('told to end it answers what is under way, lets nobody else in, and prints no secret', async () => {
  const relay = await run();
  await untilLetIn(relay);
  const asking: Socket[] = [];
  platform.answer = (_request, socket) => {
    asking.push(socket);
    return null;
  };
  const heard = platform.heard.length;
  const call = post(relay.url, question({headers: {token: '{hush-token}'}, body: 'iban=TR33hush'}));
  await vi.waitFor(() => expect(platform.heard.length).toBe(heard + 1), SOON);
  process.kill(relay.pid, 'SIGTERM');
  await vi.waitFor(() => expect(relay.output()).toContain('"event":"ending"'), SOON);
  await expect(post(relay.url, question())).rejects.toThrow('ECONNREFUSED');
  for (const socket of asking) socket.write(page('{"a":1}'));
  expect((await call).text).toMatch(/\{"a":1\}$/);
  expect(await relay.ended).toBe(0);
  expect(relay.output()).not.toMatch(/hush|refund|127\.0\.0\.1:\d+\/|http/);
  expect(relay.output()).not.toContain(SECRET);
});

test('the built file does the same, alone in a folder', async () => {
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
  await untilLetIn(relay);
  rmSync(folder, {recursive: true});
});

test('it speaks TLS with files of its own, and reads renewed ones on SIGHUP', async () => {
  const relay = await run({RELAY_CERT: tls.certificate, RELAY_KEY: tls.key});
  const health = () =>
    new Promise<number | undefined>((resolve, reject) => {
      getSecurely(`${relay.url}/health`, {agent: false, ca: readFileSync(tls.certificate)}, (answer) =>
        resolve(answer.resume().statusCode),
      ).on('error', reject);
    });
  expect(await health()).toBe(200);
  process.kill(relay.pid, 'SIGHUP');
  await vi.waitFor(() => expect(relay.output()).toContain('"event":"certificate","outcome":"renewed"'), SOON);
  expect(await health()).toBe(200);
});

test('a platform whose certificate is not to be trusted is sent nothing', async () => {
  const heard: string[] = [];
  const impostor = createSecureServer(
    {cert: readFileSync(tls.certificate), key: readFileSync(tls.key)},
    ({url = ''}, response) => {
      heard.push(url);
      response.end('{"status":"000"}');
    },
  );
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const address = `https://localhost:${(impostor.address() as AddressInfo).port}`;
  const ask = (relay: RelayProcess, host = address) =>
    clientOf(relay.url, host).fetch(`${host}/phs/a`, {
      method: 'POST',
      body: 'x',
      timeoutMs: 20_000,
      maxReplyBytes: 100,
    });
  const secure = {PHS_URL: `${address}/phs`, MICROPAYMENT_URL: ''};
  const [wary, trusting, misled] = await Promise.all([
    // What turns the check off elsewhere does not here.
    run({...secure, NODE_TLS_REJECT_UNAUTHORIZED: '0'}),
    run({...secure, NODE_EXTRA_CA_CERTS: tls.certificate}),
    run({
      PHS_URL: `${address.replace('localhost', 'other.localhost')}/phs`,
      MICROPAYMENT_URL: '',
      NODE_EXTRA_CA_CERTS: tls.certificate,
    }),
  ]);
  for (const [relay, host] of [
    [wary, address],
    [misled, address.replace('localhost', 'other.localhost')],
  ] as const) {
    await vi.waitFor(() => expect(ask(relay, host)).rejects.toMatchObject({failure: {outcome: 'unsent'}}), SOON);
  }
  expect(wary.output()).toContain('"error":"DEPTH_ZERO_SELF_SIGNED_CERT"');
  expect(heard).toEqual([]);
  await vi.waitFor(async () => expect((await ask(trusting)).status).toBe(200), SOON);
  expect(heard).toEqual(['/phs/a']);
  await new Promise((resolve) => {
    impostor.close(resolve);
    impostor.closeAllConnections();
  });
});
