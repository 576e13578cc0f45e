// @ts-check
// The commands of Vezne: `npx vezne <command>` in a shop's project, and `npm start`, `npm run init`, … in a clone.

import {Socket} from 'node:net';
import process from 'node:process';
import {whenNpmEnds} from './child-process.mjs';
import {removeLeftovers} from './leftovers.mjs';
import {print, printError} from './print.mjs';
import {isClone, manifest, requireOwnFile} from './project.mjs';

/**
 * What only a clone can do, because it has the sources.
 * @typedef {object} Builder
 * @property {() => Promise<void>} buildSite Builds the files that are deployed.
 * @property {(site: string, sandbox: string) => Promise<void>} buildDemo Builds them and the demo into a folder.
 * @property {(...options: [site: string, sandbox: string, onOutput: (text: string) => void]) => Promise<Record<string, import('./child-process.mjs').Child>>} watch Rebuilds them on every change.
 */

/** @typedef {(args: string[], builder: Builder | null) => Promise<void> | void} Command */

/** Each command is loaded when it is used, with what it needs. @type {Record<string, [purpose: string, load: () => Promise<Command>]>} */
const COMMANDS = {
  new: [
    'makes a project: vezne new my-shop, with --sandbox to ask nothing',
    async () => (await import('./new.mjs')).create,
  ],
  dev: [
    'runs the Worker, a sandbox of the platform, and a page that pays',
    async () => (await import('./dev.mjs')).dev,
  ],
  deploy: [
    'checks, deploys and examines the Worker; arguments go to wrangler',
    async () => (await import('./deploy.mjs')).deploy,
  ],
  doctor: [
    'examines the Worker, and with --page https://… a page of the shop',
    async () => (await import('./doctor.mjs')).doctor,
  ],
  orders: [
    'prints the orders of a day, and who bought: vezne orders --day 2026-11-21',
    async () => (await import('./orders.mjs')).orders,
  ],
  update: [
    'says what a newer version changes, installs it, and deploys it',
    async () => (await import('./update.mjs')).update,
  ],
  rollback: [
    'goes back to the deployment before, unless stores have changed',
    async () => (await import('./update.mjs')).rollback,
  ],
};

/** @param {string[]} args @param {Builder | null} [builder] */
export async function main([name = '', ...args], builder = null) {
  endWithParent();
  try {
    if (name === '--version') return void print(manifest.version);
    const [, load] = (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || [];
    if (!load) {
      const list = Object.entries(COMMANDS).map(([each, [purpose]]) => `  vezne ${each.padEnd(9)} ${purpose}`);
      const unknown = name && !name.startsWith('-') && name !== 'help' ? `There is no command "${name}".\n` : '';
      if (unknown) process.exitCode = 1;
      return void (unknown ? printError : print)(
        `${unknown}Commands of Vezne ${manifest.version}:\n${list.join('\n')}`,
      );
    }
    // Loading the others already needs what a project has installed.
    if (!isClone && name !== 'new') requireOwnFile();
    removeLeftovers();
    const run = await load();
    await run(args, builder);
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
}

/** Ends this process when the launcher of a clone has ended, even by `kill -9`, which closes the pipe of both. */
function endWithParent() {
  const descriptor = Number(process.env['VEZNE_LAUNCHER_PIPE']);
  if (descriptor)
    new Socket({fd: descriptor})
      .on('close', () => process.exit(1))
      .resume()
      .unref();
  else whenNpmEnds(() => process.kill(process.pid, 'SIGTERM'));
  delete process.env['VEZNE_LAUNCHER_PIPE'];
}
