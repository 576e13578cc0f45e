// @ts-check
// Finds Firefox, WebKit and old Chromium engines for `npm run browsers`, and drives them. On Debian, as root, it can
// install their packages. The drivers have the same few methods, so that each journey works with all of them.

import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {brotliDecompressSync} from 'node:zlib';
import {freePort} from '../../cli/ports.mjs';
import {isRoot} from './chromium.mjs';
import {install} from './install.mjs';
import {repoPath, UserError} from './repo.mjs';
import {makeScratchFolder} from './scratch-folder.mjs';

/**
 * @typedef {object} BrowserElement
 * @property {() => Promise<void>} click
 * @property {(text: string) => Promise<void>} type
 */

/**
 * @typedef {object} BrowserDriver
 * @property {string} name With the version.
 * @property {(url: string) => Promise<void>} open
 * @property {(script: string) => Promise<string | null>} read Runs a script that returns a text or null.
 * @property {(script: string) => Promise<BrowserElement | null>} find Runs a script that returns an element or null.
 * @property {() => Promise<void>} close
 */

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
const XVFB = '/usr/bin/Xvfb';
const LIBRARIES = '/usr/lib';
/** The packages that only this command needs, with a lock file of their own. */
const OWN_PACKAGES = repoPath('scripts', 'browsers');

/** WebKit's small browser for tests; Debian has it in a folder named after the processor and the version. */
function findMiniBrowser() {
  for (const machine of readdirSync(LIBRARIES).filter((name) => name.endsWith('-linux-gnu')))
    for (const folder of readdirSync(`${LIBRARIES}/${machine}`).filter((name) => name.startsWith('webkit2gtk-'))) {
      const file = `${LIBRARIES}/${machine}/${folder}/MiniBrowser`;
      if (existsSync(file)) return file;
    }
  return undefined;
}

/** Debian's packages, each with a check whether it is installed. @type {[name: string, isInstalled: () => boolean][]} */
const PACKAGES = [
  ['firefox-esr', () => FIREFOX.some((file) => existsSync(file))],
  ['webkit2gtk-driver', () => existsSync(WEBKIT_DRIVER) && findMiniBrowser() !== undefined],
  ['xvfb', () => existsSync(XVFB)],
];

/** Installs the packages that are missing, and says so. @throws {UserError} if that is impossible. */
export function requireBrowsers() {
  const missing = PACKAGES.filter(([, isInstalled]) => !isInstalled()).map(([name]) => name);
  if (missing.length === 0) return;
  const advice = `This command needs Debian’s packages ${missing.join(', ')}.`;
  if (!isRoot() || !existsSync('/usr/bin/apt-get')) throw new UserError(`${advice} Install them and try again.`);
  console.log(`Installing ${missing.join(', ')} with apt-get …`);
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'};
  // A failed update is not reported here, because the installation then fails too.
  spawnSync('apt-get', ['update', '-qq'], {env, stdio: 'ignore'});
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {env, stdio: 'pipe'});
  } catch {
    throw new UserError(`${advice} \`apt-get install\` failed.`);
  }
}

/** A phone's screen. */
const SCREEN = {width: 390, height: 844};

/** Starts Firefox without a window and drives it over WebDriver BiDi. @returns {Promise<BrowserDriver>} */
export async function startFirefox() {
  install(OWN_PACKAGES);
  const {launch} = createRequire(`${OWN_PACKAGES}/package.json`)('puppeteer-core');
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX.find((file) => existsSync(file)) ?? '',
    headless: true,
    defaultViewport: SCREEN,
  });
  const page = await browser.newPage();
  return {
    name: (await browser.version()).replace('/', ' '),
    open: async (url) => void (await page.goto(url)),
    read: async (script) => page.evaluate(/** @type {(source: string) => string} */ (run), script),
    async find(script) {
      const element = (await page.evaluateHandle(run, script)).asElement();
      return element && {click: () => element.click(), type: (text) => element.type(text)};
    },
    close: () => browser.close(),
  };
}

/**
 * Starts an old Chromium without a window. Puppeteer cannot open a page in it.
 * @param {103 | 109} version
 * @returns {Promise<BrowserDriver>}
 */
export async function startOldChromium(version) {
  install(OWN_PACKAGES);
  const {chromium} = await import('playwright-core');
  const executablePath = path.join(makeScratchFolder(), `chromium-${version}`);
  const packed = path.join(OWN_PACKAGES, 'node_modules', `chromium-${version}`, 'bin', 'chromium.br');
  writeFileSync(executablePath, brotliDecompressSync(readFileSync(packed)), {mode: 0o755});
  const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--no-zygote']});
  const page = await browser.newPage({viewport: SCREEN});
  return {
    name: `Chromium ${browser.version()}`,
    open: async (url) => void (await page.goto(url)),
    read: (script) => page.evaluate(/** @type {(source: string) => string} */ (run), script),
    async find(script) {
      const element = (await page.evaluateHandle(run, script)).asElement();
      // Playwright’s wait for an element that does not move never ends in Chromium 103.
      return element && {click: () => element.click({force: true}), type: (text) => element.type(text)};
    },
    close: () => browser.close(),
  };
}

/** Runs a script in the page. @param {string} source */
function run(source) {
  return new Function(source)();
}

/** Starts WebKit on a separate screen (Xvfb) and drives it over WebDriver. @returns {Promise<BrowserDriver>} */
export async function startWebKit() {
  install(OWN_PACKAGES);
  const {Builder, Capabilities} = createRequire(`${OWN_PACKAGES}/package.json`)('selenium-webdriver');
  const port = await freePort();
  const display = `:${100 + (process.pid % 10_000)}`;
  const screen = spawn(XVFB, [display, '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {stdio: 'ignore'});
  const server = spawn(WEBKIT_DRIVER, [`--port=${port}`], {env: {...process.env, DISPLAY: display}, stdio: 'ignore'});
  const end = () => {
    server.kill();
    screen.kill();
  };
  process.once('exit', end);
  await waitForPort(port);
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': {binary: findMiniBrowser(), args: ['--automation']},
  });
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
  await driver
    .manage()
    .window()
    .setRect({...SCREEN, x: 0, y: 0});
  const found = await driver.getCapabilities();
  return {
    name: `WebKitGTK ${found.get('browserVersion')}`,
    open: (/** @type {string} */ url) => driver.get(url),
    read: (/** @type {string} */ script) => driver.executeScript(script),
    async find(/** @type {string} */ script) {
      const element = await driver.executeScript(script);
      if (!element) return null;
      return {
        async click() {
          // WebKit scrolls to an element by itself, but a fixed part of the page may then cover the element.
          await driver.executeScript('arguments[0].scrollIntoView({block: "center"})', element);
          await element.click();
        },
        type: (/** @type {string} */ text) => element.sendKeys(text),
      };
    },
    async close() {
      await driver.quit();
      end();
    },
  };
}

/** @param {number} port */
async function waitForPort(port) {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    if ((await fetch(`http://127.0.0.1:${port}/status`).catch(() => null))?.ok) return;
    await wait(100);
  }
  throw new UserError('WebKitWebDriver did not start.');
}
