// @ts-check
// A stranger's first minutes: makes a project with the packed `create-vezne`, installs the packed `vezne`, pays in the builder
// of `npx vezne dev`, updates to a later version, and finds the order again.

import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {chromium} from 'playwright-core';
import {runNpm} from '../cli/npm.mjs';
import {freePort} from '../cli/ports.mjs';
import {chromiumArgs, findOrInstallChromium} from '../scripts/lib/chromium.mjs';
import {nodeBinary, repoPath, UserError, version} from '../scripts/lib/repo.mjs';

/** From an empty folder to a paid order. */
const MAX_SECONDS = 120;
const TIMEOUT_MS = 60_000;

/** @param {string} tarball - Of `vezne`. @returns {Promise<void>} */
export async function runCreate(tarball) {
  const scratch = path.join(path.dirname(tarball), 'create');
  const shop = path.join(scratch, 'my-shop');
  const creator = path.join(scratch, `create-vezne-${version}.tgz`);
  const next = packNext(tarball, scratch);
  npm(['pack', '--silent', '--pack-destination', scratch], repoPath('create'));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = {PORT: String(port), SANDBOX_PORT: String(sandboxPort), VEZNE_CONFIG: ''};
  const page = `http://localhost:${port}`;

  const startedAt = performance.now();
  const npx = path.join(scratch, 'npx');
  mkdirSync(npx);
  writeFileSync(path.join(npx, 'package.json'), '{"private": true}');
  npm(['install', '--prefer-offline', tarball, creator], npx);
  node([path.join(npx, 'node_modules', 'create-vezne', 'index.mjs'), 'my-shop', '--sandbox'], scratch);
  npm(['install', '--prefer-offline', tarball], shop);
  const command = path.join(shop, 'node_modules', 'vezne', 'cli', 'vezne.cjs');
  const order = await whileRunning([command, 'dev'], shop, env, page, () => pay(page));
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`        from an empty folder to a paid order: ${seconds.toFixed(1)} s`);
  if (seconds > MAX_SECONDS) throw new UserError(`It took longer than ${MAX_SECONDS} s.`);

  node([command, 'update', next, '--yes'], shop);
  await whileRunning([command, 'dev'], shop, env, page, async () => {
    const [, key] = /^MERCHANT_API_KEY='(.*)'$/m.exec(readFileSync(path.join(shop, '.dev.vars'), 'utf8')) ?? [];
    const answer = await fetch(`${page}/merchant/v1/orders?service=DEMO&order=${order}`, {
      headers: {authorization: `Bearer ${key}`},
    });
    const found = /** @type {any} */ (await answer.json());
    if (found.payment?.state !== 'paid')
      throw new UserError(`After the update, the paid order is ${JSON.stringify(found)}.`);
    const health = /** @type {any} */ (await (await fetch(`${page}/health`)).json());
    console.log(`        updated to a later version, and the order is still paid; /health is ${health.status}`);
  });
}

/** Packs the same package as a later version. @param {string} tarball @param {string} scratch */
function packNext(tarball, scratch) {
  mkdirSync(scratch);
  execFileSync('tar', ['xzf', tarball, '-C', scratch]);
  const folder = path.join(scratch, 'package');
  const file = path.join(folder, 'package.json');
  writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), version: '90.0.0', scripts: {}}));
  const changes = path.join(folder, 'CHANGELOG.md');
  const section = '## 90.0.0 (2026-12-01)\n\nStores: unchanged.\n\n';
  writeFileSync(changes, readFileSync(changes, 'utf8').replace(/^(?=## )/m, section));
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch], folder);
  return path.join(scratch, 'vezne-90.0.0.tgz');
}

/** @param {string[]} args @param {string} folder */
function npm(args, folder) {
  if (!runNpm(args, folder)) throw new UserError(`npm ${args.join(' ')} failed in ${folder}.`);
}

/** @param {string[]} args @param {string} folder */
const node = (args, folder) =>
  execFileSync(nodeBinary(), args, {cwd: folder, stdio: 'inherit', env: {...process.env, VEZNE_CONFIG: ''}});

/**
 * Uses a server that ends on SIGTERM.
 * @template T
 * @param {string[]} command
 * @param {string} folder
 * @param {Record<string, string>} env
 * @param {string} page
 * @param {() => Promise<T>} use
 * @returns {Promise<T>}
 */
async function whileRunning(command, folder, env, page, use) {
  const server = spawn(nodeBinary(), command, {
    cwd: folder,
    env: {...process.env, ...env},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.on('close', resolve));
  try {
    await new Promise((resolve, reject) => {
      server.stdout.on('data', (/** @type {Buffer} */ text) => text.includes(page) && resolve(undefined));
      void ended.then((code) => reject(new UserError(`vezne dev ended with ${code}.`)));
    });
    return await use();
  } finally {
    server.kill();
    await ended;
  }
}

/** A marketer opens the builder, chooses a bank in its preview, and sends the money with the button. @param {string} address @returns {Promise<string>} The order. */
async function pay(address) {
  const browser = await chromium.launch({executablePath: findOrInstallChromium(), args: chromiumArgs});
  try {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      document.addEventListener('vezne-order-code', (event) => {
        document.documentElement.dataset['order'] = /** @type {any} */ (event).orderCode.order;
      });
      document.addEventListener('vezne-payment', (event) => {
        document.documentElement.dataset['payment'] = /** @type {any} */ (event).payment.state;
      });
    });
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => ['warning', 'error'].includes(message.type()) && messages.push(message.text()));
    await page.goto(`${address}/en/`);
    const lines = await page.locator('#snippet code').innerText();
    if (!lines.includes(`${address}/checkout.js?offer=lamp`)) throw new UserError(`The builder shows:\n${lines}`);
    const preview = page.frameLocator('#preview');
    await preview.getByText('Ziraat Bankası').first().click();
    await page.getByRole('button', {name: 'Send the money'}).click({timeout: TIMEOUT_MS});
    await preview.locator('html[data-payment=paid]').waitFor({state: 'attached', timeout: TIMEOUT_MS});
    const order = (await preview.locator('html').getAttribute('data-order')) ?? '';
    // The builder acts as the merchant's server with the sandbox's key, because no page may have the shop's own.
    await page.getByLabel('Element').selectOption('vezne-vendor-form');
    await preview.locator('vezne-vendor-form iframe').waitFor({timeout: TIMEOUT_MS});
    await page.getByLabel('Element').selectOption('vezne-checkout');
    await page.getByLabel('E-mail').check();
    await preview.locator('vezne-checkout[offer=lamp-email]').waitFor({timeout: TIMEOUT_MS});
    if (messages.length > 0) throw new UserError(`The console is not empty:\n${messages.join('\n')}`);
    return order;
  } finally {
    await browser.close();
  }
}
