// @ts-check
// A temporary folder for one run of a command: it holds the state of every Worker, sandbox and browser that the command
// starts.

import {accessSync, constants, mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 31;

/**
 * Makes a folder that is deleted when this process ends. The folder is in memory if enough memory is free. On a disk,
 * each commit of a Durable Object takes so long that the tests would spend most of their time waiting.
 */
export function makeScratchFolder() {
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? MEMORY_FOLDER : tmpdir(), 'vezne-test-'));
  process.on('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 3}));
  return folder;
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
