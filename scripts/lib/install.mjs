// @ts-check
// Installs what package-lock.json asks for, when it is not what stands in node_modules.

import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import process from 'node:process';
import {repoPath, UserError, root} from './repo.mjs';

/** @typedef {{version?: string, integrity?: string, optional?: boolean, peer?: boolean}} LockedPackage */

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Compares what is locked with npm's own record of what it installed. Times say less: a checkout, an unpacked
 * archive and `npm install` itself each set them in another order.
 */
export function isInstalled() {
  const wanted = lockedPackages(repoPath('package-lock.json'));
  const present = lockedPackages(repoPath('node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [where, {version, integrity, optional}] of Object.entries(wanted)) {
    if (where === '') continue;
    const found = present[where];
    if (!found && optional) continue;
    if (found?.version !== version || found?.integrity !== integrity) return false;
  }
  return true;
}

/** Runs `npm ci` unless everything is there. */
export function install() {
  if (isInstalled()) return;
  console.log('Installing what package-lock.json lists …');
  const npm = process.env['npm_execpath'];
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = npm
    ? spawnSync(process.execPath, [npm, ...args], {cwd: root, stdio: 'inherit'})
    : spawnSync('npm', args, {cwd: root, stdio: 'inherit', shell: process.platform === 'win32'});
  if (done.status !== 0) throw new UserError('Installing failed; what npm said stands above.');
}
