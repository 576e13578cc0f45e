// @ts-check
// A slow phone: Chromium at a quarter of this machine's speed, with the slow network that Lighthouse emulates. Every
// visit is a first visit, in a new browser context with an empty cache.

import {readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {chromium} from 'playwright-core';
import {chromiumArgs, findChromium} from '../../../scripts/lib/chromium.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {isSmallest} from './bench.mjs';

const watch = readFileSync(repoPath('test', 'bench', 'support', 'pages', 'watch.js'), 'utf8');

/**
 * `mobileSlow4G` from Lighthouse's `core/config/constants.js`: a latency of 150 ms × 3.75, and 1.6 Mbit/s down and 750
 * kbit/s up, each × 0.9. The limits are applied as in Lighthouse. Chromium slows a page down by keeping the processor
 * busy, which the smallest run, whose times are not judged, leaves out.
 */
export const slow4g = {cpuSlowdown: isSmallest ? 1 : 4, latencyMs: 562.5, downKbps: 1474.56, upKbps: 675};

/** The screen of the phone that Lighthouse emulates. */
const screen = {viewport: {width: 412, height: 823}, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true};

/** How long to wait for further requests after the page is usable. */
const SETTLE_MS = 2500;

/** A page that is not usable after this time fails the bench. */
const TIMEOUT_MS = 60_000;

/**
 * When a page counts as usable: `count` visible controls match the selector `controls`, and the first of them reacts to
 * a click. The controls are in the shadow root of the innermost of the nested `hosts`, or in the document if there are
 * no hosts. `amount` selects the amount in the first host. `tap` is the tap that leads to an order code.
 * @typedef {{hosts: string[], controls: string, count: number, amount?: string, tap?: Tap}} Goal
 */
/**
 * A tap on `button` in the shadow root of the innermost of `hosts`, after which `code` appears in the innermost of
 * `codeHosts`.
 * @typedef {{hosts: string[], button: string, codeHosts: string[], code: string}} Tap
 */
/**
 * A request. Times are in ms after the start of the navigation. `depth` is its position in the chain of requests that
 * wait for each other.
 * @typedef {{url: string, from: number, to: number, bytes: number, depth: number}} Loaded
 */
/**
 * The times in ms at which the page had its first content, showed its amount (0 if it has none) and was usable.
 * @typedef {{content: number, amount: number, usable: number}} Timing
 */
/**
 * `texts` are the texts of the page before the tap, `shift` is the layout shift before the tap, and `code` is the time
 * from the tap to the code in ms (0 without a tap).
 * @typedef {Timing & {texts: string[], shift: number, code: number, loaded: Loaded[]}} Visit
 */
/** @typedef {{version: string, visit(url: string, goal: Goal): Promise<Visit>, close(): Promise<void>}} Phone */

/** @returns {Promise<Phone>} */
export async function openPhone() {
  const browser = await chromium.launch({executablePath: findChromium(), args: chromiumArgs});
  return {
    version: browser.version(),
    async visit(url, goal) {
      const context = await browser.newContext({...screen, locale: 'en-GB', colorScheme: 'light'});
      try {
        const page = await context.newPage();
        const devtools = await context.newCDPSession(page);
        const network = await recordNetwork(devtools);
        await devtools.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: slow4g.latencyMs,
          downloadThroughput: Math.floor((slow4g.downKbps * 1024) / 8),
          uploadThroughput: Math.floor((slow4g.upKbps * 1024) / 8),
        });
        await devtools.send('Emulation.setCPUThrottlingRate', {rate: slow4g.cpuSlowdown});
        await page.addInitScript(`globalThis.benchGoal = ${JSON.stringify(goal)}; (() => {${watch}})();`);
        await page.goto(url, {waitUntil: 'commit'});
        const timing = await withTimeout(
          TIMEOUT_MS,
          page.evaluate(() => /** @type {Promise<Timing>} */ (Reflect.get(globalThis, 'benchUsable'))),
        );
        await wait(SETTLE_MS);
        const texts = await page.evaluate(() =>
          /** @type {() => string[]} */ (Reflect.get(globalThis, 'benchTexts'))(),
        );
        const shift = await page.evaluate(() => /** @type {() => number} */ (Reflect.get(globalThis, 'benchShift'))());
        const loaded = network();
        const code = goal.tap
          ? await withTimeout(
              TIMEOUT_MS,
              page.evaluate(() => /** @type {() => Promise<number>} */ (Reflect.get(globalThis, 'benchTap'))()),
            )
          : 0;
        return {...timing, texts, shift, code, loaded};
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

/**
 * @template T
 * @param {number} time
 * @param {Promise<T>} promise
 */
async function withTimeout(time, promise) {
  const finished = new AbortController();
  const timeout = wait(time, undefined, {signal: finished.signal}).then(() => {
    throw new Error(`The page is not usable after ${time} ms.`);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    finished.abort();
    await timeout.catch(() => {});
  }
}

/**
 * Records the requests of a page. The returned function lists them.
 * @param {import('playwright-core').CDPSession} devtools
 * @returns {Promise<() => Loaded[]>}
 */
async function recordNetwork(devtools) {
  /** @type {Map<string, Loaded & {preflightOf: string | undefined}>} */
  const requests = new Map();
  /** @type {number | undefined} */
  let start;
  const sinceStart = (/** @type {number} */ timestamp) => (timestamp - (start ??= timestamp)) * 1000;
  const depthOf = (/** @type {string} */ url) =>
    [...requests.values()].findLast((request) => request.url === url)?.depth ?? 0;
  devtools.on('Network.requestWillBeSent', ({requestId, request, timestamp, initiator}) => {
    if (request.url.startsWith('data:')) return;
    const cause = initiator.url ?? initiator.stack?.callFrames[0]?.url ?? '';
    requests.set(requestId, {
      url: `${request.method} ${request.url}`,
      from: sinceStart(timestamp),
      to: 0,
      bytes: 0,
      depth: 1 + depthOf(`GET ${cause}`),
      preflightOf: initiator.requestId,
    });
  });
  devtools.on('Network.loadingFinished', ({requestId, timestamp, encodedDataLength}) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, {to: sinceStart(timestamp), bytes: encodedDataLength});
  });
  await devtools.send('Network.enable');
  return () => {
    // A preflight takes the position of its request in the chain, and the request moves one position down.
    for (const preflight of requests.values()) {
      const request = preflight.preflightOf && requests.get(preflight.preflightOf);
      if (request) preflight.depth = request.depth++;
    }
    return [...requests.values()];
  };
}
