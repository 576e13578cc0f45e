// @ts-check
// Sends 10,000 refund results while 30 % of the platform's answers fail, to Durable Objects that are evicted or aborted
// 100 times in the middle of their work. Promise: no result is lost or applied twice. This runs a test of the Worker
// with all its cases.

import process from 'node:process';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {tools} from '../../scripts/lib/repo.mjs';

const vitest = startNode(
  tools.vitest,
  [
    'run',
    '--project',
    'worker',
    'test/worker/routes/notifications/refund-results.test.ts',
    '-t',
    'none lost, none twice',
    '--reporter',
    'verbose',
  ],
  {
    env: {VEZNE_BENCH_SCALE: process.env['VEZNE_BENCH_SCALE'] ?? '1'},
    onOutput: (text) =>
      void process.stdout.write(text.replaceAll(/^(Sourcemap for|uncaught exception|exception =|stack:) .*\n/gm, '')),
  },
);
process.exitCode = await vitest.ended;
