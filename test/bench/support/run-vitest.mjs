// @ts-check
// Runs tests in workerd as a bench: with the bench's number of cases, printing every test and its figures.

import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {startNode} from '../../../cli/child-process.mjs';
import {tools} from '../../../scripts/lib/repo.mjs';
import {check} from './bench.mjs';

/** Output that is not printed: messages about source maps, and about connections that tests break on purpose. */
const EXPECTED_OUTPUT = /^(Sourcemap for|uncaught exception|exception =|stack:|JSON report) .*\n/gm;

/**
 * Runs vitest. The bench fails if a test fails, or if no test runs: vitest would accept a title that no test has.
 * @param {string} project
 * @param {string[]} args - The test files, and `-t` with a part of the tests' titles.
 * @param {Record<string, string>} [env]
 */
export async function runVitest(project, args, env = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
  const report = path.join(folder, 'report.json');
  try {
    const reporters = ['--reporter', 'verbose', '--reporter', 'json', `--outputFile.json=${report}`];
    // Of tests that pass, the titles and figures are printed, but not what the Worker logs.
    const options = [...reporters, '--hideSkippedTests', '--silent=passed-only'];
    const vitest = startNode(tools.vitest, ['run', '--project', project, ...args, ...options], {
      env: {VEZNE_BENCH_SCALE: process.env['VEZNE_BENCH_SCALE'] ?? '1', ...env},
      onOutput: (text) => void process.stdout.write(text.replaceAll(EXPECTED_OUTPUT, '')),
    });
    const code = await vitest.ended;
    const {numPassedTests} = code === 0 ? JSON.parse(readFileSync(report, 'utf8')) : {numPassedTests: 0};
    check(`${numPassedTests} tests pass`, numPassedTests > 0);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
