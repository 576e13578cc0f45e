// @ts-check
// Runs the workerd that is installed in a folder: node run-workerd.mjs <configuration> <folder>. Prints its process id
// and the ports it listens on, one JSON line each.

import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';

const [configuration = '', folder = ''] = process.argv.slice(2);
/** @type {string} */
const workerd = createRequire(import.meta.url)(path.join(folder, 'node_modules', 'workerd')).default;
const child = spawn(workerd, ['serve', configuration, '--control-fd=3'], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});
process.stdout.write(`${JSON.stringify({event: 'start', pid: child.pid})}\n`);
child.stdio[3]?.on('data', (bytes) => process.stdout.write(bytes));
child.on('exit', (code) => process.exit(code ?? 1));
