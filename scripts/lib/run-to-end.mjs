// @ts-check
// Runs a module, and ends the process when the module has run and its output is written: node run-to-end.mjs <module> …
// Nothing that the module left open, such as a socket, a timer or a child process, keeps the process alive.

import process from 'node:process';
import {pathToFileURL} from 'node:url';

process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1] ?? '').href);
for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
process.exit();
