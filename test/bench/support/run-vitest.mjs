// @ts-check
// Runs test files of the Worker as a bench: with all their cases, printing every test.

import process from 'node:process';
import {startNode} from '../../../scripts/lib/child-process.mjs';
import {tools} from '../../../scripts/lib/repo.mjs';

/** Output that is not printed: messages about source maps, and about connections that tests break on purpose. */
const EXPECTED_OUTPUT = /^(Sourcemap for|uncaught exception|exception =|stack:) .*\n/gm;

/**
 * Runs vitest and takes over its exit code.
 * @param {string[]} args - The project and the test files, for `vitest run`.
 * @param {Record<string, string>} [env]
 */
export async function runVitest(args, env = {}) {
  const vitest = startNode(tools.vitest, ['run', ...args, '--reporter', 'verbose'], {
    env: {VEZNE_BENCH_SCALE: process.env['VEZNE_BENCH_SCALE'] ?? '1', ...env},
    onOutput: (text) => void process.stdout.write(text.replaceAll(EXPECTED_OUTPUT, '')),
  });
  process.exitCode = await vitest.ended;
}
