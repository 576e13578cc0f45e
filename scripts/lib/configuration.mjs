// @ts-check
// Reads the configuration: wrangler.toml, and the file with the operator's own settings, which override wrangler.toml.
// `git pull` never changes the operator's file. Wrangler's parser of TOML needs the Node of `nodeBinary()`.

import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {experimental_readRawConfig as readRawConfig, unstable_readConfig as readConfig} from 'wrangler';
import {hasOwnFile, MERGED_FILE, ownFile} from './own-configuration.mjs';
import {repoPath, UserError} from './repo.mjs';

/** @typedef {Record<string, any>} Raw */

/** The file of the repository. */
export const BASE_FILE = 'wrangler.toml';

/** Tables that an update of Vezne may change. A copy in the operator's own file would then be outdated. */
const TABLES_OF_VEZNE = ['main', 'compatibility_date', 'exports'];

/** @param {string} file @returns {Raw} */
function readRaw(file) {
  try {
    return readRawConfig({config: file}).rawConfig;
  } catch (error) {
    throw new UserError(`${path.basename(file)} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The table `[vars]` of wrangler.toml, which points to the sandbox. @returns {Raw} */
export const readBaseVars = () => readRaw(repoPath(BASE_FILE))['vars'] ?? {};

/** The operator's own file; null if there is none. @returns {Raw | null} */
export const readOwn = () => (hasOwnFile() ? readRaw(ownFile()) : null);

/** The name of the file that the operator edits. */
export const editedFile = () => (hasOwnFile() ? path.basename(ownFile()) : BASE_FILE);

/** The file that the operator edits: its name, its text and what the text contains. */
export function readEdited() {
  const file = hasOwnFile() ? ownFile() : repoPath(BASE_FILE);
  return {name: path.basename(file), text: readFileSync(file, 'utf8'), content: readRaw(file)};
}

/**
 * Writes `MERGED_FILE`, and reads it: the configuration that `npm run deploy` deploys.
 * @param {{env?: string | undefined, name?: string | undefined}} options - The options `--env` and `--name` of wrangler.
 */
export function readDeployed({env, name}) {
  writeMerged(readOwn() ?? {}, name);
  return readConfig({config: MERGED_FILE, ...(env !== undefined && {env})}, {hideWarnings: true});
}

/**
 * Writes `MERGED_FILE`. Each setting of the operator's own file replaces the setting of the same name in wrangler.toml.
 * `[vars]` is replaced as a whole, so that no value of the sandbox and no offer of the demo remains.
 * @param {Raw} own
 * @param {string | undefined} name - The Worker's name on the command line.
 */
function writeMerged(own, name) {
  const copied = TABLES_OF_VEZNE.filter((table) => table in own);
  if (copied.length > 0)
    throw new UserError(
      `Remove ${copied.join(', ')} from ${editedFile()}: these settings belong to ${BASE_FILE}, and an update may change them.`,
    );
  const base = readRaw(repoPath(BASE_FILE));
  const merged = {
    ...base,
    ...own,
    main: repoPath(base['main']),
    assets: {...base['assets'], ...own['assets'], directory: repoPath(base['assets'].directory)},
    ratelimits: rateLimits(name ?? own['name'] ?? base['name'], base['ratelimits'], own['ratelimits']),
  };
  mkdirSync(path.dirname(MERGED_FILE), {recursive: true});
  writeFileSync(MERGED_FILE, `${JSON.stringify(merged, null, 2)}\n`);
}

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

/** @param {string} file - A JSON file, or lines of `NAME=value`. @returns {Raw} */
export function readSecrets(file) {
  const text = readFileSync(file, 'utf8');
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  return Object.fromEntries(
    [...text.matchAll(/^\s*([\w]+)\s*=\s*["']?(.*?)["']?\s*$/gm)].map(([, name, value]) => [name, value]),
  );
}
