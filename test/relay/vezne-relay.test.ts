/** Tests the relay as an operator runs it: as a separate process. */

import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer as createSecureServer, get as getSecurely} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {expect, test, type TestContext, vi} from 'vitest';
import {startNode} from '../../cli/child-process.mjs';
import {repoPath, tools} from '../../scripts/lib/repo.mjs';
import {httpResponse, RawPlatform} from './support/raw-platform.ts';
import {startFailure, type RelayProcess, runRelay} from './support/relay-process.ts';
import {clientOf, environmentFor, SECRET} from './support/relay-server.ts';
import {post, signedRequest} from './support/signed-request.ts';
import {tls} from './support/tls.ts';

/** The reply to a request that an earlier relay process may have sent. */
const NOT_REPEATED = {outcome: 'unknown', reason: expect.stringMatching(/^(started_since|old)$/) as string};
const WAIT = {timeout: 60_000, interval: 100};

interface Host {
  readonly platform: RawPlatform;
  /** Runs a relay in front of the platform, until the test ends. */
  readonly run: (environment?: Record<string, string>, script?: string) => Promise<RelayProcess>;
}

/** Starts a platform for one test. */
async function open({onTestFinished}: TestContext): Promise<Host> {
  const platform = await RawPlatform.start();
  const running: RelayProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((relay) => relay.end('SIGKILL')));
    await platform.stop();
  });
  return {
    platform,
    async run(environment = {}, script) {
      const relay = await runRelay({...environmentFor(platform.url), ...environment}, script);
      running.push(relay);
      return relay;
    },
  };
}

/** Waits until a relay that just started admits requests. */
async function waitUntilAdmitting(relay: RelayProcess): Promise<void> {
  await vi.waitFor(
    async () => expect(await post(relay.url, signedRequest())).toMatchObject({head: {outcome: 'answered'}}),
    WAIT,
  );
}

test.concurrent('with a wrong configuration the relay does not start and prints the reason in one line', async () => {
  expect(await startFailure({RELAY_SECRET: SECRET, PHS_URL: 'https://a:hush@platform.example/phs'})).toEqual({
    code: 1,
    printed: 'vezne-relay does not start: PHS_URL must be an https URL without a query.',
  });
});

test.concurrent('if the port is in use, the relay does not start and prints the reason in one line', async (context) => {
  const {platform, run} = await open(context);
  const first = await run();
  expect(await startFailure({...environmentFor(platform.url), RELAY_LISTEN: new URL(first.url).host})).toEqual({
    code: 1,
    printed: 'vezne-relay does not start: it cannot listen on the address in RELAY_LISTEN (EADDRINUSE).',
  });
});

test.concurrent('a request that was sent before a kill -9 is not sent again after the restart', async (context) => {
  const {platform, run} = await open(context);
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

test.concurrent('on SIGTERM the relay answers calls in progress, refuses new connections and prints no secret', async (context) => {
  const {platform, run} = await open(context);
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

test.concurrent('the built file runs in a folder without any other file', async (context) => {
  const {run} = await open(context);
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-relay-'));
  // In a run of all steps, the step `build` has built it.
  if (process.env['VEZNE_BUILT_SITE']) cpSync(repoPath('dist', 'relay'), folder, {recursive: true});
  else {
    const args = ['build', '-c', 'relay/vite.config.ts', '--outDir', folder, '--logLevel', 'warn'];
    const build = startNode(tools.vite, args);
    expect(await build.ended, build.output()).toBe(0);
  }
  expect(readdirSync(folder)).toEqual(['vezne-relay.mjs']);
  const relay = await run({}, path.join(folder, 'vezne-relay.mjs'));
  await waitUntilAdmitting(relay);
  rmSync(folder, {recursive: true});
});

test.concurrent('the relay serves TLS with its own certificate files, and reloads them on SIGHUP', async (context) => {
  const {run} = await open(context);
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

test.concurrent('the relay sends nothing to a platform with an untrusted or wrong certificate', async (context) => {
  const {run} = await open(context);
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
    // In other programs, this variable turns off the check of certificates. In the relay it does not.
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
