// @ts-check
// `npm run page-tools` tries the snippets, `vezne.css`, the QR codes and whole pages with the tools of merchants and
// shoppers that docs/pages.md names, and with a Worker and the sandbox. The tools are installed in scripts/page-tools.

import {createServer} from 'node:http';
import path from 'node:path';
import process from 'node:process';
import {install} from './lib/install.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

/** @typedef {(line: string, isFine: boolean) => void} Report */
/** @typedef {{shop: {origin: string, html: string}, worker: string}} Stack The shop's server answers with this HTML. */

install();
const {folder: tools} = await import('./page-tools/tools.mjs');
install(tools);
const {chromium} = await import('playwright-core');
const {freePort} = await import('../cli/ports.mjs');
const {sandboxVars, startSandbox, startWorker, waitForServer, workerVars} = await import('../cli/servers.mjs');
const {buildSite} = await import('./build/site.mjs');
const {chromiumArgs, findOrInstallChromium} = await import('./lib/chromium.mjs');
const {checkLoads} = await import('./page-tools/loads.mjs');
const {checkPages} = await import('./page-tools/pages.mjs');
const {checkQrCodes} = await import('./page-tools/qr-codes.mjs');
const {checkSnippets} = await import('./page-tools/snippets.mjs');
const {checkStyleSheets} = await import('./page-tools/style-sheets.mjs');

/** @type {Report} */
const report = (line, isFine) => {
  console.log(`${isFine ? 'ok    ' : 'FAILED'}  ${line}`);
  if (!isFine) process.exitCode = 1;
};

const folder = makeScratchFolder();
const site = process.env['VEZNE_BUILT_SITE'] ?? path.join(folder, 'site');
if (!process.env['VEZNE_BUILT_SITE']) await buildSite(site);
const [port, sandboxPort, shopPort] = [await freePort(), await freePort(), await freePort()];
/** @type {Stack} */
const stack = {shop: {origin: `http://localhost:${shopPort}`, html: ''}, worker: `http://localhost:${port}`};
const shop = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html; charset=utf-8').end(stack.shop.html),
).listen(shopPort);
const sandbox = startSandbox({
  port: sandboxPort,
  persistTo: path.join(folder, 'sandbox'),
  vars: sandboxVars(stack.worker),
});
const worker = startWorker({
  port,
  site,
  persistTo: path.join(folder, 'worker'),
  vars: workerVars(sandboxPort, [stack.worker, stack.shop.origin]),
});
const browser = await chromium.launch({executablePath: findOrInstallChromium(), args: chromiumArgs});
try {
  const page = await browser.newPage();
  await checkStyleSheets(page, path.join(site, 'vezne.css'), report, folder);
  const made = await checkSnippets(page, report);
  await page.close();
  await waitForServer(sandbox, 'The sandbox', `http://localhost:${sandboxPort}`);
  await waitForServer(worker, 'The Worker', `${stack.worker}/health`);
  await checkLoads(await browser.newPage(), made, stack, report);
  await checkQrCodes(browser, stack, report);
  await new Promise((resolve) => shop.close(resolve).closeAllConnections());
  await checkPages(browser, stack, report);
} finally {
  await browser.close();
  shop.close();
  await Promise.all([sandbox, worker].map((server) => server.end()));
}
process.exit();
