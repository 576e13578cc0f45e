// @ts-check
// Installs what a package-lock.json lists, when node_modules does not hold it yet.

import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {UserError, root} from './repo.mjs';

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
 * @param {string} folder
 */
function isInstalled(folder) {
  const wanted = lockedPackages(path.join(folder, 'package-lock.json'));
  const present = lockedPackages(path.join(folder, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [where, {version, integrity, optional}] of Object.entries(wanted)) {
    if (where === '') continue;
    const found = present[where];
    if (!found && optional) continue;
    if (found?.version !== version || found?.integrity !== integrity) return false;
  }
  return true;
}

/**
 * Runs npm, the one that started this process where there is one.
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

/**
 * Runs `npm ci` unless everything is there.
 * @param {string} [folder] The repository by default; a folder with a package-lock.json of its own is installed on first use.
 */
export function install(folder = root) {
  if (isInstalled(folder)) return;
  const lock = path.join(path.relative(root, folder), 'package-lock.json');
  console.log(`Installing what ${lock} lists …`);
  if (!runNpm(['ci'], folder))
    throw new UserError(`What ${lock} lists could not be installed; what npm said stands above.`);
}
