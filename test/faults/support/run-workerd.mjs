// @ts-check
// Runs workerd, or another package that is one, with the configuration it is given, and prints its process id and on which ports it listens, a JSON line each.

import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import process from 'node:process';

/** @type {string} */
const workerd = createRequire(import.meta.url)(process.argv[3] ?? 'workerd').default;
const child = spawn(workerd, ['serve', process.argv[2] ?? '', '--control-fd=3'], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});
process.stdout.write(`${JSON.stringify({event: 'start', pid: child.pid})}\n`);
child.stdio[3]?.on('data', (bytes) => process.stdout.write(bytes));
child.on('exit', (code) => process.exit(code ?? 1));
