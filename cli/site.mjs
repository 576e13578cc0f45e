// @ts-check
// The files that the Worker serves.

import {cpSync, rmSync} from 'node:fs';
import {packagePath} from './project.mjs';

/** Copies them from the package into a folder, which is emptied first. @param {string} folder */
export function copySite(folder) {
  rmSync(folder, {recursive: true, force: true});
  cpSync(packagePath('dist', 'site'), folder, {recursive: true});
}
