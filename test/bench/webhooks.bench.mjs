// @ts-check
// Delivers 10,000 events of 1,000 orders to a receiver that refuses 30 % of the requests, while the Worker's Durable
// Objects are aborted from time to time. Promise: all events arrive, in sequence for each order, with signatures that
// the public library accepts. This runs a test of the Worker with all its cases.

import process from 'node:process';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {tools} from '../../scripts/lib/repo.mjs';

const vitest = startNode(
  tools.vitest,
  [
    'run',
    '--project',
    'worker',
    'test/worker/objects/events/outbox.test.ts',
    '-t',
    'refuses three in ten',
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
