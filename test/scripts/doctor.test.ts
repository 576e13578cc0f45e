/** `npm run doctor` as somebody types it: what is given in the wrong place is not printed back. */

import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {freePort} from '../../scripts/lib/ports.mjs';
import {root} from '../../scripts/lib/repo.mjs';

const KEY = 'a-key-of-sixteen-characters';
const checks = [
  {name: 'token', state: 'ok', message: 'Fine.', action: null},
  {name: 'banks', state: 'failed', message: 'Gone.', action: 'Wait.'},
];
const worker = createServer((request, response) => {
  const known = request.url === '/merchant/v1/doctor' && request.headers.authorization === `Bearer ${KEY}`;
  response.writeHead(known ? 200 : 401).end(JSON.stringify({healthy: false, checks}));
});
let address: string;

beforeAll(async () => {
  await once(worker.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(worker.address() as AddressInfo).port}`;
});
afterAll(() => void worker.close());

function doctor(args: readonly string[], key = ''): Promise<{code: unknown; printed: string}> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/run.cjs', 'doctor', ...args],
      {cwd: root, env: {...process.env, NODE_OPTIONS: '', MERCHANT_API_KEY: key}},
      (error, out, err) => resolve({code: error?.code ?? 0, printed: (out + err).trim()}),
    );
  });
}

const USAGE = 'Usage: npm run doctor -- --url https://pay.merchant.example [--key …], or the key in MERCHANT_API_KEY';
const NO_KEY =
  'The key holds a space, a line break or a letter beyond ASCII, which no MERCHANT_API_KEY does: copy it again.';
const NO_ADDRESS =
  '--url is the address of the Worker, such as https://pay.merchant.example, without a name or password in it.';
const NOT_TAKEN =
  'The Worker does not take this key: it is not its MERCHANT_API_KEY, nor MERCHANT_API_KEY_PREVIOUS, or it has none.\n' +
  'Set one of at least 16 characters with `npx wrangler secret put MERCHANT_API_KEY`, and give the same here.';

test('it prints what was found, and what to do', async () => {
  expect(await doctor(['--url', `http://${address}`], KEY)).toEqual({
    code: 1,
    printed:
      'ok       token          Fine.\nFAILED   banks          Gone.\n                         → Wait.\n\nThe set-up is not right yet.',
  });
});

test.for<[what: string, args: (address: string) => string[], printed: string]>([
  ['a key with a line break', (at) => ['--url', `http://${at}`, '--key', 'very-secret\n'], NO_KEY],
  ['a key with a letter no header carries', (at) => ['--url', `http://${at}`, '--key', 'very-secret-ş'], NO_KEY],
  ['another key than the Worker’s', (at) => ['--url', `http://${at}`, '--key', 'very-secret'], NOT_TAKEN],
  ['a password in the address', (at) => ['--url', `http://user:very-secret@${at}`, '--key', KEY], NO_ADDRESS],
  ['an address that is none of the web', () => ['--url', 'very-secret://x', '--key', KEY], NO_ADDRESS],
  ['a key where the address belongs', () => ['--url', 'very-secret', '--key', KEY], USAGE],
  ['an option that is none', () => ['--very-secret'], USAGE],
])('%s is not printed back', async ([, args, printed]) => {
  const ended = await doctor(args(address));
  expect(ended).toEqual({code: 1, printed});
  expect(ended.printed).not.toContain('very-secret');
});

test('a key that was forgotten is asked for', async () => {
  expect(await doctor(['--url', `http://${address}`])).toEqual({
    code: 1,
    printed: 'No key: set MERCHANT_API_KEY or give --key.',
  });
});

test('an address where nothing is is told by its host alone', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await doctor(['--url', `${nowhere}/very-secret`, '--key', KEY])).toEqual({
    code: 1,
    printed: `Nothing answers at ${nowhere} (ECONNREFUSED).`,
  });
});
