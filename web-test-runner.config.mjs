/**
 * Runs the element tests in Chromium. The elements are compiled as for production. A stub Worker runs on the origin of
 * the test page, and on another one for the tests of merchants' pages.
 */

import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {defaultReporter} from '@web/test-runner';
import {playwrightLauncher} from '@web/test-runner-playwright';
import {build} from 'vite';
import {publicElements} from './scripts/build/manifest.mjs';
import {bundledTests, testPages} from './scripts/lib/bundle-element-tests.mjs';
import {chromiumArgs, findChromium} from './scripts/lib/chromium.mjs';
import {StubWorker} from './test/widgets/stub-worker/stub-worker.ts';

/** The files that a merchant's page loads. In a run of all steps, the step `build` has built them. */
const BUILT = process.env.VEZNE_BUILT_SITE ?? '.cache/widgets';
/** The part of the manifest that `test/widgets/support/attribute-table.ts` needs. */
const manifest = {
  name: 'manifest',
  serve: ({path}) =>
    path === '/test/widgets/support/manifest.js'
      ? {body: `export const elements = ${JSON.stringify(publicElements())};`, type: 'js'}
      : undefined,
};
/** The folder in which `npm run looks` saves its screenshots; undefined in other runs. */
const LOOKS_FOLDER = process.env.VEZNE_LOOKS;
const chromium = findChromium();

const worker = new StubWorker(BUILT);
/** The path of a request to the stub Worker on the test page's own origin. */
const SCENE = /^\/scene-/;

/** Lets the stub Worker answer requests on the test page's own origin. */
async function ownOrigin(context, next) {
  if (!SCENE.test(context.path)) return next();
  context.respond = false;
  await worker.handle(context.req, context.res);
}

/** Builds the merchant's files if they are not built yet, and starts a stub Worker. Tests import the stub's origin. */
function stubWorker() {
  let origin;
  return {
    name: 'stub-worker',
    async serverStart({server}) {
      if (!process.env.VEZNE_BUILT_SITE) await build({logLevel: 'error', build: {outDir: BUILT, emptyOutDir: true}});
      server.on('upgrade', (request, socket, head) => {
        if (SCENE.test(request.url)) worker.upgrade(request, socket, head);
      });
      origin = await worker.start();
    },
    serverStop: () => worker.stop(),
    serve: ({path}) =>
      path === '/test/widgets/support/stub-origin.js'
        ? {
            body: `export const origin = ${JSON.stringify(origin)}; export const savesLooks = ${LOOKS_FOLDER !== undefined};`,
            type: 'js',
          }
        : undefined,
  };
}

/** The screens of the screenshots. */
const SCREENS = {phone: {width: 360, height: 640}, desktop: {width: 800, height: 600}};

/** For `npm run looks`: changes the screen, or saves a screenshot, when a test requests it. */
function saveLook() {
  const connections = new Map();
  let screen = 'desktop';
  let shownHeight = 0;

  /** Sets the screen's size. A phone also has a finger and no mouse (`pointer: coarse`), until the size changes. */
  async function resize(page, height) {
    shownHeight = height;
    await page.setViewportSize({...SCREENS[screen], height});
    if (screen === 'phone') return setTouch(page, true);
    if (!connections.has(page)) return;
    await setTouch(page, false);
    // Without this screenshot, Chromium would have neither a finger nor a mouse.
    const clip = {x: 0, y: 0, width: 1, height: 1, scale: 1};
    await connections.get(page).send('Page.captureScreenshot', {captureBeyondViewport: true, clip});
    connections.delete(page);
  }

  async function setTouch(page, enabled) {
    if (!connections.has(page)) connections.set(page, await page.context().newCDPSession(page));
    await connections.get(page).send('Emulation.setTouchEmulationEnabled', {enabled});
  }

  return {
    name: 'save-look',
    async executeCommand({command, payload, session}) {
      if (command !== 'save-look' && command !== 'set-screen') return undefined;
      const page = session.browser.getPage(session.id);
      if (command === 'set-screen') {
        screen = payload;
        await resize(page, SCREENS[screen].height);
        return true;
      }
      // The screen becomes as high as the page, because Playwright would change the size for a page that is higher.
      const bottom = await page.evaluate(() => Math.ceil(document.body.getBoundingClientRect().bottom + scrollY));
      const height = Math.max(bottom + 24, SCREENS[screen].height);
      if (height !== shownHeight) await resize(page, height);
      await page.screenshot({path: join(LOOKS_FOLDER, `${payload}.png`)});
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

/** How service workers of merchants' pages keep answers, as functions of the request and its cache. */
const STRATEGIES = {
  'cache-first': '(await cached()) ?? fresh()',
  'stale-while-revalidate': 'const kept = await cached(); const later = fresh(); return kept ?? later',
  'network-first': 'fresh().catch(async () => (await cached()) ?? Response.error())',
};

/** Serves the service worker of a merchant's page, which keeps all that the page gets. */
async function serviceWorker(context, next) {
  if (context.path !== '/page-worker.js') return next();
  const {strategy, options} = context.query;
  const body = STRATEGIES[strategy];
  context.type = 'text/javascript';
  context.body = `
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => {
      const {request} = event;
      if (request.method !== 'GET' || !request.url.includes('/v1/')) return;
      event.respondWith((async () => {
        const cache = await caches.open('page');
        const cached = () => cache.match(request, ${options});
        const fresh = async () => {
          const answer = await fetch(request);
          await cache.put(request, answer.clone());
          return answer;
        };
        ${body.includes('return') ? body : `return ${body}`};
      })());
    });`;
}

/** In `npm test`, the file for the results. */
const REPORT = process.env.VEZNE_REPORT;

/** Writes the results as vitest's reporter `json` does. The suites of a page are its test files. */
const jsonReporter = {
  onTestRunFinished({sessions}) {
    const testResults = sessions.flatMap(({testFile, testResults: page, errors}) => [
      ...(errors.length > 0 ? [{name: testFile, message: errors[0].message, assertionResults: []}] : []),
      ...(page?.suites ?? []).map((file) => ({
        name: resolve(file.name),
        message: '',
        assertionResults: resultsOf(file).map(({name, passed, duration, error}) => ({
          status: passed ? 'passed' : 'failed',
          fullName: name,
          duration,
          failureMessages: error ? [error.message] : [],
        })),
      })),
    ]);
    const passed = testResults
      .flatMap(({assertionResults}) => assertionResults)
      .filter((test) => test.status === 'passed');
    writeFileSync(REPORT, JSON.stringify({numPassedTests: passed.length, testResults}));
  },
};

/** The results of all tests that ran in a suite and in the suites within it. */
const resultsOf = (suite) =>
  suite ? [...suite.tests.filter(({skipped}) => !skipped), ...suite.suites.flatMap(resultsOf)] : [];

const pages = testPages(process.argv.slice(2));

export default {
  files: pages,
  concurrency: 2,
  plugins: [bundledTests(pages, process.env.VEZNE_TITLE), stubWorker(), manifest, saveLook()],
  middleware: [ownOrigin, serviceWorker, merchantPage],
  // Progress bars belong in a terminal; in a log they would hide the failures.
  reporters: [defaultReporter({reportTestProgress: Boolean(process.stdout.isTTY)}), ...(REPORT ? [jsonReporter] : [])],
  // These limits allow for a busy machine; a test that hangs still exceeds them.
  testFramework: {config: {timeout: 180_000}},
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: LOOKS_FOLDER === undefined ? 600_000 : 3_600_000,
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      // Animations would make Chromium draw every page 60 times a second. No test needs them.
      createBrowserContext: ({browser}) => browser.newContext({reducedMotion: 'reduce'}),
      launchOptions: {executablePath: chromium, args: chromiumArgs},
    }),
  ],
};
