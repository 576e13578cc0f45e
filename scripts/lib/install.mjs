// @ts-check
// Installs the packages of a package-lock.json unless node_modules already holds them.

import {readFileSync} from 'node:fs';
import path from 'node:path';
import {runNpm} from '../../cli/npm.mjs';
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
 * Compares the lock with npm's own record of the installed packages. The times of the files would not be reliable,
 * because a checkout, an unpacked archive and `npm install` each set them in a different order.
 * @param {string} folder
 */
function isInstalled(folder) {
  const wanted = lockedPackages(path.join(folder, 'package-lock.json'));
  const present = lockedPackages(path.join(folder, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [installPath, {version, integrity, optional}] of Object.entries(wanted)) {
    if (installPath === '') continue;
    const found = present[installPath];
    if (!found && optional) continue;
    if (found?.version !== version || found?.integrity !== integrity) return false;
  }
  return true;
}

/**
 * Runs `npm ci` unless everything is installed.
 * @param {string} [folder] - A folder with a package-lock.json; by default the repository.
 */
export function install(folder = root) {
  if (isInstalled(folder)) return;
  const lock = path.join(path.relative(root, folder), 'package-lock.json');
  console.log(`Installing the packages of ${lock} …`);
  if (!runNpm(['ci'], folder))
    throw new UserError(`The packages of ${lock} could not be installed; see npm's output above.`);
}
