/** Runs `npm run doctor`. The command never prints an argument that may be a misplaced key. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {gzipSync} from 'node:zlib';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {reserve} from '../../cli/leftovers.mjs';
import {freePort} from '../../cli/ports.mjs';
import {readText} from '../../cli/web/read-text.mjs';
import {runHere} from './support/in-process.ts';

const KEY = 'a-key-of-sixteen-characters';
const checks = [
  {name: 'token', state: 'ok', message: 'Fine.', action: null},
  {name: 'banks', state: 'failed', message: 'Gone.', action: 'Wait.'},
];
const page = ['1.4.0/checkout', '0.9.0/activity']
  .map((file) => `<script type="module" src="/vezne/${file}.js"></script>`)
  .join('');
const worker = createServer((request, response) => {
  if (request.url === '/page') return void response.end(page);
  if (request.url === '/huge') {
    // A few kilobytes, and 50 MB without the compression.
    response.writeHead(200, {'content-encoding': 'gzip'});
    return void response.end(HUGE);
  }
  if (request.url === '/vezne/releases.json')
    return void response.end('{"current": "1.5.0", "releases": [{"version": "1.4.0"}]}');
  const authorized = request.url === '/merchant/v1/doctor' && request.headers.authorization === `Bearer ${KEY}`;
  response.writeHead(authorized ? 200 : 401).end(JSON.stringify({healthy: isHealthy, checks}));
});
const HUGE = gzipSync(Buffer.alloc(50_000_000, 'a'));
// Loading wrangler blocks this process for seconds, after which a connection that waited would be closed while it is used.
worker.keepAliveTimeout = 0;
let isHealthy = false;
let address: string;

beforeAll(async () => {
  await once(worker.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(worker.address() as AddressInfo).port}`;
});
afterAll(() => void worker.close());

const doctor = (args: readonly string[], key = '', file = '') =>
  runHere(['doctor', ...args], {MERCHANT_API_KEY: key, VEZNE_CONFIG: file});

const USAGE =
  'Usage: npm run doctor -- --url https://pay.merchant.example [--key …] [--page …], or set MERCHANT_API_KEY';
const BAD_KEY =
  'The key contains a space, a line break or a non-ASCII character. A correct key has none of these: copy it again.';
const BAD_ADDRESS =
  '--url must be the URL of the Worker, such as https://pay.merchant.example, without a user name or password.';
const KEY_REJECTED =
  'The Worker rejects this key: it is not one of MERCHANT_API_KEY, MERCHANT_API_KEY_PREVIOUS and the API keys.\n' +
  'Write MERCHANT_API_KEY, at least 16 characters, into .dev.vars.local and run `npm run deploy`, or use the deployed key here.';

test('npm run doctor prints every check, what to do about a failed check, and the releases of a page', async () => {
  expect(await doctor(['--url', `http://${address}`, '--page', `http://${address}/page`], KEY)).toEqual({
    code: 1,
    printed: [
      'ok       token          Fine.',
      'FAILED   banks          Gone.\n                         → Wait.',
      'ok       release        The Worker is of release 1.5.0.',
      'WARNING  release        The page has files of release 1.4.0, which the Worker serves.',
      'FAILED   release        The page has files of release 0.9.0, which the Worker does not have.',
      '\nThe set-up is not correct yet.',
    ].join('\n'),
  });
});

test('a misplaced setting fails npm run doctor only if the operator’s file may belong to the Worker of --url', async () => {
  isHealthy = true;
  onTestFinished(() => void (isHealthy = false));
  const folder = await mkdtemp(path.join(tmpdir(), 'doctor-'));
  onTestFinished(() => rm(folder, {recursive: true}));
  const file = path.join(folder, 'shop.toml');
  const check = async (routes: string) => {
    await writeFile(file, `EGRESS = "relay"\n${routes}`);
    const {code, printed} = await doctor(['--url', `http://${address}`], KEY, file);
    const lines = printed.split('\n');
    return [code, lines.at(0)?.slice(0, 31), lines.at(-1)];
  };
  expect(await check('route = "pay.other.example/*"\n')).toEqual([
    0,
    'WARNING  configuration  EGRESS:',
    'The set-up is correct.',
  ]);
  expect(await check('')).toEqual([1, 'FAILED   configuration  EGRESS:', 'The set-up is not correct yet.']);
});

test.for<[what: string, args: (address: string) => string[], printed: string]>([
  ['a key with a line break', (host) => ['--url', `http://${host}`, '--key', 'very-secret\n'], BAD_KEY],
  ['a key with a non-ASCII letter', (host) => ['--url', `http://${host}`, '--key', 'very-secret-ş'], BAD_KEY],
  ['a key that is not the Worker’s', (host) => ['--url', `http://${host}`, '--key', 'very-secret'], KEY_REJECTED],
  ['a password in the URL', (host) => ['--url', `http://user:very-secret@${host}`, '--key', KEY], BAD_ADDRESS],
  ['a URL without http or https', () => ['--url', 'very-secret://x', '--key', KEY], BAD_ADDRESS],
  ['a key in place of the URL', () => ['--url', 'very-secret', '--key', KEY], USAGE],
  ['an unknown option', () => ['--very-secret'], USAGE],
])('npm run doctor does not print %s', async ([, args, printed]) => {
  const ended = await doctor(args(address));
  expect(ended).toEqual({code: 1, printed});
  expect(ended.printed).not.toContain('very-secret');
});

test('npm run doctor without a key says how to pass the key', async () => {
  expect(await doctor(['--url', `http://${address}`])).toEqual({
    code: 1,
    printed: 'The key is missing: set MERCHANT_API_KEY or pass --key.',
  });
});

test('if no server answers, npm run doctor prints the origin of the URL, and not its path', async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  expect(await doctor(['--url', `${origin}/very-secret`, '--key', KEY])).toEqual({
    code: 1,
    printed: `${origin} does not answer (ECONNREFUSED).`,
  });
});

/** A server on this machine that answers each request so, and what it got of the key. */
async function startServer(answer: (response: ServerResponse) => void) {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return {keys, origin: `http://localhost:${(server.address() as AddressInfo).port}`};
}

test('the key of a folder is sent to its own Worker, to no other one, and nowhere by a redirect', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'doctor-'));
  onTestFinished(() => rm(folder, {recursive: true}));
  const file = path.join(folder, 'vezne.key.toml');
  await writeFile(file, 'route = "pay.shop.example/*"\n');
  await writeFile(path.join(folder, '.dev.vars.key'), `MERCHANT_API_KEY='${KEY}'\n`);
  const other = await startServer((response) => void response.writeHead(200).end('{}'));
  const moved = await startServer((response) => void response.writeHead(307, {location: other.origin}).end());
  const printed = async (url: string, key = '') => (await doctor(['--url', url], key, file)).printed;

  for (const {origin} of [other, moved])
    expect(await printed(origin)).toContain('only sent to the Worker of this folder');
  expect(await printed('http://pay.shop.example')).toBe(
    'A key is only sent over https. Over http it is only sent to this machine.',
  );
  expect([...other.keys, ...moved.keys]).toEqual([]);

  // The `vezne dev` of this folder runs at the address.
  const owner = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => void owner.kill());
  const release = reserve('dev-1-2', {origin: moved.origin, pid: owner.pid});
  onTestFinished(release);
  expect(await printed(moved.origin)).toContain('is not a Worker of this version (HTTP 307)');
  expect([other.keys, moved.keys]).toEqual([[], [`Bearer ${KEY}`]]);
  expect(await printed(moved.origin, 'another-key-of-sixteen-characters')).toContain('HTTP 307');
  expect([other.keys, moved.keys.length]).toEqual([[], 2]);
});

test('what a server answers is neither obeyed by the terminal nor able to look like other lines', async () => {
  const hostile = [
    null,
    {
      name: 5,
      state: 'ERR_\u001b[31m',
      message: 'a\u001b]0;title\u0007\nok       token          Fine.',
      action: '\u202eb\u009b2J',
    },
  ];
  const {origin} = await startServer(
    (response) => void response.writeHead(200).end(JSON.stringify({healthy: 1, checks: hostile, limits: {}})),
  );
  expect(await doctor(['--url', origin, '--key', KEY])).toEqual({
    code: 1,
    printed:
      'ERR_  5              a]0;title ok token Fine.\n                         → b2J\n\nThe set-up is not correct yet.',
  });
});

test('the doctor reads at most 2 MB of a page, as it is without its compression', async () => {
  const {printed} = await doctor(['--url', `http://${address}`, '--page', `http://${address}/huge`], KEY);
  expect(printed).toContain('The page of --page cannot be read: the answer is larger than 2 MB.');
});

test('the doctor waits a bounded time for a page that never ends', async () => {
  const {origin} = await startServer((response) => void response.writeHead(200).write('a'));
  await expect(readText(new URL(origin), {timeoutMs: 20})).rejects.toThrow('no whole answer within 0.02 s');
});
