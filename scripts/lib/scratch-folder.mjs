// @ts-check
// Where a run of the tests keeps what it throws away: the state of every Worker, sandbox and browser it starts.

import {accessSync, constants, mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 31;

/**
 * A folder that is gone when this process is. It lies in memory where the system has room there: an object's every commit
 * waits for the disk otherwise, which made most of what tests of objects waited for.
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
