// @ts-check
// `npm run planted`: plants each fault of `test/planted/`, and runs the test file that has to find it. `-- <text>` takes
// only the faults whose file name or title contains the text. A patch begins with the fault's title and the lines
// `before:` (which test found it when the patch was written, and in how many seconds) and `now:` (the arguments of
// `npm test`).

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {startNode} from '../cli/child-process.mjs';
import {install} from './lib/install.mjs';
import {repoPath, UserError} from './lib/repo.mjs';

const folder = repoPath('test', 'planted');
const text = process.argv[3] ?? '';

/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', args, {cwd: repoPath(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});

const faults = readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .map((name) => {
    const patch = readFileSync(path.join(folder, name), 'utf8');
    const [title = ''] = patch.split('\n', 1);
    const [, step = ''] = /^now: (.+)$/m.exec(patch) ?? [];
    if (!step) throw new UserError(`test/planted/${name} has no line "now: <arguments of npm test>".`);
    return {name, title, step};
  })
  .filter(({name, title}) => `${name} ${title}`.includes(text));
if (faults.length === 0) throw new UserError(`No fault in test/planted has "${text}" in its name or title.`);

install();
let planted = '';
const remove = () => {
  if (planted) git('apply', '--reverse', planted);
  planted = '';
};
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => {
    remove();
    process.exit(1);
  });

let found = 0;
for (const {name, title, step} of faults) {
  const file = path.join(folder, name);
  git('apply', file);
  planted = file;
  const startedAt = performance.now();
  const test = startNode(repoPath('scripts', 'run.cjs'), ['test', ...step.split(' ')]);
  const code = await test.ended;
  remove();
  // A run that could not begin has no failed test.
  const isFound = code !== 0 && /[1-9]\d* failed\s*$/.test(test.output());
  if (isFound) found += 1;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(3);
  console.log(`${isFound ? 'found    ' : 'NOT FOUND'} ${seconds} s  ${name}: ${title}`);
}
console.log(`\n${found} passed, ${faults.length - found} failed`);
process.exitCode = found === faults.length ? 0 : 1;
