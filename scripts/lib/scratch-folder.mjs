// @ts-check
// Where a run of the tests keeps what it throws away: the state of every Worker, sandbox and browser it starts.

import {accessSync, constants, mkdtempSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;

/**
 * A folder that is gone when this process is. It lies in memory where the system has room there: an object's every commit
 * waits for the disk otherwise, which made most of what tests of objects waited for.
 */
export function makeScratch() {
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), 'vezne-test-'));
  process.on('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 3}));
  return folder;
}

function hasRoomInMemory() {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const {bavail, bsize} = statfsSync(IN_MEMORY);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
