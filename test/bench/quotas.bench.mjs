// @ts-check
// Tests the platform's quotas at fifty times the load, with 200 calls at the same time, 25 crashes and clocks that are
// up to five minutes wrong. The counts are exact, so this runs tests of the Worker with the whole limits: three days
// with 50,000 calls a day for a limit of 1,000, and two minutes for limits of five calls and one call a second.

import process from 'node:process';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {tools} from '../../scripts/lib/repo.mjs';

const vitest = startNode(
  tools.vitest,
  [
    'run',
    '--project',
    'worker',
    'test/worker/objects/limits/quota.test.ts',
    '-t',
    'fifty times the load',
    '--reporter',
    'verbose',
  ],
  {
    env: {VEZNE_BENCH_SCALE: process.env['VEZNE_BENCH_SCALE'] ?? '1'},
    onOutput: (text) => void process.stdout.write(text.replaceAll(/^Sourcemap for .*\n/gm, '')),
  },
);
process.exitCode = (await vitest.ended) ?? 1;
