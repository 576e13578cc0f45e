// @ts-check
// A slow phone: Chromium with a quarter of this machine's speed, behind a network as Lighthouse makes one. Every visit is somebody's
// first: a browser context of its own, with nothing in its cache.

import {readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {chromium} from 'playwright-core';
import {chromiumArgs, findChromium} from '../../../scripts/lib/chromium.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';

const watch = readFileSync(repoPath('test', 'bench', 'support', 'pages', 'watch.js'), 'utf8');

/** `mobileSlow4G` of Lighthouse's `core/config/constants.js`: 150 ms × 3.75, 1.6 Mbit/s and 750 kbit/s × 0.9, set as Lighthouse sets it. */
export const slow4g = {cpuSlowdown: 4, latencyMs: 562.5, downKbps: 1474.56, upKbps: 675};

/** The phone Lighthouse emulates: its screen. */
const screen = {viewport: {width: 412, height: 823}, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true};

/** What is still loaded after the page can be used. */
const SETTLE_MS = 2500;

/** A page that cannot be used by then cannot be used. */
const PATIENCE_MS = 60_000;

/**
 * How to tell that a page can be used: so many controls in the shadow of the last of these hosts, seen, the first of them in reach.
 * @typedef {{hosts: string[], controls: string, count: number}} Goal
 */
/** @typedef {{url: string, from: number, to: number, bytes: number, depth: number}} Loaded Times in ms after the navigation's begin. */
/** @typedef {{content: number, usable: number}} Seen */
/** @typedef {Seen & {texts: string[], loaded: Loaded[]}} Visit `texts` is what the page says once it has settled. */
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
        const seen = await atMost(
          PATIENCE_MS,
          page.evaluate(() => /** @type {Promise<Seen>} */ (Reflect.get(globalThis, 'benchUsable'))),
        );
        await wait(SETTLE_MS);
        const texts = await page.evaluate(() =>
          /** @type {() => string[]} */ (Reflect.get(globalThis, 'benchTexts'))(),
        );
        return {...seen, texts, loaded: network()};
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
async function atMost(time, promise) {
  const over = new AbortController();
  const late = wait(time, undefined, {signal: over.signal}).then(() => {
    throw new Error(`Not usable after ${time} ms`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
    await late.catch(() => {});
  }
}

/**
 * @param {import('playwright-core').CDPSession} devtools
 * @returns {Promise<() => Loaded[]>}
 */
async function recordNetwork(devtools) {
  /** @type {Map<string, Loaded & {before: string | undefined}>} */
  const requests = new Map();
  /** @type {number | undefined} */
  let begin;
  const since = (/** @type {number} */ timestamp) => (timestamp - (begin ??= timestamp)) * 1000;
  const depthOf = (/** @type {string} */ url) =>
    [...requests.values()].findLast((request) => request.url === url)?.depth ?? 0;
  devtools.on('Network.requestWillBeSent', ({requestId, request, timestamp, initiator}) => {
    if (request.url.startsWith('data:')) return;
    const cause = initiator.url ?? initiator.stack?.callFrames[0]?.url ?? '';
    requests.set(requestId, {
      url: `${request.method} ${request.url}`,
      from: since(timestamp),
      to: 0,
      bytes: 0,
      depth: 1 + depthOf(`GET ${cause}`),
      before: initiator.requestId,
    });
  });
  devtools.on('Network.loadingFinished', ({requestId, timestamp, encodedDataLength}) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, {to: since(timestamp), bytes: encodedDataLength});
  });
  await devtools.send('Network.enable');
  return () => {
    // A question before a request stands where the request would stand without it.
    for (const question of requests.values()) {
      const asked = question.before && requests.get(question.before);
      if (asked) question.depth = asked.depth++;
    }
    return [...requests.values()];
  };
}
