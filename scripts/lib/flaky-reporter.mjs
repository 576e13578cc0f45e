// @ts-check
// A vitest reporter that lists the tests that failed first and passed on a retry. Such a failure can be chance, but it
// can also be a rare bug.

export const FLAKY_PREFIX = 'passed on retry: ';

export default class FlakyReporter {
  /** @type {string[]} */
  #names = [];

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    for (const name of this.#names) console.log(`\n${FLAKY_PREFIX}${name}`);
  }
}
