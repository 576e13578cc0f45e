// @ts-check
// A temporary folder for one run of a command: it holds the state of every Worker, sandbox and browser that the command
// starts. A command that uses it ends with a signal, and with npm.

import {accessSync, constants, mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {whenNpmEnds} from '../../cli/child-process.mjs';

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 31;

/**
 * Makes a folder that is deleted when this process ends. The folder is in memory if enough memory is free. On a disk,
 * each commit of a Durable Object takes so long that the tests would spend most of their time waiting.
 */
export function makeScratchFolder() {
  endWithSignals();
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? MEMORY_FOLDER : tmpdir(), 'vezne-test-'));
  process.on('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 3}));
  return folder;
}

let hasEnd = false;

/**
 * Ends the process with a signal or with npm, so that its folder is deleted, and its browsers and servers end. The
 * drivers of browsers listen for signals too, and then Node does not end the process.
 */
function endWithSignals() {
  if (hasEnd) return;
  hasEnd = true;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      console.log(`\nStopped by ${signal}.`);
      process.exit(1);
    });
  whenNpmEnds(() => process.exit(1));
}

function hasRoomInMemory() {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const {bavail, bsize} = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
