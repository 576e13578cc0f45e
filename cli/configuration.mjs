// @ts-check
// Reads the configuration: wrangler.toml of Vezne, and the shop's settings, which override it. An update of Vezne never
// changes the shop's file.

import {isUtf8} from 'node:buffer';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {parse, TomlError} from 'smol-toml';
import {
  DEPLOYED_FILE,
  editedName,
  generatedPath,
  hasOwnFile,
  isClone,
  ownFile,
  packagePath,
  UserError,
  wranglerFile,
} from './project.mjs';
import {readSecrets, toDotenv, writePrivateFile} from './secrets.mjs';
import {neededSecrets} from './worker-config.mjs';

/**
 * Loads wrangler, which takes seconds, when a deployment is prepared. `import` would take longer, because Node would look
 * for the exports in its source.
 * @returns {typeof import('wrangler')}
 */
const wrangler = () => createRequire(import.meta.url)(wranglerFile());

/** @typedef {Record<string, any>} Raw */

/** The file of the repository. */
export const BASE_FILE = 'wrangler.toml';

/** Tables that an update of Vezne may change. A copy in the operator's own file would then be outdated. */
const TABLES_OF_VEZNE = ['main', 'compatibility_date', 'exports'];

/**
 * Reads a file as JSON has it, because a deployment goes through JSON: a date without quotes is text.
 * @param {string} file
 * @returns {Raw}
 */
function readRaw(file) {
  const bytes = readFileSync(file);
  const text = bytes.toString();
  try {
    // In another encoding, Turkish letters would be lost.
    if (!isUtf8(bytes)) throw new UserError('This is not UTF-8 text. Save it as UTF-8');
    return JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    const [message] = /** @type {Error} */ (error).message.split('\n');
    const number = error instanceof TomlError ? error.line : 0;
    // The value may be a secret in the wrong file.
    const [, key] = /^\s*([\w.-]+)\s*=\s*[^=\s]/.exec(text.split('\n')[number - 1] ?? '') ?? [];
    const line = number ? ` in line ${number}${key ? `, at ${key}` : ''}` : '';
    throw new UserError(`${path.basename(file)} cannot be read: ${message}${line}.`);
  }
}

/** The table `[vars]` of wrangler.toml, which points to the sandbox. @returns {Raw} */
export const readBaseVars = () => readRaw(packagePath(BASE_FILE))['vars'] ?? {};

/** The operator's own file; null if there is none. @returns {Raw | null} */
export const readOwn = () => (hasOwnFile() ? readRaw(ownFile()) : null);

/** The routes of a Worker: a domain, or a pattern. @param {Raw} settings @returns {string[]} */
export const routesOf = ({route, routes = []}) =>
  [...routes, ...(route ? [route] : [])].map((one) => (typeof one === 'string' ? one : one.pattern));

/** The URL of the Worker's own domain; undefined if the settings name no domain. @param {Raw} settings */
export function addressOf(settings) {
  const [host] = String(routesOf(settings)[0] ?? '').split('/');
  return host && !host.includes('*') ? `https://${host}` : undefined;
}

/** The file that the operator edits: its name, its text and what the text contains. */
export function readEdited() {
  const file = hasOwnFile() ? ownFile() : packagePath(BASE_FILE);
  return {name: path.basename(file), text: readFileSync(file, 'utf8'), content: readRaw(file)};
}

/**
 * Writes `DEPLOYED_FILE`, and reads it: the configuration that `npm run deploy` deploys.
 * @param {string} [name] - The option `--name` of wrangler.
 */
export function readDeployed(name) {
  const own = readOwn() ?? {};
  requireForm(own);
  writeMerged(own, name);
  try {
    return wrangler().unstable_readConfig({config: DEPLOYED_FILE}, {hideWarnings: true});
  } catch (error) {
    const lines = /** @type {Error} */ (error).message.trim().split('\n');
    // The first of several lines names the merged file, which nobody edits.
    const reasons = lines.length > 1 ? lines.slice(1) : lines;
    throw new UserError([`wrangler does not accept ${editedName()}:`, ...reasons].join('\n'));
  }
}

/** @param {Raw} own */
function requireForm({name = '', ratelimits = []}) {
  if (typeof name !== 'string') throw new UserError(`name: Expected text (${editedName()}).`);
  if (!Array.isArray(ratelimits)) throw new UserError(`ratelimits: Expected [[ratelimits]] (${editedName()}).`);
}

/**
 * The settings of `vezne.toml` if the commands use another file beside it; null otherwise.
 * @returns {Raw | null}
 */
export function readMain() {
  const file = path.join(path.dirname(ownFile()), 'vezne.toml');
  if (file === ownFile() || !existsSync(file)) return null;
  return {name: readRaw(packagePath(BASE_FILE))['name'], ...readRaw(file)};
}

/**
 * Writes `DEPLOYED_FILE`. Each setting of the operator's own file replaces the setting of the same name in wrangler.toml.
 * `[vars]` is replaced as a whole, so that no value of the sandbox and no offer of the demo remains.
 * @param {Raw} own
 * @param {string | undefined} name - The Worker's name on the command line.
 */
function writeMerged(own, name) {
  const copied = TABLES_OF_VEZNE.filter((table) => table in own);
  if (copied.length > 0)
    throw new UserError(
      `Remove ${copied.join(', ')} from ${editedName()}: these settings belong to ${BASE_FILE}, and an update may change them.`,
    );
  const base = readRaw(packagePath(BASE_FILE));
  const merged = {
    ...base,
    ...own,
    ...entries(),
    assets: {...base['assets'], ...own['assets'], directory: siteFolder()},
    secrets: {required: neededSecrets(own['vars'] ?? {}).filter((secret) => !(secret in (own['vars'] ?? {})))},
    ratelimits: rateLimits(name ?? own['name'] ?? base['name'], base['ratelimits'], own['ratelimits']),
  };
  writeJson(DEPLOYED_FILE, merged);
}

/**
 * Writes the configurations of the two servers of `vezne dev`, and their secrets beside them.
 * @param {string} name - Of their folder.
 * @param {{vars: Raw, secrets: Raw, sandboxVars: Raw}} settings - Of the Worker, and the sandbox's variables.
 * @returns {{worker: string, sandbox: string}} The files.
 */
export function writeDevConfiguration(name, {vars, secrets, sandboxVars}) {
  const {assets, ...worker} = readRaw(packagePath(BASE_FILE));
  const sandbox = readRaw(packagePath('sandbox', 'wrangler.toml'));
  const main = packagePath(...(isClone ? ['sandbox', 'index.ts'] : ['dist', 'sandbox', 'index.js']));
  const secretsOfSandbox = readSecrets(packagePath('sandbox', '.dev.vars'));
  return {
    worker: writeServer(
      generatedPath(name, 'worker'),
      {...worker, assets: {binding: assets.binding}, ...entries(), vars},
      secrets,
    ),
    sandbox: writeServer(
      generatedPath(name, 'sandbox'),
      {...sandbox, main, vars: {...sandbox['vars'], ...sandboxVars}},
      secretsOfSandbox,
    ),
  };
}

/** @param {string} folder @param {Raw} config @param {Raw} secrets @returns {string} The file with the configuration. */
function writeServer(folder, config, secrets) {
  const file = path.join(folder, 'wrangler.json');
  writeJson(file, config);
  writePrivateFile(path.join(folder, '.dev.vars'), toDotenv(secrets));
  return file;
}

/** @param {string} file @param {unknown} content */
function writeJson(file, content) {
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** The folder of the files that are deployed. */
export const siteFolder = () => (isClone ? packagePath('dist', 'site') : generatedPath('site'));

/** What wrangler bundles: in the package, the Worker is a bundle, from which only unused code can be dropped. */
export const entries = () => ({
  main: packagePath(...(isClone ? ['worker', 'index.ts'] : ['dist', 'worker', 'index.js'])),
});

/**
 * The rate limits of a Worker. Cloudflare counts each `namespace_id` once for the whole account, so each Worker needs
 * ids of its own. The ids follow from the Worker's name, so they stay the same. They are large, so that they differ from
 * ids that a person chose.
 * @param {string} worker
 * @param {readonly Raw[]} base
 * @param {readonly Raw[]} own - The operator's rate limits, each of which replaces the one of the same name.
 */
function rateLimits(worker, base, own = []) {
  // Two shops have equal ids once in 2^28 pairs of names. The largest id is below 2^31.
  const first = 2 ** 30 + (createHash('sha256').update(worker).digest().readUInt32BE() >>> 4) * 4;
  const derived = base.map((one, index) => ({...one, namespace_id: String(first + index)}));
  const isReplaced = (/** @type {Raw} */ one) => own.some(({name}) => name === one['name']);
  return [...derived.filter((one) => !isReplaced(one)), ...own];
}
