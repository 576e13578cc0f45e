// @ts-check
// Runs sweeps for 500 waiting pages and a day with 5,000 transactions, and counts the calls to the platform. Promise:
// every page learns of its money. The counts are exact, so this runs a test of the Worker with all its cases.

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
