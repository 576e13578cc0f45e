// @ts-check
// Copies of secrets that exist only while a command runs. A command that was killed leaves them behind, so the next
// command, whichever it is, removes those of processes that no longer run.

import {mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {generatedPath} from './project.mjs';
import {writePrivateFile} from './secrets.mjs';

/** The secrets for wrangler, the folders of `vezne dev`, and the files that are named after them. */
const TEMPORARY = /^(secrets\.json|dev(?:-\d+-\d+)?)(?:\.|$)/;
const OWNER = '.owner';

/** @typedef {{pid: number, origin?: string | undefined}} Owner The process that uses a copy, and where its Worker answers. */

/**
 * Reserves a name for this process until it ends, or until the returned function is called.
 * @param {string} name - `secrets.json`, or that of a folder.
 * @param {{folder?: string, origin?: string, pid?: number | undefined}} [options]
 * @returns {() => void} Removes what has this name.
 */
export function reserve(name, {folder = generatedPath(), origin, pid = process.pid} = {}) {
  const target = path.join(folder, name);
  remove(target);
  mkdirSync(folder, {recursive: true});
  writePrivateFile(target + OWNER, JSON.stringify({pid, origin}));
  const release = () => {
    remove(target);
    process.off('exit', release);
  };
  process.on('exit', release);
  return release;
}

/** @param {string} [folder] */
export function removeLeftovers(folder = generatedPath()) {
  const leftovers = namesIn(folder).filter((name) => {
    const [, reserved] = TEMPORARY.exec(name) ?? [];
    return reserved && !isRunning(ownerOf(path.join(folder, reserved)));
  });
  for (const name of leftovers) remove(path.join(folder, name));
}

/** The addresses at which a `vezne dev` of this folder answers now. @param {string} [folder] */
export const runningDev = (folder = generatedPath()) =>
  namesIn(folder).flatMap((name) => {
    const owner = name.endsWith(OWNER) ? ownerOf(path.join(folder, name.slice(0, -OWNER.length))) : null;
    return owner?.origin && isRunning(owner) ? [owner.origin] : [];
  });

/** @param {string} target */
function remove(target) {
  rmSync(target, {recursive: true, force: true});
  rmSync(target + OWNER, {force: true});
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @param {string} target @returns {Owner | null} */
function ownerOf(target) {
  try {
    return JSON.parse(readFileSync(target + OWNER, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {Owner | null} owner */
function isRunning(owner) {
  if (owner === null || owner.pid === process.pid) return false;
  try {
    return process.kill(owner.pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
