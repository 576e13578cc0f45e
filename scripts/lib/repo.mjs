// @ts-check
// Where the house stands, which Node it runs on, and how it says no.

import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string[]} parts */
export const repoPath = (...parts) => path.join(root, ...parts);

/** One sentence that tells a person what is wrong and what to do; printed without a trace. */
export class UserError extends Error {
  /** @override */
  name = 'UserError';
}

/** The Node that everything but the launchers runs on: the dev dependency, or this one where it is new enough. */
export function nodeBinary() {
  const own = repoPath('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  throw new UserError('The Node that npm should have installed is missing: delete node_modules and try again.');
}

/** Entry files of the tools we start, run directly: one process less each, and no shell. */
export const tools = {
  depcruise: repoPath('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
  oxfmt: repoPath('node_modules', 'oxfmt', 'bin', 'oxfmt'),
  oxlint: repoPath('node_modules', 'oxlint', 'bin', 'oxlint'),
  tsc: repoPath('node_modules', 'typescript', 'bin', 'tsc'),
  vite: repoPath('node_modules', 'vite', 'bin', 'vite.js'),
  vitest: repoPath('node_modules', 'vitest', 'vitest.mjs'),
  elements: repoPath('scripts', 'lib', 'run-element-tests.mjs'),
  wrangler: repoPath('node_modules', 'wrangler', 'wrangler-dist', 'cli.js'),
};

// @ts-check

/** The version of the kit. @type {string} */
export const version = JSON.parse(readFileSync(repoPath('package.json'), 'utf8')).version;
