/** `--help` of every command, and the arguments of the commands that use the sandbox. */

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import process from 'node:process';
import {afterEach, describe, expect, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {runHere} from './support/in-process.ts';

/** Settings that do not exist: a command that reads them fails. */
const NO_SETTINGS = {VEZNE_CONFIG: '/nowhere/vezne.toml'};

test('--help of every command of the CLI describes it, reads no settings and starts nothing', async () => {
  const list = await runHere(['--help'], NO_SETTINGS);
  const names = [...list.printed.matchAll(/^ {2}vezne (\w+)/gm)].map(([, name]) => String(name));
  expect(names).toEqual(['new', 'dev', 'pay', 'deploy', 'doctor', 'orders', 'update', 'rollback']);
  for (const name of names)
    for (const args of [['--help'], ['-h'], ['--port', '1', '--help']]) {
      const {code, printed} = await runHere([name, ...args], NO_SETTINGS);
      expect({name, code}).toEqual({name, code: 0});
      expect(printed).toMatch(/^np[mx] .*\n {2}\w/);
    }
});

test('--help of a script of a clone prints the comment of its file, which every script has', () => {
  for (const file of readdirSync(repoPath('scripts')).filter((name) => name.endsWith('.mjs')))
    expect(readFileSync(repoPath('scripts', file), 'utf8'), file).toMatch(/^\/\/ @ts-check\n(?:\/\/ \S|\/\*\*\n)/);
  const printed = execFileSync(process.execPath, ['scripts/run.cjs', 'looks', '--help'], {cwd: repoPath()}).toString();
  expect(printed).toMatch(/^`npm run looks`: checks every state .*\n.*\n.*sample\.\n$/);
});

describe('vezne dev', () => {
  test('a port that is no port, two equal ports and an unknown flag are refused', async () => {
    const refusals = [
      [['--port', '99999'], '--port must be a port number between 1 and 65535, not "99999".'],
      [['--port', '5000', '--sandbox-port', '5000'], 'PORT and SANDBOX_PORT are both 5000'],
      [['--prot', '5000'], "Unknown option '--prot'"],
    ] as const;
    for (const [args, refusal] of refusals) {
      const {code, printed} = await runHere(['dev', ...args], {});
      expect(code).toBe(1);
      expect(printed).toContain(refusal);
    }
  });
});

const row = (order_code: string, arrived: string) => ({order_code, order: 'x', amount: '149.90', arrived});

describe('vezne pay', () => {
  const server = createServer();
  afterEach(() => void server.removeAllListeners('request').close());
  const transfers: unknown[] = [];

  async function serve(): Promise<string> {
    server.on('request', (request, response) => {
      if (request.method === 'GET') {
        return void response.end(
          JSON.stringify({orders: [row('881200450017', '100.00'), row('881200450025', '149.90')]}),
        );
      }
      request.setEncoding('utf8').on('data', (text: string) => transfers.push(JSON.parse(text)));
      request.on('end', () => response.end('{"transaction_id": 1, "matched": true}'));
    });
    await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
    return String((server.address() as AddressInfo).port);
  }

  test('the order gets what it lacks, or the given amount; a wrong code names the orders that wait', async () => {
    const port = await serve();
    const pay = (...args: string[]) => runHere(['pay', ...args, '--sandbox-port', port], {});
    // As a page shows the code.
    expect(await pay('8812', '0045', '0017')).toMatchObject({code: 0, printed: expect.stringContaining('49.90 TRY')});
    expect(await pay('881200450025')).toEqual({
      code: 1,
      printed: 'The order 881200450025 has its 149.90 TRY. Send more with --amount.',
    });
    expect((await pay('881200450025', '--amount', '5', '--bank', 'ziraat', '--sender', 'Ada Yıldız')).code).toBe(0);
    expect(transfers).toEqual([
      {order_code: '881200450017', bank: 'garanti', amount: '49.90'},
      {order_code: '881200450025', bank: 'ziraat', amount: '5', sender: 'Ada Yıldız'},
    ]);
    expect(await pay('1234')).toEqual({
      code: 1,
      printed: 'The sandbox has no order with the code 1234. These wait: 881200450017 (149.90 TRY).',
    });
    expect((await pay('881200450017', '--amount', '1,5')).printed).toContain('--amount: Expected decimal text');
    expect((await pay()).printed).toContain('The order code is missing.');
  });

  test('without a sandbox, the command says how to start it', async () => {
    const {code, printed} = await runHere(['pay', '1234', '--sandbox-port', '9'], {});
    expect({code, printed}).toEqual({
      code: 1,
      printed: 'No sandbox answers at http://localhost:9: run `npm start`, or name its port with --sandbox-port.',
    });
  });
});
