// @ts-check
// Runs npm.

import {spawnSync} from 'node:child_process';
import process from 'node:process';

/**
 * Runs npm. If npm started this process, runs that same npm.
 * @param {string[]} args
 * @param {string} folder
 * @returns {boolean} Whether it succeeded.
 */
export function runNpm(args, folder) {
  const npm = process.env['npm_execpath'];
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const {status} = npm
    ? spawnSync(process.execPath, [npm, ...all], {cwd: folder, stdio: 'inherit'})
    : spawnSync('npm', all, {cwd: folder, stdio: 'inherit', shell: process.platform === 'win32'});
  return status === 0;
}
