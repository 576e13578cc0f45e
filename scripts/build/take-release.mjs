// @ts-check
// Takes from a packed version what later versions need: the pinned files, which every later deployment serves, and the
// Worker, whose objects every later Worker continues.

import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {gzipSync} from 'node:zlib';

/**
 * @param {string} packed - The folder of the unpacked package, with its built files in `dist/`.
 * @param {string} version
 * @param {string} releases - The folder of all releases.
 * @returns {string} The folder of the release.
 */
export function takeRelease(packed, version, releases) {
  const from = path.join(packed, 'dist', 'site', 'vezne', version);
  const to = path.join(releases, version);
  /** @type {{files: Record<string, string>}} */
  const {files} = JSON.parse(readFileSync(path.join(from, 'release.json'), 'utf8'));
  for (const file of ['release.json', ...Object.keys(files)]) {
    mkdirSync(path.dirname(path.join(to, file)), {recursive: true});
    cpSync(path.join(from, file), path.join(to, file));
  }
  const worker = readFileSync(path.join(packed, 'dist', 'worker', 'index.js'));
  writeFileSync(path.join(to, 'worker.js.gz'), gzipSync(worker, {level: 9}));
  return to;
}
