/** The Worker on plain workerd, as an operator of a host of their own starts it, kills it and starts it again. */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {WebSocket} from 'ws';
import type {Child} from '../../scripts/lib/child-process.mjs';
import {freePort} from '../../scripts/lib/ports.mjs';
import {inHouse, root} from '../../scripts/lib/repo.mjs';
import {startSandbox, untilAnswering} from '../../scripts/lib/stack.mjs';
import {exchange} from '../faults/kit/exchange.ts';

const ORIGIN = 'https://shop.example';
const SECRET = 'sandbox-session-secret-of-this-test-alone';

let home: string;
let sandbox: Child;
let platform: string;
let worker: string;
let environment: Record<string, string>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'vezne-self-host-'));
  const [sandboxPort, port] = [await freePort(), await freePort()];
  [platform, worker] = [`http://localhost:${sandboxPort}`, `http://127.0.0.1:${port}`];
  environment = {PORT: String(port), SELF_HOST_STATE: path.join(home, 'state')};
  sandbox = startSandbox({port: sandboxPort, persistTo: path.join(home, 'sandbox')});
  await untilAnswering(sandbox, 'The sandbox', platform);
  const variables = {
    PHS_URL: `${platform}/phs`,
    MICROPAYMENT_URL: `${platform}/micropayment`,
    PAYMENT_PAGE_URL: `${platform}/pay`,
    LANDING_URL: `${platform}/landing`,
    MERCHANT_KEY: 'sandbox-merchant-key',
    SESSION_SECRET: SECRET,
    ALLOWED_ORIGINS: ORIGIN,
    CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
    LIMITS: '{"address_sessions_per_minute":2,"address_orders_per_minute":null,"service_orders_per_minute":null}',
  };
  await writeFile(
    path.join(home, 'env'),
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}, 90_000);
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await sandbox.end('SIGKILL');
  await rm(inHouse('.cache', 'self-host', environment['PORT'] ?? ''), {recursive: true, force: true});
  await rm(home, {recursive: true, force: true});
});

interface Started {
  readonly child: ChildProcess;
  printed(): string;
}

async function selfHost(file = path.join(home, 'env'), ...more: string[]): Promise<Started> {
  const child = spawn(process.execPath, ['scripts/run.cjs', 'self-host', '--env', file, ...more], {
    cwd: root,
    env: {...process.env, NODE_OPTIONS: '', ...environment},
  });
  running.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
  const gone = once(child, 'exit').then(() => true);
  await vi.waitFor(
    async () => {
      if (await Promise.race([gone, Promise.resolve(false)])) return;
      expect(text).toContain('The Worker');
    },
    {timeout: 80_000, interval: 200},
  );
  return {child, printed: () => text};
}

async function kill({child}: Started, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
  await vi.waitFor(() => expect(exchange(`${worker}/health`)).rejects.toThrow('ECONNREFUSED'), {timeout: 20_000});
}

interface Session {
  readonly token: string;
}

let visitors = 0;

/** A page's request; every visitor has an address of its own. */
async function ask<T>(
  address: string,
  {session, body, from}: {session?: Session; body?: object; from?: string} = {},
): Promise<{status: number; body: T}> {
  visitors += 1;
  const headers = {
    origin: ORIGIN,
    'content-type': 'application/json',
    'x-forwarded-for': from ?? `192.0.2.${visitors}`,
    ...(session && {authorization: `Bearer ${session.token}`}),
  };
  const {status, text} = await exchange(`${worker}${address}`, {headers, body: body && JSON.stringify(body)});
  return {status, body: JSON.parse(text) as T};
}

async function control(name: string, body?: object): Promise<unknown> {
  const {text} = await exchange(`${platform}/_sandbox/${name}`, {body: body && JSON.stringify(body)});
  return JSON.parse(text);
}

const searches = async () =>
  ((await control('calls')) as {calls: {path: string}[]}).calls.filter(
    ({path: asked}) => asked === '/phs/transaction/search',
  ).length;

test('without a file of variables it says what is missing', async () => {
  const {child, printed} = await selfHost(path.join(home, 'none'));
  expect(child.exitCode).toBe(1);
  expect(printed()).toBe(
    `${path.join(home, 'none')} is missing: it holds the secrets, one NAME=value a line. docs/self-hosting.md says which.\n`,
  );
  expect((await selfHost(path.join(home, 'env'), '--built')).printed()).toBe(
    'Nothing is built for this port yet: leave --built away once.\n',
  );
});

test('an order made before a kill -9 is the same after it, and its money is found though nobody asks', async () => {
  const first = await selfHost();
  expect(first.printed()).toMatch(/The Worker {2}http:\/\/127\.0\.0\.1:\d+ {2}\(ok\)/);
  const {body: session} = await ask<Session>('/v1/sessions', {body: {offer: 'gold'}});
  const made = await ask<{order_code: string}>('/v1/order-code', {session, body: {}});
  expect(made.status).toBe(200);
  expect((await ask<{state: string}>('/v1/payment', {session})).body.state).toBe('waiting');

  await kill(first, 'SIGKILL');
  await control('transfers', {order_code: made.body.order_code, bank: 'garanti', amount: '149.90'});
  const before = await searches();
  const second = await selfHost(path.join(home, 'env'), '--built');
  // The alarm that was set in its earlier life rings by itself.
  await vi.waitFor(async () => expect(await searches()).toBeGreaterThan(before), {timeout: 60_000, interval: 500});
  expect(await ask('/v1/order-code', {session, body: {}})).toEqual(made);
  expect(((await control('orders?limit=1000')) as {orders: unknown[]}).orders.length).toBe(1);
  await vi.waitFor(async () => expect((await ask<{state: string}>('/v1/payment', {session})).body.state).toBe('paid'), {
    timeout: 60_000,
    interval: 500,
  });

  const live = new WebSocket(`${worker.replace('http', 'ws')}/v1/payment/live`, ['vezne.v1', session.token], {
    origin: ORIGIN,
  });
  const [message] = (await once(live, 'message')) as [Buffer];
  expect(JSON.parse(message.toString())).toMatchObject({state: 'paid', paid: '149.90'});
  live.terminate();

  await looksAtFiles();
  await looksAtLimits();
  expect((await stat(path.join(home, 'state'))).mode & 0o777).toBe(0o700);
  expect(first.printed() + second.printed()).not.toMatch(/sandbox-merchant-key|of-this-test-alone/);
  await kill(second, 'SIGTERM');
}, 300_000);

/** The files pages load come as from the edge. */
async function looksAtFiles(): Promise<void> {
  const common = {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'content-type': 'text/javascript; charset=utf-8',
  };
  const script = await exchange(`${worker}/vezne.js`);
  expect([script.status, script.headers]).toMatchObject([200, {...common, 'cache-control': 'public, max-age=300'}]);
  const [, chunk = ''] = /import\("\.\/(vezne\/[^"]+\.js)"\)/.exec(script.text) ?? [];
  const part = await exchange(`${worker}/${chunk}`);
  expect([part.status, part.headers]).toMatchObject([
    200,
    {...common, 'cache-control': 'public, max-age=31536000, immutable'},
  ]);
  expect(part.text.length).toBeGreaterThan(1000);

  const etag = script.headers.etag ?? '';
  expect(await exchange(`${worker}/vezne.js`, {headers: {'if-none-match': etag}})).toMatchObject({
    status: 304,
    text: '',
    headers: {etag},
  });
  expect((await fetch(`${worker}/vezne.js`, {method: 'HEAD'})).headers.get('content-type')).toBe(
    common['content-type'],
  );
  expect((await exchange(`${worker}/vezne.js`, {body: ''})).status).toBe(405);
  for (const none of ['/_headers', '/vezne/', '/vezne/0.1.0/none.js', '/../package.json', '/constructor'])
    expect((await exchange(`${worker}${none}`)).status, none).toBe(404);
}

const open = async (from: string) => (await ask('/v1/sessions', {body: {offer: 'gold'}, from})).status;

/** Limits count by the address the terminator saw, not by what a visitor says of itself. */
async function looksAtLimits(): Promise<void> {
  expect([await open('203.0.113.7'), await open('203.0.113.7'), await open('203.0.113.7')]).toEqual([201, 201, 429]);
  expect(await open('198.51.100.1, 203.0.113.7')).toBe(429);
  expect(await open('203.0.113.7, 198.51.100.1')).toBe(201);
}
