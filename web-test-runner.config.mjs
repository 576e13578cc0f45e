/** The element tests: real Chromium, the elements compiled as for production, a scripted Worker on another origin. */

import {existsSync, writeFileSync} from 'node:fs';
import {defaultReporter} from '@web/test-runner';
import {playwrightLauncher} from '@web/test-runner-playwright';
import {build, transformWithOxc} from 'vite';
import {StubWorker} from './test/widgets/stub-worker/stub-worker.ts';

const BUILT = '.cache/widgets';
const chromium = process.env.CHROME_PATH ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** Compiles TypeScript with the compiler of the build. */
function typescript() {
  return {
    name: 'typescript',
    resolveMimeType: ({path}) => (path.endsWith('.ts') ? 'js' : undefined),
    async transform({path, body}) {
      if (!path.endsWith('.ts')) return undefined;
      const {code} = await transformWithOxc(String(body), path, {
        target: 'es2022',
        assumptions: {setPublicClassFields: true},
        typescript: {removeClassFieldsWithoutInitializer: true},
      });
      return {body: code};
    },
  };
}

/** Builds what a merchant's page loads and starts the Worker it talks to; tests import its origin. */
function stubWorker() {
  let worker;
  let origin;
  return {
    name: 'stub-worker',
    async serverStart() {
      await build({logLevel: 'error', build: {outDir: BUILT, emptyOutDir: true}});
      worker = new StubWorker(BUILT);
      origin = await worker.start();
    },
    serverStop: () => worker?.stop(),
    serve: ({path}) =>
      path === '/test/widgets/support/stub-origin.js'
        ? {body: `export const origin = ${JSON.stringify(origin)};`, type: 'js'}
        : undefined,
  };
}

/** `/page?policy=…&head=…&body=…`: a page as a merchant might write it, in a frame of the test. */
async function merchantPage(context, next) {
  if (context.path !== '/page') return next();
  const {policy, head, body, lang} = context.query;
  if (policy) context.set('content-security-policy', policy);
  context.type = 'text/html';
  context.body = `<!doctype html><html lang="${lang ?? 'tr'}"><head><title>Page</title>${head ?? ''}</head><body>${body ?? ''}</body></html>`;
}

/** Writes how many tests passed and failed to the file named by `VEZNE_COUNTS`. */
function countReporter() {
  const add = (counts, suite) => {
    for (const {passed, skipped} of suite?.tests ?? []) counts[passed && !skipped ? 'passed' : 'failed'] += 1;
    for (const inner of suite?.suites ?? []) add(counts, inner);
  };
  return {
    onTestRunFinished({sessions}) {
      const file = process.env.VEZNE_COUNTS;
      if (!file) return;
      const counts = {passed: 0, failed: 0};
      for (const session of sessions) {
        add(counts, session.testResults);
        // A file that could not be run at all has no results, and is no success.
        if (!session.passed && !session.testResults) counts.failed += 1;
      }
      writeFileSync(file, JSON.stringify(counts));
    },
  };
}

export default {
  files: 'test/widgets/**/*.test.ts',
  nodeResolve: {exportConditions: ['production', 'default']},
  concurrency: 2,
  plugins: [typescript(), stubWorker()],
  middleware: [merchantPage],
  reporters: [defaultReporter(), countReporter()],
  // Of a busy machine: what hangs takes longer.
  testFramework: {config: {timeout: 60_000}},
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      launchOptions: {executablePath: chromium, args: process.getuid?.() === 0 ? ['--no-sandbox'] : []},
    }),
  ],
};
