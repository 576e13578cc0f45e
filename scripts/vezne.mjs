// @ts-check
// `npm start`, `npm run init`, `npm run deploy` and `npm run doctor`: run a command of `cli/` with the Node of this clone.

import {spawn} from 'node:child_process';
import process from 'node:process';
import {whenNpmEnds} from '../cli/child-process.mjs';
import {install} from './lib/install.mjs';
import {nodeBinary, repoPath, root} from './lib/repo.mjs';

const COMMANDS = new Map([
  ['start', 'dev'],
  ['init', 'new'],
]);
const [name = '', ...args] = process.argv.slice(2);

install();
const options = ['--no-warnings', '--experimental-transform-types'];
const command = [repoPath('scripts', 'lib', 'clone.mjs'), COMMANDS.get(name) ?? name, ...args];
const child = spawn(nodeBinary(), [...options, ...command], {
  cwd: root,
  env: {...process.env, NODE_OPTIONS: '', VEZNE_LAUNCHER_PIPE: '3'},
  stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
});
// Ctrl-C reaches every process of the terminal. Other signals, and those of a script, reach only this process.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => child.kill(signal));
child.on('close', (code) => process.exit(code ?? 1));
whenNpmEnds(() => child.kill('SIGTERM'));
