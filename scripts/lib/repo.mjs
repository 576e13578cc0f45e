// @ts-check
// Where the house stands, which Node it runs on, and how it says no.

import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string[]} parts */
export const inHouse = (...parts) => path.join(root, ...parts);

/** One sentence that tells a person what is wrong and what to do; printed without a trace. */
export class Refusal extends Error {
  /** @override */
  name = 'Refusal';
}

/** The Node that everything but the launchers runs on: the dev dependency, or this one where it is new enough. */
export function houseNode() {
  const own = inHouse('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('../parts')[0]) >= 22) return process.execPath;
  throw new Refusal('The Node that npm should have installed is missing: delete node_modules and try again.');
}

/** Entry files of the tools we start, run directly: one process less each, and no shell. */
export const tools = {
  oxfmt: inHouse('node_modules', 'oxfmt', 'bin', 'oxfmt'),
  oxlint: inHouse('node_modules', 'oxlint', 'bin', 'oxlint'),
  tsc: inHouse('node_modules', 'typescript', 'bin', 'tsc'),
  vite: inHouse('node_modules', 'vite', 'bin', 'vite.js'),
  vitest: inHouse('node_modules', 'vitest', 'vitest.mjs'),
  elements: inHouse('scripts', 'lib', 'run-element-tests.mjs'),
  wrangler: inHouse('node_modules', 'wrangler', 'wrangler-dist', 'cli.js'),
};

// @ts-check

/** The version of the kit. @type {string} */
export const version = JSON.parse(readFileSync(inHouse('package.json'), 'utf8')).version;
