// @ts-check
// Runs workerd with the configuration file it is given.

import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import process from 'node:process';

/** @type {string} */
const workerd = createRequire(import.meta.url)('workerd').default;
const child = spawn(workerd, ['serve', process.argv[2] ?? ''], {stdio: ['ignore', 'inherit', 'inherit']});
child.on('exit', (code) => process.exit(code ?? 1));
