/** The commands as somebody types them. */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {freePort} from '../../scripts/lib/ports.mjs';
import {repoPath, root} from '../../scripts/lib/repo.mjs';

interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

function command(
  args: readonly string[],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...before, 'scripts/run.cjs', ...args], {
    cwd: root,
    env: {...process.env, NODE_OPTIONS: '', ...env},
  });
}

/** Everything it prints, as it comes. */
function listen(child: ChildProcess): {text: string} {
  const heard = {text: ''};
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (heard.text += data.toString()));
  return heard;
}

async function run(...given: Parameters<typeof command>): Promise<Ended> {
  const child = command(...given);
  const heard = listen(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return {code, printed: heard.text.trim()};
}

const answers = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'vezne-scripts-'));
});
afterAll(() => rm(home, {recursive: true, force: true}));

describe('Every command', () => {
  test('says on an old Node which one it needs', async () => {
    const old = path.join(home, 'old.cjs');
    await writeFile(
      old,
      "Object.defineProperty(process, 'versions', {value: {...process.versions, node: '18.20.1'}});",
    );
    const {code, printed} = await run(['start'], {}, ['--require', old]);
    expect({code, printed}).toEqual({code: 1, printed: 'Vezne needs Node 20 or newer; this is Node 18.20.1.'});
  });
});

describe('npm start', () => {
  test('says which port is taken, and how to choose another', async () => {
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const {port} = stranger.address() as {port: number};
    const {code, printed} = await run(['start'], {PORT: String(port)});
    stranger.close();
    expect(code).toBe(1);
    expect(printed).toBe(
      `Port ${port} is taken: end what listens there, or choose another with PORT=${port + 10} npm start.`,
    );
  });

  test('says what a port is', async () => {
    const {code, printed} = await run(['start'], {SANDBOX_PORT: 'eighty'});
    expect({code, printed}).toEqual({
      code: 1,
      printed: 'SANDBOX_PORT must be a port number between 1 and 65535, not "eighty".',
    });
    const same = await run(['start'], {PORT: '5199', SANDBOX_PORT: '5199'});
    expect(same).toEqual({
      code: 1,
      printed: 'PORT and SANDBOX_PORT are both 5199: the demo site and the sandbox need one each.',
    });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'prints its two addresses, serves there, and leaves nothing behind after %s',
    async (signal) => {
      const [port, sandboxPort] = [await freePort(), await freePort()];
      const house = command(['start'], {PORT: String(port), SANDBOX_PORT: String(sandboxPort)});
      onTestFinished(() => void house.kill('SIGKILL'));
      const heard = listen(house);
      const [page, sandbox] = [`http://localhost:${port}`, `http://localhost:${sandboxPort}`];
      await expect
        .poll(() => heard.text, {timeout: 180_000})
        .toContain(`Demo site  ${page}\n  Sandbox    ${sandbox}\n`);
      expect(await (await fetch(`${page}/health`)).json()).toMatchObject({status: 'ok', bindings: []});
      expect(await (await fetch(`${page}/shop`)).text()).toContain('<vezne-checkout offer="gold">');
      expect((await fetch(`${page}/vezne.js`)).status).toBe(200);

      house.kill(signal);
      await once(house, 'exit');
      await expect.poll(() => answers(page)).toBe(false);
      await expect.poll(() => answers(sandbox)).toBe(false);
      await Promise.all([
        rm(repoPath('dist', `demo-${port}-${sandboxPort}`), {recursive: true, force: true}),
        rm(repoPath('.wrangler', `state-${port}-${sandboxPort}`), {recursive: true, force: true}),
        rm(repoPath('sandbox', '.wrangler', `state-${port}-${sandboxPort}`), {recursive: true, force: true}),
      ]);
    },
  );
});

describe('npm test', () => {
  test('says which steps there are', async () => {
    const {code, printed} = await run(['test', 'everything']);
    expect(code).toBe(1);
    expect(printed).toMatch(/^There is no step "everything"; there are types, lock, format, .*elements, .*e2e\.$/);
  });

  test('says that a named browser is none', async () => {
    const {code, printed} = await run(['test', 'elements'], {CHROME_PATH: '/nowhere/chrome'});
    expect(code).toBe(1);
    expect(printed).toContain('CHROME_PATH names no program: /nowhere/chrome');
    expect(printed.split('\n').at(-1)).toBe('0 passed, 1 failed');
  });
});

describe('npm run deploy', () => {
  const elsewhere = [
    'PHS_URL:https://platform.example/phs',
    'MICROPAYMENT_URL:https://platform.example/m',
    'PAYMENT_PAGE_URL:https://platform.example/p',
    'LANDING_URL:https://platform.example/l',
    'MERCHANT_IP:192.0.2.44',
    'ALLOWED_ORIGINS:https://shop.example',
  ];

  test('refuses an address of this machine', async () => {
    const {code, printed} = await run(['deploy', ...elsewhere.slice(1).flatMap((value) => ['--var', value])]);
    expect(code).toBe(1);
    expect(printed).toBe(
      "Not deployed: PHS_URL still points to this machine; name the platform's addresses, your pages' origins and the address the platform knows you by in wrangler.toml (docs/deploy.md).",
    );
  });

  test('refuses a relay of this machine', async () => {
    const {code, printed} = await run([
      'deploy',
      ...[...elsewhere, 'RELAY_URL:http://127.0.0.1:8788'].flatMap((value) => ['--var', value]),
    ]);
    expect(code).toBe(1);
    expect(printed).toMatch(/^Not deployed: RELAY_URL still points to this machine;/);
  });

  test.for(['https://shop.example http://localhost:5173', 'https://[::]', 'https://*.localhost'])(
    'refuses pages of this machine: %s',
    async (origins) => {
      const {code, printed} = await run([
        'deploy',
        ...[...elsewhere.slice(0, -1), `ALLOWED_ORIGINS:${origins}`].flatMap((value) => ['--var', value]),
      ]);
      expect(code).toBe(1);
      expect(printed).toBe(
        "Not deployed: ALLOWED_ORIGINS still points to this machine; name the platform's addresses, your pages' origins and the address the platform knows you by in wrangler.toml (docs/deploy.md).",
      );
    },
  );

  test("refuses the sandbox's secrets, and does not print them", async () => {
    const secrets = path.join(home, 'secrets.json');
    await writeFile(
      secrets,
      JSON.stringify({MERCHANT_KEY: 'sandbox-merchant-key', SESSION_SECRET: 'one of our own that is long enough'}),
    );
    const {code, printed} = await run([
      'deploy',
      ...elsewhere.flatMap((value) => ['--var', value]),
      '--secrets-file',
      secrets,
    ]);
    expect(code).toBe(1);
    expect(printed).toBe('Not deployed: MERCHANT_KEY still is a secret of the sandbox; set your own (docs/deploy.md).');
  });
});
