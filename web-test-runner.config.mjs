/**
 * Runs the element tests in Chromium. The elements are compiled as for production, and a stub Worker runs on a
 * different origin from the test page.
 */

import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {defaultReporter} from '@web/test-runner';
import {playwrightLauncher} from '@web/test-runner-playwright';
import {build, transformWithOxc} from 'vite';
import {bundledTests} from './scripts/lib/bundle-element-tests.mjs';
import {chromiumArgs} from './scripts/lib/chromium.mjs';
import {StubWorker} from './test/widgets/stub-worker/stub-worker.ts';

const BUILT = '.cache/widgets';
/** The folder in which `npm run looks` saves its screenshots; undefined in other runs. */
const LOOKS_FOLDER = process.env.VEZNE_LOOKS;
const chromium = process.env.CHROME_PATH ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** Compiles TypeScript with the same compiler as the build. */
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

/** Builds the files that a merchant's page loads, and starts a stub Worker. Tests import the stub's origin. */
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
        ? {
            body: `export const origin = ${JSON.stringify(origin)}; export const savesLooks = ${LOOKS_FOLDER !== undefined};`,
            type: 'js',
          }
        : undefined,
  };
}

/** For `npm run looks`: saves a screenshot, or changes the screen, when a test requests it. */
function saveLook() {
  const connections = new Map();
  return {
    name: 'save-look',
    async executeCommand({command, payload, session}) {
      if (command !== 'save-look' && command !== 'set-screen') return undefined;
      const page = session.browser.getPage(session.id);
      if (command === 'save-look') {
        await page.screenshot({path: join(LOOKS_FOLDER, `${payload}.png`), fullPage: true});
        return true;
      }
      const isPhone = payload === 'phone';
      await page.setViewportSize(isPhone ? {width: 360, height: 640} : {width: 800, height: 600});
      // A phone's media features, such as `pointer: coarse`, last as long as this connection.
      if (!connections.has(page)) connections.set(page, await page.context().newCDPSession(page));
      await connections.get(page).send('Emulation.setTouchEmulationEnabled', {enabled: isPhone});
      return true;
    },
  };
}

/** Serves a merchant's page at `/page?policy=…&head=…&body=…`. Tests load this page in a frame. */
async function merchantPage(context, next) {
  if (context.path !== '/page') return next();
  const {policy, head, body, lang} = context.query;
  if (policy) context.set('content-security-policy', policy);
  context.type = 'text/html';
  context.body = `<!doctype html><html lang="${lang ?? 'tr'}"><head><title>Page</title>${head ?? ''}</head><body>${body ?? ''}</body></html>`;
}

export default {
  files: 'test/widgets/**/*.test.ts',
  nodeResolve: {exportConditions: ['production', 'default']},
  concurrency: 2,
  plugins: [bundledTests(), typescript(), stubWorker(), saveLook()],
  middleware: [merchantPage],
  // Progress bars belong in a terminal; in a log they would hide the failures.
  reporters: [defaultReporter({reportTestProgress: Boolean(process.stdout.isTTY)})],
  // These limits allow for a busy machine; a test that hangs still exceeds them.
  testFramework: {config: {timeout: 60_000}},
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      launchOptions: {executablePath: chromium, args: chromiumArgs},
    }),
  ],
};
