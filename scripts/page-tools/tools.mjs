// @ts-check
// The packages of this folder, which `npm run page-tools` installs. They are not typed here, because a clone without
// them must pass the type checks.

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import {repoPath} from '../lib/repo.mjs';

export const folder = repoPath('scripts', 'page-tools');
const {resolve} = createRequire(`${folder}/index.js`);

/** @param {string} name @returns {Promise<any>} */
export const load = (name) => import(pathToFileURL(resolve(name)).href);

/** A file of an installed package. @param {string} path */
export const packageFile = (path) => `${folder}/node_modules/${path}`;

/** @param {string} name */
export const versionOf = (name) => JSON.parse(readFileSync(packageFile(`${name}/package.json`), 'utf8')).version;
