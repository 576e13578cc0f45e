/** Runs the npm commands as a user does. */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {freePort} from '../../cli/ports.mjs';
import {repoPath, root} from '../../scripts/lib/repo.mjs';
import {runHere} from '../cli/support/in-process.ts';

interface Result {
  readonly code: number | null;
  readonly printed: string;
}

function command(
  args: readonly string[],
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, 'scripts/run.cjs', ...args], {
    cwd: root,
    // A developer's own configuration must not change what these tests see.
    env: {...process.env, NODE_OPTIONS: '', VEZNE_CONFIG: 'wrangler.toml', ...env},
  });
}

/** Collects what the process prints. The returned `text` grows with the output. */
function collectOutput(child: ChildProcess): {text: string} {
  const output = {text: ''};
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (output.text += data.toString()));
  return output;
}

async function run(...commandArguments: Parameters<typeof command>): Promise<Result> {
  const child = command(...commandArguments);
  const output = collectOutput(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return {code, printed: output.text.trim()};
}

const refuseToStart = (env: Record<string, string>) => runHere(['dev'], {VEZNE_CONFIG: 'wrangler.toml', ...env});

const isServing = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vezne-scripts-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

describe('Every command', () => {
  test('a command on an old Node prints which Node it needs', async () => {
    const pretendNode18 = path.join(folder, 'pretend-node-18.cjs');
    await writeFile(
      pretendNode18,
      "Object.defineProperty(process, 'versions', {value: {...process.versions, node: '18.20.1'}});",
    );
    const {code, printed} = await run(['start'], {}, ['--require', pretendNode18]);
    expect({code, printed}).toEqual({code: 1, printed: 'Vezne needs Node 20 or newer; this is Node 18.20.1.'});
  });
});

describe('npm start', () => {
  test('npm start says which port is in use and how to choose another', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const {port} = otherServer.address() as {port: number};
    // The next port that could be suggested is in use too.
    const next = createServer().listen(port + 10);
    await Promise.race([once(next, 'listening'), once(next, 'error')]);
    const {code, printed} = await refuseToStart({PORT: String(port)});
    otherServer.close();
    next.close();
    expect(code).toBe(1);
    const [, suggested] =
      /^Port \d+ is in use: stop the program that listens there, or run PORT=(\d+) npm start\.$/.exec(printed) ?? [];
    expect(Number(suggested)).toBeGreaterThan(port + 10);
  });

  test('if the sandbox’s port is in use, the advice of npm start keeps the PORT that the user has set', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const {port} = otherServer.address() as {port: number};
    const own = await freePort();
    const {printed} = await refuseToStart({PORT: String(own), SANDBOX_PORT: String(port)});
    otherServer.close();
    expect(printed).toMatch(new RegExp(`or run PORT=${own} SANDBOX_PORT=\\d+ npm start\\.`));
  });

  test('npm start rejects a port that is not a number, and two equal ports', async () => {
    const {code, printed} = await refuseToStart({SANDBOX_PORT: 'eighty'});
    expect({code, printed}).toEqual({
      code: 1,
      printed: 'SANDBOX_PORT must be a port number between 1 and 65535, not "eighty".',
    });
    const same = await refuseToStart({PORT: '5199', SANDBOX_PORT: '5199'});
    expect(same).toEqual({
      code: 1,
      printed: 'PORT and SANDBOX_PORT are both 5199: the Worker and the sandbox need different ports.',
    });
  });

  // `child-process.test.ts` tests that no process is left when a command is killed with another signal.
  test('npm start serves the demo and README.md’s first page, and leaves no server running after SIGTERM', async () => {
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const npmStart = command(['start'], {PORT: String(port), SANDBOX_PORT: String(sandboxPort)});
    onTestFinished(() => void npmStart.kill('SIGKILL'));
    const output = collectOutput(npmStart);
    const [page, sandbox] = [`http://localhost:${port}`, `http://localhost:${sandboxPort}`];
    await expect.poll(() => output.text, {timeout: 180_000}).toContain(`Demo site  ${page}\n  Sandbox    ${sandbox}\n`);
    expect(await (await fetch(`${page}/health`)).json()).toMatchObject({status: 'ok', bindings: []});
    expect(await (await fetch(`${page}/shop`)).text()).toContain('<vezne-checkout offer="gold"');
    expect((await fetch(`${page}/vezne.js`)).status).toBe(200);

    // The first HTML example of README.md works with these servers as they are.
    const [, script = '', offer = ''] =
      /```html\n<!doctype html>\n<html .*>\n<link .*>\n<script type="module" src="http:\/\/localhost:5173(.*)"><\/script>\n<vezne-checkout offer="(\w+)">/.exec(
        await readFile(repoPath('README.md'), 'utf8'),
      ) ?? [];
    expect((await fetch(`${page}${script}`)).headers.get('content-type')).toContain('javascript');
    const session = await fetch(`${page}/v1/sessions`, {
      method: 'POST',
      headers: {origin: 'http://localhost:8000', 'content-type': 'application/json'},
      body: JSON.stringify({offer}),
    });
    expect({status: session.status, answer: await session.json()}).toMatchObject({
      status: 201,
      answer: {kind: 'payment', amount: '149.90'},
    });

    npmStart.kill('SIGTERM');
    expect(await once(npmStart, 'exit')).toEqual([0, null]);
    await expect.poll(() => isServing(page)).toBe(false);
    await expect.poll(() => isServing(sandbox)).toBe(false);
    await Promise.all([
      rm(repoPath('dist', `demo-${port}-${sandboxPort}`), {recursive: true, force: true}),
      rm(repoPath('.wrangler', `state-${port}-${sandboxPort}`), {recursive: true, force: true}),
      rm(repoPath('sandbox', '.wrangler', `state-${port}-${sandboxPort}`), {recursive: true, force: true}),
    ]);
  });
});

describe('npm test', () => {
  test('npm test with an unknown step lists the steps', async () => {
    const {code, printed} = await run(['test', 'everything']);
    expect(code).toBe(1);
    expect(printed).toMatch(
      /^There is no step "everything"\. The steps are build, format, .*elements, .*e2e, .*bytes\.$/,
    );
  });

  test('npm test says that CHROME_PATH is not an executable file', async () => {
    const {code, printed} = await run(['test', 'elements'], {CHROME_PATH: '/nowhere/chrome'});
    expect(code).toBe(1);
    expect(printed).toContain('CHROME_PATH is not an executable file: /nowhere/chrome');
    expect(printed.split('\n').at(-1)).toBe('0 passed, 1 failed');
  });
});
