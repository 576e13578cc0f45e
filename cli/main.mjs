// @ts-check
// The commands of Vezne: `npx vezne <command>` in a shop's project, and `npm start`, `npm run init`, … in a clone.

import {Socket} from 'node:net';
import process from 'node:process';
import {whenNpmEnds} from './child-process.mjs';
import {removeLeftovers} from './leftovers.mjs';
import {print, printError} from './print.mjs';
import {isClone, manifest, requireOwnFile, shown} from './project.mjs';

/**
 * What only a clone can do, because it has the sources.
 * @typedef {object} Builder
 * @property {() => Promise<void>} buildSite Builds the files that are deployed.
 * @property {(site: string, sandbox: string) => Promise<void>} buildDemo Builds them and the demo into a folder.
 * @property {(...options: [site: string, sandbox: string, onOutput: (text: string) => void]) => Promise<Record<string, import('./child-process.mjs').Child>>} watch Rebuilds them on every change.
 */

/** @typedef {(args: string[], builder: Builder | null) => Promise<void> | void} Command */

/**
 * @typedef {object} Entry
 * @property {string} purpose
 * @property {string} usage The arguments.
 * @property {readonly string[]} [details] Lines about the arguments.
 * @property {() => Promise<Command>} load Each command is loaded when it is used, with what it needs.
 */

/** @type {Readonly<Record<string, Entry>>} */
const COMMANDS = {
  new: {
    purpose: 'makes a project: vezne new my-shop, with --sandbox to ask nothing',
    usage: isClone ? '[--<setting> …]' : '[folder] [--sandbox] [--<setting> …]',
    load: async () => (await import('./new.mjs')).create,
  },
  dev: {
    purpose: 'runs the Worker, a sandbox of the platform, and the builder, which writes the lines for your pages',
    usage: '[--port 5173] [--sandbox-port 8790]',
    details: [
      'PORT and SANDBOX_PORT set the ports too. Each pair of ports has data of its own. Ctrl-C ends everything.',
    ],
    load: async () => (await import('./dev.mjs')).dev,
  },
  pay: {
    purpose: 'pays an order in the sandbox: vezne pay 881200450017',
    usage: '<order code> [--amount 149.90] [--bank garanti] [--sender "Ada Yıldız"] [--sandbox-port 8790]',
    details: ['Without --amount, it sends what the order lacks.'],
    load: async () => (await import('./pay.mjs')).pay,
  },
  deploy: {
    purpose: 'checks, deploys and examines the Worker; arguments go to wrangler',
    usage: '[--dry-run] [--allow-older] [arguments of `wrangler deploy`]',
    details: [
      '--dry-run      checks the settings and builds, and calls nobody',
      '--allow-older  deploys a release that is older than the deployed one',
    ],
    load: async () => (await import('./deploy.mjs')).deploy,
  },
  doctor: {
    purpose: 'examines the Worker, and with --page https://… a page of the shop',
    usage: '[--url https://pay.merchant.example] [--page https://…] [--key …]',
    details: [
      'Without --url, it examines the Worker at the domain in your settings. MERCHANT_API_KEY is safer than --key, which',
      'other users of the machine can see.',
    ],
    load: async () => (await import('./doctor.mjs')).doctor,
  },
  orders: {
    purpose: 'prints the orders of a day, and who bought: vezne orders --day 2026-11-21',
    usage: '--day 2026-11-21 [--service DEMO] [--url https://pay.merchant.example] [--key …]',
    load: async () => (await import('./orders.mjs')).orders,
  },
  update: {
    purpose: 'says what a newer version changes, installs it, and deploys it',
    usage: '[version] [--yes]',
    load: async () => (await import('./update.mjs')).update,
  },
  rollback: {
    purpose: 'goes back to the deployment before, unless stores have changed',
    usage: '[--yes]',
    load: async () => (await import('./update.mjs')).rollback,
  },
};

/** The text of `--help`, which starts nothing and reads no settings. @param {string} name @param {Entry} entry */
const helpOf = (name, {purpose, usage, details = []}) =>
  [`${shown(name)}${isClone ? ' --' : ''} ${usage}`, ...[purpose, ...details].map((line) => `  ${line}`)].join('\n');

/** @param {string[]} args @param {Builder | null} [builder] */
export async function main([name = '', ...args], builder = null) {
  endWithParent();
  try {
    if (name === '--version') return void print(manifest.version);
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) {
      const list = Object.entries(COMMANDS).map(([each, {purpose}]) => `  vezne ${each.padEnd(9)} ${purpose}`);
      const unknown = name && !name.startsWith('-') && name !== 'help' ? `There is no command "${name}".\n` : '';
      if (unknown) process.exitCode = 1;
      return void (unknown ? printError : print)(
        `${unknown}Commands of Vezne ${manifest.version}:\n${list.join('\n')}`,
      );
    }
    const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
    if (isHelp) print(helpOf(name, command));
    // The flags of this command are its questions.
    if (isHelp && name === 'new') return void (await import('./new.mjs')).printFlags();
    if (isHelp) return;
    // Loading the others already needs what a project has installed.
    if (!isClone && name !== 'new') requireOwnFile();
    removeLeftovers();
    const run = await command.load();
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
