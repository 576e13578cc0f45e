// @ts-check

import {readFileSync} from 'node:fs';
import {inHouse} from './repo.mjs';

/** The version of the kit. @type {string} */
export const version = JSON.parse(readFileSync(inHouse('package.json'), 'utf8')).version;
