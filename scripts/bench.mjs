// @ts-check
// `npm run bench` runs every test/bench/*.bench.mjs, one after another, each in its own process.
// `npm run bench -- <text>` runs only the benches whose file name contains the text.
// A bench prints its measurements. VEZNE_BENCH_SCALE is the fraction of its cases to run; the default is 1.

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
  throw new UserError(
    namePart ? `No bench in test/bench has "${namePart}" in its name.` : 'There are no benches in test/bench.',
  );

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
