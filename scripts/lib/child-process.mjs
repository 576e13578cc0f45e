// @ts-check
// Starts a tool on the project's Node as the leader of its own process group, and ends the whole group.
// Why not execa: version 9 signals one process, not its group, so most of this file would stay. Version 10 signals groups
// (`killDescendants`) but needs Node 22, and the commands that start tools have to run on Node 20.

import {spawn, spawnSync} from 'node:child_process';
import process from 'node:process';
import {nodeBinary, root} from './repo.mjs';

const onWindows = process.platform === 'win32';

/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {Promise<number>} ended Exit code, 1 where a signal ended it.
 * @property {() => string} output The last 64 kB of what it printed.
 * @property {(signal?: NodeJS.Signals) => Promise<void>} end Asks (or, with SIGKILL, does not ask) the group to end and waits for it.
 */

/**
 * @param {string} script
 * @param {string[]} args
 * @param {{env?: Record<string, string>, cwd?: string, onOutput?: (text: string) => void}} [options]
 * @returns {Child}
 */
export function startNode(script, args, {env = {}, cwd = root, onOutput} = {}) {
  const child = spawn(
    nodeBinary(),
    ['--no-warnings', '--import', new URL('die-with-parent.mjs', import.meta.url).href, script, ...args],
    {
      cwd,
      // What a test runner tells its own children about Node is nothing for ours.
      env: {...process.env, NODE_OPTIONS: '', ...(process.stdout.isTTY ? {FORCE_COLOR: '1'} : {NO_COLOR: '1'}), ...env},
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: !onWindows,
    },
  );
  let kept = '';
  /** @param {Buffer} data */
  const take = (data) => {
    kept = (kept + data.toString()).slice(-65_536);
    onOutput?.(data.toString());
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      take(Buffer.from(error.message));
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
  const pid = child.pid ?? 0;
  return {
    pid,
    ended,
    output: () => kept,
    async end(signal = 'SIGTERM') {
      signalGroup(pid, signal);
      const patience = setTimeout(() => signalGroup(pid, 'SIGKILL'), 4000);
      await ended;
      clearTimeout(patience);
      // The head may have ended before the rest of its group.
      signalGroup(pid, 'SIGKILL');
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
    // Already gone.
  }
}
