// @ts-check
// `npm run browsers` runs two journeys in Firefox, in WebKit and in two old Chromium engines, the older of which is the
// oldest that pages may have: a shopper pays by bank transfer, and a shopper subscribes with a PIN. `npm test` runs the
// same journeys in Chromium. `npm run browsers -- webkit` runs one browser.

import path from 'node:path';
import process from 'node:process';
import {install} from './lib/install.mjs';
import {UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

install();
const {buildDemo, buildSite} = await import('./build/site.mjs');
const {payByTransfer, subscribeWithPin} = await import('./lib/browser-journeys.mjs');
const {requireBrowsers, startFirefox, startOldChromium, startWebKit} = await import('./lib/other-browsers.mjs');
const {freePort} = await import('../cli/ports.mjs');
const {sandboxVars, startSandbox, startWorker, waitForServer, workerVars} = await import('../cli/servers.mjs');

/** @type {Record<string, () => Promise<import('./lib/other-browsers.mjs').BrowserDriver>>} */
const BROWSERS = {
  firefox: startFirefox,
  webkit: startWebKit,
  'chromium-103': () => startOldChromium(103),
  'chromium-109': () => startOldChromium(109),
};
const JOURNEYS = {'bank transfer': payByTransfer, 'PIN subscription': subscribeWithPin};

const chosen = process.argv[3];
if (chosen !== undefined && !(chosen in BROWSERS))
  throw new UserError(`There is no browser "${chosen}". The browsers are ${Object.keys(BROWSERS).join(' and ')}.`);
if (!chosen?.startsWith('chromium')) requireBrowsers();

const folder = makeScratchFolder();
const site = path.join(folder, 'site');
const [port, sandboxPort] = [await freePort(), await freePort()];
const origins = {page: `http://localhost:${port}`, sandbox: `http://localhost:${sandboxPort}`};
await buildSite(site);
await buildDemo(site, origins.sandbox);

/** @type {{end: () => Promise<void>}[]} */
const servers = [];
try {
  const sandbox = startSandbox({
    port: sandboxPort,
    persistTo: path.join(folder, 'sandbox'),
    vars: sandboxVars(origins.page),
  });
  const worker = startWorker({
    port,
    site,
    persistTo: path.join(folder, 'worker'),
    vars: workerVars(sandboxPort, [origins.page]),
  });
  servers.push(sandbox, worker);
  await waitForServer(sandbox, 'The sandbox', origins.sandbox);
  await waitForServer(worker, 'The Worker', `${origins.page}/health`);
  for (const [name, start] of Object.entries(BROWSERS)) if (!chosen || chosen === name) await runJourneys(start);
} finally {
  await Promise.all(servers.map((server) => server.end()));
}
process.exit();

/** @param {() => Promise<import('./lib/other-browsers.mjs').BrowserDriver>} start */
async function runJourneys(start) {
  const browser = await start();
  try {
    for (const [journey, take] of Object.entries(JOURNEYS)) {
      const startedAt = Date.now();
      try {
        await take(browser, origins);
        console.log(`ok      ${browser.name}: ${journey}, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
      } catch (error) {
        process.exitCode = 1;
        console.log(
          `FAILED  ${browser.name}: ${journey}: ${error instanceof Error ? error.message || error.name : String(error)}`,
        );
      }
    }
  } finally {
    await browser.close();
  }
}
