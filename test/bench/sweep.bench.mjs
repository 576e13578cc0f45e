// @ts-check
// 500 waiting pages and 5,000 transactions of one day: how often the platform is asked, and whether every page learns of its
// money. The counts are exact, so this is the Worker's own test of them, with all its cases.

import process from 'node:process';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {tools} from '../../scripts/lib/repo.mjs';

const vitest = startNode(
  tools.vitest,
  [
    'run',
    '--project',
    'worker',
    'test/worker/objects/sweep/sweep.test.ts',
    '-t',
    'two searches a sweep',
    '--reporter',
    'verbose',
  ],
  {
    env: {VEZNE_BENCH_SCALE: process.env['VEZNE_BENCH_SCALE'] ?? '1'},
    onOutput: (text) => void process.stdout.write(text.replaceAll(/^Sourcemap for .*\n/gm, '')),
  },
);
process.exitCode = await vitest.ended;
