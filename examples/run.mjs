// @ts-check
// Installs each example as a merchant would, checks its types, and lets a shopper pay in its page in Chromium.

import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {chromium} from 'playwright-core';
import {runNpm} from '../cli/npm.mjs';
import {freePort} from '../cli/ports.mjs';
import {sandboxVars, startSandbox, startWorker, waitForServer, workerVars} from '../cli/servers.mjs';
import {chromiumArgs, findOrInstallChromium} from '../scripts/lib/chromium.mjs';
import {install} from '../scripts/lib/install.mjs';
import {nodeBinary, repoPath, UserError} from '../scripts/lib/repo.mjs';
import {makeScratchFolder} from '../scripts/lib/scratch-folder.mjs';
import {runCreate} from './create.mjs';

const KEY = 'sandbox-merchant-api-key';
const TIMEOUT_MS = 60_000;
const PHP = 'needs the package php-cli (8.1 or newer) with curl: apt-get install php-cli php-curl';

/** @typedef {{worker: string, sandbox: string, tarball: string, ports: Record<string, number>}} Stack */

/** What is run, by the name of its folder. @type {Record<string, (folder: string, stack: Stack) => Promise<string | void>>} */
const EXAMPLES = {
  html: runPage(['server.mjs']),
  php: runPhp,
  react: runPage(['server.mjs']),
  vue: runPage(['server.mjs']),
  next: runPage(['node_modules/next/dist/bin/next', 'start'], (port) => ['-p', port]),
  'generated-clients': generateClients,
  create: (_folder, {tarball}) => runCreate(tarball),
};
/** Install no package from a registry, except what Vezne itself needs. */
const SMALLEST = ['create', 'html', 'php'];

/** Runs a command to its end. @param {string} folder @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function run(folder, command, args, env = {}) {
  const {status, error} = spawnSync(command, args, {cwd: folder, stdio: 'inherit', env: {...process.env, ...env}});
  if (status !== 0) throw new UserError(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`);
}

/** @param {string} folder */
async function generateClients(folder) {
  install(folder);
  for (const script of ['generate', 'check'])
    if (!runNpm(['run', '--silent', script], folder)) throw new UserError(`npm run ${script} failed in ${folder}.`);
  // Its schemas are built when it is loaded.
  run(folder, nodeBinary(), ['--input-type=module', '-e', "await import('./dist/zod-client.ts')"]);
}

/**
 * A page of a framework: installs, checks the types and builds, then pays in it.
 * @param {string[]} server - What Node runs.
 * @param {(port: string) => string[]} [more] - Further arguments.
 * @returns {(folder: string, stack: Stack) => Promise<void>}
 */
function runPage(server, more = () => []) {
  return async (folder, stack) => {
    const port = String(stack.ports[path.basename(folder)]);
    const origin = `http://localhost:${port}`;
    const env = {VEZNE_URL: stack.worker, VEZNE_KEY: KEY, PORT: port, ORIGIN: origin, NEXT_TELEMETRY_DISABLED: '1'};
    if (existsSync(path.join(folder, 'package-lock.json'))) install(folder);
    rmSync(path.join(folder, 'node_modules', 'vezne'), {recursive: true, force: true});
    const isReady =
      runNpm(['install', '--no-save', stack.tarball], folder) && runNpm(['run', '--silent', 'build'], folder);
    if (!isReady) throw new UserError('The page could not be built; see above.');
    await withServer(folder, [nodeBinary(), ...server, ...more(port)], env, origin, () => pay(origin, stack));
  };
}

/** The client's cases, then the shop: a webhook, a shopper, a delivery and a refund. @param {string} folder @param {Stack} stack */
async function runPhp(folder, stack) {
  if (spawnSync('php', ['-r', 'exit(function_exists("curl_init") && PHP_VERSION_ID >= 80100 ? 0 : 1);']).status !== 0) {
    return PHP;
  }
  const origin = `http://localhost:${stack.ports['php']}`;
  const env = {VEZNE_URL: stack.worker, VEZNE_KEY: KEY, SANDBOX_URL: stack.sandbox, ORIGIN: origin};
  run(folder, 'php', ['test.php'], env);
  const [, secret = ''] = [1, 2].map(() => {
    const made = spawnSync('php', ['webhook.php', `${origin}/vezne`], {cwd: folder, env: {...process.env, ...env}});
    return made.stdout.toString().trim();
  });
  const headers = {authorization: `Bearer ${KEY}`};
  const {items} = /** @type {any} */ (await (await fetch(`${stack.worker}/merchant/v1/webhooks`, {headers})).json());
  if (items.filter((/** @type {any} */ {url}) => url === `${origin}/vezne`).length !== 1)
    throw new UserError('webhook.php made a second webhook of the same address.');
  const orders = mkdtempSync(path.join(path.dirname(stack.tarball), 'orders-'));
  const server = ['php', '-S', `localhost:${stack.ports['php']}`, 'shop.php'];
  await withServer(folder, server, {...env, VEZNE_WEBHOOK_SECRET: secret, ORDERS: orders}, origin, async () => {
    const order = await pay(origin, stack);
    const shown = async () => (await fetch(`${origin}/orders/${order}`)).json();
    await until('delivery', async () => /** @type {any} */ (await shown()).delivered);
    run(folder, 'php', ['refund.php', order, '49.90', 'Deniz Örnek', 'TR330006100519786457841326', '1'], env);
    const forged = await fetch(`${origin}/vezne`, {method: 'POST', body: '{}', headers: {'webhook-id': 'evt_1'}});
    if (forged.status !== 400) throw new UserError(`The shop answered a forged webhook with ${forged.status}.`);
  });
}

/**
 * @param {string} folder
 * @param {string[]} command
 * @param {Record<string, string>} env
 * @param {string} origin
 * @param {() => Promise<unknown>} use
 */
async function withServer(folder, [command = '', ...args], env, origin, use) {
  let output = '';
  const server = spawn(command, args, {cwd: folder, env: {...process.env, ...env}, stdio: ['ignore', 'pipe', 'pipe']});
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data));
  try {
    await until('answer of the example’s server', () =>
      fetch(origin).then(
        ({ok}) => ok,
        () => false,
      ),
    );
    await use();
  } catch (error) {
    console.error(output);
    throw error;
  } finally {
    server.kill();
  }
}

/** Runs in the page. The pages of frameworks show what their own listener was told. */
const isPaid = () =>
  (document.querySelector('#state')?.textContent ?? document.documentElement.dataset['payment']) === 'paid';

/**
 * A shopper opens the page, chooses a bank and sends the money. The console must stay empty.
 * @param {string} origin
 * @param {Stack} stack
 * @returns The order, as the page's link names it.
 */
async function pay(origin, {sandbox}) {
  const browser = await chromium.launch({executablePath: findOrInstallChromium(), args: chromiumArgs});
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => ['warning', 'error'].includes(message.type()) && messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    await page.addInitScript(() =>
      document.addEventListener('vezne-payment', (event) => {
        document.documentElement.dataset['payment'] = /** @type {any} */ (event).payment.state;
      }),
    );
    await page.goto(origin);
    await page.getByText('Ziraat Bankası').first().click();
    const code = page.locator('[part~=code] bdi').first();
    const description = (await code.innerText({timeout: TIMEOUT_MS})).replaceAll(/\s/g, '');
    const transfer = {description, bank: 'ziraat', amount: '149.90', sender: 'Deniz Örnek'};
    await fetch(`${sandbox}/_sandbox/transfers`, {method: 'POST', body: JSON.stringify(transfer)});
    await page.waitForFunction(isPaid, null, {timeout: TIMEOUT_MS});
    // The cart keeps its order: a shopper who has paid sees no bank list again.
    await page.reload();
    await page.waitForFunction(isPaid, null, {timeout: TIMEOUT_MS});
    const [order = ''] = await page.locator('a[href^="/orders/"]').allInnerTexts();
    if (messages.length > 0) throw new UserError(`The console is not empty:\n${messages.join('\n')}`);
    return order;
  } finally {
    await browser.close();
  }
}

/** @param {string} what @param {() => Promise<unknown>} isThere */
async function until(what, isThere) {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(200)) if (await isThere()) return;
  throw new UserError(`There was no ${what}.`);
}

/** Packs the repository, and starts Worker and sandbox. @param {string[]} names @param {(stack: Stack) => Promise<void>} use */
async function withStack(names, use) {
  const scratch = makeScratchFolder();
  // Packing builds everything, unless `.ci/run` has done so.
  const pack = [
    'pack',
    '--silent',
    '--pack-destination',
    scratch,
    ...(process.env['VEZNE_BUILT_SITE'] ? ['--ignore-scripts'] : []),
  ];
  if (!runNpm(pack, repoPath())) throw new UserError('npm pack failed.');
  const {version} = JSON.parse(readFileSync(repoPath('package.json'), 'utf8'));
  const tarball = path.join(scratch, `vezne-${version}.tgz`);
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()])));
  const [worker, sandbox] = [`http://localhost:${port}`, `http://localhost:${sandboxPort}`];
  const servers = [
    startSandbox({port: sandboxPort, persistTo: path.join(scratch, 'sandbox'), vars: sandboxVars(worker)}),
    startWorker({
      port,
      site: repoPath('dist', 'site'),
      persistTo: path.join(scratch, 'worker'),
      vars: workerVars(
        sandboxPort,
        Object.values(ports).map((each) => `http://localhost:${each}`),
      ),
    }),
  ];
  try {
    await waitForServer(/** @type {any} */ (servers[0]), 'The sandbox', sandbox);
    await waitForServer(/** @type {any} */ (servers[1]), 'The Worker', `${worker}/health`);
    await use({worker, sandbox, tarball, ports});
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}

/** @param {string[]} chosen - Names of examples; all if there is none. */
export async function runExamples(chosen) {
  if (chosen[0] === '--smallest') return runExamples(SMALLEST);
  const unknown = chosen.find((name) => !(name in EXAMPLES));
  if (unknown)
    throw new UserError(`There is no example "${unknown}". The examples are ${Object.keys(EXAMPLES).join(', ')}.`);
  const names = chosen.length > 0 ? chosen : Object.keys(EXAMPLES);
  let failed = 0;
  await withStack(names, async (stack) => {
    for (const name of names) {
      const startedAt = performance.now();
      const folder = repoPath('examples', name);
      try {
        const skipped = await EXAMPLES[name]?.(folder, stack);
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        console.log(skipped ? `SKIPPED ${name}: ${skipped}` : `ok      ${name}, ${seconds} s`);
      } catch (error) {
        failed += 1;
        console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : error}`);
      }
    }
  });
  console.log(`\n${names.length - failed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
