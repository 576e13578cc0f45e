// @ts-check
// `npm run sim`: plays histories of the Worker, each of which follows from a seed (docs/decisions/tests.md).

import process from 'node:process';
import {startNode} from '../cli/child-process.mjs';
import {install} from './lib/install.mjs';
import {repoPath, runToEnd} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

install();
const sim = startNode(runToEnd, [repoPath('sim', 'run.ts'), ...process.argv.slice(3)], {
  env: {TMPDIR: makeScratchFolder()},
  onOutput: (text) => void process.stdout.write(text),
});
process.exitCode = await sim.ended;
