// @ts-check
// Finds Chrome or Chromium for the tests. On Debian, as root, it can install Chromium.

import {spawnSync} from 'node:child_process';
import {accessSync, constants, existsSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {UserError} from './repo.mjs';

/**
 * Chromium's headless shell comes first: the same engine without the browser's own windows. The tests in a browser need
 * a quarter less processor time with it.
 * @returns {string[]}
 */
function candidatePaths() {
  const {env} = process;
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', `${env['HOME']}/Applications`].flatMap((folder) =>
        ['Google Chrome', 'Chromium'].map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
      );
    case 'win32':
      return [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].flatMap((folder) =>
        folder ? ['Google/Chrome', 'Chromium'].map((name) => path.join(folder, name, 'Application', 'chrome.exe')) : [],
      );
    default:
      return [
        'chromium-headless-shell',
        'google-chrome',
        'google-chrome-stable',
        'chromium',
        'chromium-browser',
      ].flatMap((name) =>
        (env['PATH'] ?? '/usr/bin')
          .split(':')
          .concat('/usr/bin', '/usr/local/bin', '/snap/bin')
          .map((folder) => path.join(folder, name)),
      );
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const isRoot = () => process.platform === 'linux' && process.getuid?.() === 0;

/** The path of Chrome or Chromium. @throws {UserError} if neither is installed. */
export function findChromium() {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new UserError(`CHROME_PATH is not an executable file: ${chosen}`);
  }
  const found = candidatePaths().find(isExecutable);
  if (found) return found;
  throw new UserError('The tests need Chrome or Chromium: install one, or set CHROME_PATH to its path.');
}

/**
 * Like `findChromium`, but if no Chromium is found and this process is root, installs Debian's package of the headless
 * shell, or of Chromium where there is no such package.
 */
export function findOrInstallChromium() {
  try {
    return findChromium();
  } catch (error) {
    if (process.env['CHROME_PATH'] || !isRoot() || !existsSync('/usr/bin/apt-get')) throw error;
  }
  console.log('Installing Chromium for the tests …');
  const env = {...process.env, DEBIAN_FRONTEND: 'noninteractive'};
  // A failed update is not reported here, because the installation then fails too.
  spawnSync('apt-get', ['update', '-qq'], {env, stdio: 'ignore'});
  const isInstalled = ['chromium-headless-shell', 'chromium'].some(
    (name) => spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {env}).status === 0,
  );
  if (isInstalled) return findChromium();
  throw new UserError(
    'The tests need Chromium, and `apt-get install chromium` failed: install one, or set CHROME_PATH to its path.',
  );
}

/**
 * The features of Chromium that are off. This list replaces Playwright's list, and begins with the names of that list.
 *
 * The two names with `Omnibox` are the menus of the address bar. Chromium loads these menus for every window, also
 * without a screen, which took two thirds of the processor time of opening a page. The last name is a process that
 * Chromium starts for every page and frame in case the next page needs it.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
];

/**
 * Chromium's command-line options for the tests. They stop background traffic. For root, who cannot use Chromium's
 * process sandbox, they also turn this sandbox off.
 */
export const chromiumArgs = [
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
  ...(isRoot() ? ['--no-sandbox'] : []),
];
