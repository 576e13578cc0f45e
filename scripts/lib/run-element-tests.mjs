// @ts-check
// Runs the element tests in Chromium and writes the number of passed tests and the failures to the file
// named by the first argument.

import {writeFileSync} from 'node:fs';
import process from 'node:process';
import {startTestRunner} from '@web/test-runner';

/** @typedef {import('@web/test-runner').TestResult} TestResult */
/** @typedef {import('@web/test-runner').TestSuiteResult} TestSuiteResult */

const [report = '', ...argv] = process.argv.slice(2);

const runner = await startTestRunner({argv, autoExitProcess: false});
if (!runner) process.exit(1);

/** @typedef {{file: string, title: string, message: string}} Failure */

/**
 * @param {TestSuiteResult} suite
 * @returns {TestResult[]} The results of all tests that ran.
 */
const resultsOf = (suite) => [...suite.tests.filter(({skipped}) => !skipped), ...suite.suites.flatMap(resultsOf)];

runner.on('stopped', (succeeded) => {
  let passed = 0;
  /** @type {Failure[]} */
  const failures = [];
  for (const {testFile: file = '', testResults, errors} of runner.sessions.all()) {
    const results = testResults ? resultsOf(testResults) : [];
    passed += results.filter((result) => result.passed).length;
    for (const {name, error} of results.filter((result) => !result.passed))
      failures.push({file, title: name, message: error?.message ?? ''});
    // A test file that cannot be loaded has no results, only an error.
    for (const {message} of errors) failures.push({file, title: '(the file)', message});
  }
  writeFileSync(report, JSON.stringify({passed, failures}));
  process.exit(succeeded ? 0 : 1);
});
