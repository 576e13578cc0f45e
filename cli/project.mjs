// @ts-check
// Where a command works: in a shop's project, which has the package `vezne`, or in a clone of the repository.

import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

/** An error whose message tells the user what is wrong and what to do. It is printed without a stack trace. */
export class UserError extends Error {
  /** @override */
  name = 'UserError';
}

/** @param {string[]} parts - A path in the package; in a clone, in the repository. */
export const packagePath = (...parts) => path.join(fileURLToPath(new URL('../', import.meta.url)), ...parts);

/** Whether this is a clone of the repository, where the sources run. */
export const isClone = existsSync(packagePath('worker', 'index.ts'));

/** @param {string[]} parts - A path in the folder that has the shop's settings. */
export const projectPath = (...parts) => path.join(isClone ? packagePath() : process.cwd(), ...parts);

/** @param {string[]} parts - A path in the folder of what commands write, which git ignores. */
export const generatedPath = (...parts) => projectPath(isClone ? '.cache' : '.wrangler', 'vezne', ...parts);

/** wrangler.toml and the shop's settings in one, as they are deployed. */
export const DEPLOYED_FILE = generatedPath('wrangler.json');

/** @type {{version: string, devDependencies: Record<string, string>}} */
export const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'));

/** The modules that commands use, as seen from `worker/config/`; see `worker-config.mjs`. */
export const PARSER_MODULES = [
  'config',
  'mistakes',
  'variables',
  'field-names',
  'offers',
  'origins',
  'secret-names',
  'setting-lists',
  'webhook-address',
  '../contract/readers/element-scripts',
];

const CLONE_COMMANDS = new Map([
  ['dev', 'npm start'],
  ['new', 'npm run init'],
]);

/** How the user runs a command here. @param {string} command */
export const shown = (command) =>
  isClone ? (CLONE_COMMANDS.get(command) ?? `npm run ${command}`) : `npx vezne ${command}`;

/** The file of the shop's settings: `vezne.toml`, or the file that VEZNE_CONFIG names. */
export const ownFile = () => path.resolve(projectPath(), process.env['VEZNE_CONFIG'] || 'vezne.toml');

/** Whether the shop has its own settings. */
export const hasOwnFile = () => existsSync(ownFile()) && ownFile() !== packagePath('wrangler.toml');

/** Throws in a folder that is not a shop's project. */
export function requireOwnFile() {
  requireNamedFile();
  if (!hasOwnFile())
    throw new UserError(
      `There is no vezne.toml in ${projectPath()}. Go to the folder of your shop, or make one: npx vezne new my-shop`,
    );
}

/** The name of the file with the settings. */
export const editedName = () => path.basename(hasOwnFile() ? ownFile() : 'wrangler.toml');

/**
 * The file of the shop's secrets, beside its settings: those of `vezne.club.toml` are in `.dev.vars.club`. In a clone,
 * `.dev.vars` has the sandbox's secrets, which are public.
 */
export function secretsFile() {
  const [, name = isClone ? 'local' : ''] = /^vezne\.(.+)\.toml$/.exec(path.basename(ownFile())) ?? [];
  return path.join(path.dirname(ownFile()), name ? `.dev.vars.${name}` : '.dev.vars');
}

/** Throws if VEZNE_CONFIG names a file that does not exist. Otherwise the variable would silently have no effect. */
export function requireNamedFile() {
  const named = process.env['VEZNE_CONFIG'];
  if (named && !existsSync(ownFile())) throw new UserError(`VEZNE_CONFIG names a file that does not exist: ${named}`);
}

/**
 * The path of the Node that runs every tool: in a clone the dev dependency `node`, otherwise the current Node, which
 * has to be version 22 or newer.
 */
export function nodeBinary() {
  const installed = packagePath('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  throw new UserError('The npm package `node` is not installed: delete node_modules and try again.');
}

/**
 * The entry file of wrangler, a dev dependency of the project. A version that is checked before it is installed has its
 * own. A tool that is started from this file needs no shell.
 */
export function wranglerFile() {
  for (const folder of [packagePath(), projectPath()])
    try {
      return createRequire(path.join(folder, 'package.json')).resolve('wrangler');
    } catch {
      // Not installed there.
    }
  throw new UserError(
    `wrangler is not installed in ${projectPath()}: run \`npm install\` there. A project without wrangler in its ` +
      'package.json needs `npm install --save-dev wrangler`.',
  );
}
