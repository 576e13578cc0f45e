// @ts-check
// Finds Prometheus for `npm run alerts`. On Debian, as root, it can install the package `prometheus`.

import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import process from 'node:process';
import {isRoot} from './chromium.mjs';
import {UserError} from './repo.mjs';

const isInstalled = () =>
  ['prometheus', 'promtool'].every((tool) => spawnSync(tool, ['--version'], {stdio: 'ignore'}).status === 0);

/** Installs Debian's `prometheus` if it is missing. @throws {UserError} if that is impossible. */
export function requirePrometheus() {
  if (isInstalled()) return;
  const missing = 'This command needs Prometheus: install `prometheus` and `promtool`, so that they are on the PATH.';
  if (!isRoot() || !existsSync('/usr/bin/apt-get')) throw new UserError(missing);
  console.log('Installing Prometheus …');
  // Debian's package would start Prometheus as a service on its usual port. With `RUNLEVEL`, the package's scripts do
  // not start the service.
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1'};
  spawnSync('apt-get', ['update', '-qq'], {env, stdio: 'ignore'});
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'prometheus'], {env, stdio: 'pipe'});
  } catch {
    throw new UserError(`\`apt-get install prometheus\` failed. ${missing}`);
  }
  if (!isInstalled()) throw new UserError(missing);
}

/** @param {string[]} args @throws {UserError} with promtool's output. */
export function promtool(args) {
  const {status, stdout, stderr} = spawnSync('promtool', args, {encoding: 'utf8'});
  if (status !== 0) throw new UserError(`promtool ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

/**
 * Starts Prometheus on this machine only.
 * @param {{config: string, data: string, port: number}} options
 */
export function startPrometheus({config, data, port}) {
  const child = spawn(
    'prometheus',
    [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`],
    {stdio: 'ignore'},
  );
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  return {
    async end() {
      child.kill();
      await ended;
    },
  };
}
