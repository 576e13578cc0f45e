// @ts-check
// Starts a tool with the project's Node, in its own process group, and ends the whole group. This file does not use
// execa. Version 9 of execa signals one process, not its group, so most of this file would still be needed. Version 10
// signals groups (`killDescendants`) but needs Node 22, and the commands that start tools have to run on Node 20.

import {spawn, spawnSync} from 'node:child_process';
import process from 'node:process';
import {nodeBinary, projectPath} from './project.mjs';

const onWindows = process.platform === 'win32';
/** How long a process, or a group, has to end by itself before it is killed. */
const END_MS = 4_000;

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {Promise<number>} ended The exit code; 1 if a signal ended the process. What the process started and left
 *   in its group is killed first, so that nothing else can hold its output open.
 * @property {() => string} output The last 64 kB of its output.
 * @property {(signal?: NodeJS.Signals) => Promise<void>} end Signals the group, by default with SIGTERM, and
 *   waits until the process has ended. After four seconds it kills the group.
 */

/**
 * @param {string} script
 * @param {string[]} args
 * @param {{env?: Record<string, string>, cwd?: string, onOutput?: (text: string) => void}} [options]
 * @returns {Child}
 */
export function startNode(script, args, {env = {}, cwd = projectPath(), onOutput} = {}) {
  const child = spawn(
    nodeBinary(),
    ['--no-warnings', '--import', new URL('die-with-parent.mjs', import.meta.url).href, script, ...args],
    {
      cwd,
      // A test runner sets NODE_OPTIONS for its own child processes; these options must not apply here.
      env: {...process.env, NODE_OPTIONS: '', ...(process.stdout.isTTY ? {FORCE_COLOR: '1'} : {NO_COLOR: '1'}), ...env},
      // `die-with-parent.mjs` reads the first pipe and writes the exit code to the last one.
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: !onWindows,
    },
  );
  const pid = child.pid ?? 0;
  let output = '';
  /** @param {Buffer} data */
  const collect = (data) => {
    output = (output + data.toString()).slice(-65_536);
    onOutput?.(data.toString());
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  // Symptom: a process has printed its result, and never ends. Cause: Node can deadlock while it shuts down
  // (github.com/nodejs/node/issues/54918). Therefore a process that has exit code and does not end is killed. Delete this
  // when that issue is closed.
  let exitCode = 1;
  /** @type {NodeJS.Timeout | undefined} */
  let exitTimer;
  child.stdio[3]?.on('data', (code) => {
    exitCode = Number(code);
    exitTimer = setTimeout(() => signalGroup(pid, 'SIGKILL'), END_MS);
  });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      collect(Buffer.from(error.message));
      resolve(1);
    });
    child.on('exit', () => {
      clearTimeout(exitTimer);
      if (!onWindows) signalGroup(pid, 'SIGKILL');
    });
    child.on('close', (code) => resolve(code ?? exitCode));
  });
  return {
    pid,
    ended,
    output: () => output,
    async end(signal = 'SIGTERM') {
      signalGroup(pid, signal);
      const killTimer = setTimeout(() => signalGroup(pid, 'SIGKILL'), END_MS);
      await ended;
      clearTimeout(killTimer);
    },
  };
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  if (!pid) return;
  if (onWindows) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

/**
 * Acts when npm or npx, which has started this process, has ended: they end their shell, but not what it has started.
 * @param {() => void} act
 */
export function whenNpmEnds(act) {
  const shell = process.ppid;
  if (process.env['npm_command'] === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    act();
  }, 1000);
  timer.unref();
}
