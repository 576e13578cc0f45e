/** Tests that a command leaves no running processes behind, however the command ends, and that a finished one ends. */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {startNode} from '../../cli/child-process.mjs';
import {repoPath, runToEnd} from '../../scripts/lib/repo.mjs';

/** The command starts a tool, and the tool starts a server, as wrangler starts workerd. The server prints its port. */
const COMMAND = `
import {startNode} from ${JSON.stringify(repoPath('cli', 'child-process.mjs'))};
startNode(process.argv[2], [process.argv[3]], {onOutput: (text) => process.stdout.write(text)});
`;
const TOOL = `
import {spawn} from 'node:child_process';
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
spawn(process.execPath, [process.argv[2]], {stdio: ['ignore', 'inherit', 'inherit']});
`;
/** Leaves a socket, a timer and a child open, and the child holds the output open. */
const UNTIDY = `
import {spawn} from 'node:child_process';
import {createServer} from 'node:http';
setInterval(() => {}, 1000);
await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve));
const {pid} = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: ['ignore', 'inherit', 'inherit']});
console.log(pid);
process.exitCode = 3;
`;
/** Hangs where Node hangs when it deadlocks: after its last event. */
const HANGING = `
process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
process.exitCode = 3;
`;
/** Lives on after a thread and a forked process have ended. */
const LASTING = `
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {Worker} from 'node:worker_threads';
if (process.argv[2] === 'forked') process.exit(3);
await once(new Worker('', {eval: true}), 'exit');
const [code] = await once(fork(import.meta.filename, ['forked'], {stdio: ['ignore', 'inherit', 'inherit', 'ipc']}), 'exit');
setTimeout(() => process.exit(code), 4_500);
`;
const SERVER = `
import {createServer} from 'node:http';
const server = createServer((request, response) => response.end()).listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vezne-processes-'));
  for (const [name, text] of Object.entries({COMMAND, TOOL, UNTIDY, HANGING, LASTING, SERVER}))
    await writeFile(file(name), text);
});
afterAll(() => rm(folder, {recursive: true, force: true}));

const file = (name: string) => path.join(folder, `${name}.mjs`);

function startCommand(): ChildProcess {
  const command = spawn(process.execPath, [file('COMMAND'), file('TOOL'), file('SERVER')], {
    env: {...process.env, NODE_OPTIONS: ''},
  });
  onTestFinished(() => void command.kill('SIGKILL'));
  return command;
}

const isServing = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.for(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'after %s has ended a command, the server that the command’s tool started ends too',
  async (signal) => {
    const command = startCommand();
    const [port] = (await once(command.stdout ?? command, 'data')) as [Buffer];
    const address = `http://127.0.0.1:${String(port).trim()}`;
    expect(await isServing(address)).toBe(true);
    command.kill(signal);
    await once(command, 'exit');
    await expect.poll(() => isServing(address)).toBe(false);
  },
);

test('a module that has run ends its process, also with a socket, a timer and a child that are open', async () => {
  const {ended, output} = startNode(runToEnd, [file('UNTIDY')]);
  expect(await ended).toBe(3);
  const child = Number(output());
  expect(child).toBeGreaterThan(0);
  await expect.poll(() => isRunning(child)).toBe(false);
});

test('a process that has its exit code, but does not end, is killed', async () => {
  expect(await startNode(file('HANGING'), []).ended).toBe(3);
});

test('a process is not killed because a thread of it, or a process that it forked, has ended', async () => {
  expect(await startNode(file('LASTING'), []).ended).toBe(3);
});
