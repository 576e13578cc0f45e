/** For `npm test -- elements -t <title>`: defines only the tests whose full title matches. */

declare const TITLE: string;

const {describe: describeAll, it: defineTest} = globalThis;
const wanted = new RegExp(TITLE);
/** The titles of the suites around the code that runs. */
const suites: string[] = [];

export function describe(title: string, define: () => void): void {
  describeAll(title, () => {
    suites.push(title);
    define();
    suites.pop();
  });
}

export function it(title: string, test: Mocha.AsyncFunc | Mocha.Func): void {
  if (wanted.test([...suites, title].join(' '))) defineTest(title, test);
}
