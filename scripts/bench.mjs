// @ts-check
// `npm run bench`: every test/bench/*.bench.mjs in turn, one process each. `npm run bench -- <part of a name>` runs those.
// A bench prints what it measured; VEZNE_BENCH_SCALE says which part of its cases to run (1 here, 0.02 within `npm test`).

import {existsSync, readdirSync} from 'node:fs';
import process from 'node:process';
import {startNode} from './lib/child-process.mjs';
import {install} from './lib/install.mjs';
import {repoPath, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

const folder = repoPath('test', 'bench');
const namePart = process.argv[3] ?? '';
const benches = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.bench.mjs') && file.includes(namePart))
      .sort()
  : [];
if (benches.length === 0)
  throw new UserError(namePart ? `No bench is named like "${namePart}".` : 'There is no bench in test/bench yet.');

install();
const scratch = makeScratchFolder();
for (const file of benches) {
  console.log(`\n── ${file} ──`);
  const bench = startNode(repoPath('test', 'bench', file), [], {
    env: {VEZNE_BENCH_SCALE: process.env['VEZNE_BENCH_SCALE'] ?? '1', TMPDIR: scratch},
    onOutput: (text) => void process.stdout.write(text),
  });
  if ((await bench.ended) !== 0) process.exitCode = 1;
}
