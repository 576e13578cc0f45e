// @ts-check
// 10,000 refund results over a platform that fails three times in ten, to objects that are evicted or cut off 100 times in the middle of their
// work: none lost, none twice. It is the Worker's own test, with all its cases.

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
