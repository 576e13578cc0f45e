// @ts-check
// Runs workerd, or another package that is one, with the configuration it is given, and prints on which ports it listens, a JSON line each.

import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import process from 'node:process';

/** @type {string} */
const workerd = createRequire(import.meta.url)(process.argv[3] ?? 'workerd').default;
const child = spawn(workerd, ['serve', process.argv[2] ?? '', '--control-fd=3'], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});
child.stdio[3]?.on('data', (bytes) => process.stdout.write(bytes));
child.on('exit', (code) => process.exit(code ?? 1));
