// @ts-check
// Runs the element tests in Chromium and writes how many passed and failed to the file named by the first argument.

import {writeFileSync} from 'node:fs';
import process from 'node:process';
import {startTestRunner} from '@web/test-runner';

/** @typedef {import('@web/test-runner').TestSuiteResult} TestSuiteResult */

const [report = '', ...argv] = process.argv.slice(2);

const runner = await startTestRunner({argv, autoExitProcess: false});
if (!runner) process.exit(1);

/**
 * @param {TestSuiteResult} suite
 * @returns {boolean[]} Whether each test passed.
 */
const outcomes = (suite) => [
  ...suite.tests.filter(({skipped}) => !skipped).map(({passed}) => passed),
  ...suite.suites.flatMap(outcomes),
];

runner.on('stopped', (passed) => {
  const all = [...runner.sessions.all()].flatMap(({testResults, errors}) =>
    // A test file that cannot be loaded has no results, only an error.
    (testResults ? outcomes(testResults) : []).concat(errors.map(() => false)),
  );
  writeFileSync(
    report,
    JSON.stringify({passed: all.filter(Boolean).length, failed: all.filter((succeeded) => !succeeded).length}),
  );
  process.exit(passed ? 0 : 1);
});
