// @ts-check
// The files that the Worker serves. The package has the API description compressed.

import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {gunzipSync} from 'node:zlib';
import {packagePath} from './project.mjs';

/** Copies them from the package into a folder, which is emptied first. @param {string} folder */
export function copySite(folder) {
  rmSync(folder, {recursive: true, force: true});
  cpSync(packagePath('dist', 'site'), folder, {recursive: true});
  const description = gunzipSync(readFileSync(packagePath('dist', 'cli', 'openapi.json.gz')));
  writeFileSync(path.join(folder, 'openapi.json'), description);
}
