// @ts-check
// The platform's limits at fifty times the load, by 200 at once, with 25 crashes and clocks up to five minutes wrong. The counts are
// exact, so these are the Worker's own tests of them with the whole limit: three days of 50,000 calls for 1,000, and two minutes of five a second and of one.

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
