// @ts-check
// Runs a test with the cases of VEZNE_BENCH_SCALE, and prints its figures: node run-scaled-test.mjs <name>.

import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {startNode} from '../../../cli/child-process.mjs';
import {repoPath, runToEnd, tools} from '../../../scripts/lib/repo.mjs';
import {SCALED_TESTS} from '../scaled-tests.mjs';
import {check} from './bench.mjs';

/** Output that is not printed: messages about source maps, and about connections that tests break on purpose. */
const EXPECTED_OUTPUT = /^(Sourcemap for|uncaught exception|exception =|stack:|JSON report) .*\n/gm;
/** @param {string} text */
const onOutput = (text) => void process.stdout.write(text.replaceAll(EXPECTED_OUTPUT, ''));

/** Fails if a test fails, or if no test runs: vitest would accept a title that no test has. @param {readonly string[]} test */
async function runVitest([project = '', ...args]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
  const report = path.join(folder, 'report.json');
  try {
    const reporters = ['--reporter', 'verbose', '--reporter', 'json', `--outputFile.json=${report}`];
    // Of tests that pass, the titles and figures are printed, but not what the Worker logs.
    const options = [...reporters, '--hideSkippedTests', '--silent=passed-only', '--testTimeout=0'];
    const vitest = startNode(tools.vitest, ['run', '--project', project, ...args, ...options], {onOutput});
    const code = await vitest.ended;
    const {numPassedTests} = code === 0 ? JSON.parse(readFileSync(report, 'utf8')) : {numPassedTests: 0};
    check(`${numPassedTests} tests pass`, numPassedTests > 0);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const test = SCALED_TESTS[process.argv[2] ?? ''] ?? [];
if (test[0] !== 'sim') await runVitest(test);
else {
  const hours = process.env['VEZNE_BENCH_SCALE'] ?? '1';
  process.exitCode = await startNode(runToEnd, [repoPath('sim', 'run.ts'), '--hours', hours], {onOutput}).ended;
}
