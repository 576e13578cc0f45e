// @ts-check
// Sends 20,000 generated requests to the merchant API on the sandbox. Promise: the Worker has no internal error, and
// every answer matches the contract. `npm test` runs a hundredth of them
// (test/worker/routes/merchant/generated.test.ts).

import process from 'node:process';
import {startNode} from '../../scripts/lib/child-process.mjs';
import {tools} from '../../scripts/lib/repo.mjs';

const cases = Math.max(400, Math.round(20_000 * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));
const run = startNode(
  tools.vitest,
  ['run', '--project', 'merchant-api', 'generated', '--retry', '0', '--reporter', 'verbose'],
  {
    env: {VEZNE_GENERATED_CASES: String(cases)},
    onOutput: (text) => void process.stdout.write(text.replace(/^Sourcemap .*\n/gm, '')),
  },
);
process.exitCode = (await run.ended) ?? 1;
