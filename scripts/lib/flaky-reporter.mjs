// @ts-check
// A vitest reporter that names the tests which failed first and passed when they were tried again: chance, or a fault that hides.

export const FLAKY_PREFIX = 'second try: ';

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
