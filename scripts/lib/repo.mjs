// @ts-check
// Paths inside the repository, the Node that runs the tools, the version of Vezne, and the error class for messages to
// the user.

import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {fileURLToPath} from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string[]} parts */
export const repoPath = (...parts) => path.join(root, ...parts);

/** An error whose message tells the user what is wrong and what to do. It is printed without a stack trace. */
export class UserError extends Error {
  /** @override */
  name = 'UserError';
}

/**
 * The path of the Node that runs every tool: the dev dependency `node`, or else the current Node if it is version 22 or
 * newer. The commands in this folder run on the user's Node.
 */
export function nodeBinary() {
  const installed = repoPath('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  throw new UserError('The npm package `node` is not installed: delete node_modules and try again.');
}

/** Entry files of the tools. A tool that is started from its entry file needs no shell and no process of `npx`. */
export const tools = {
  depcruise: repoPath('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
  oxfmt: repoPath('node_modules', 'oxfmt', 'bin', 'oxfmt'),
  oxlint: repoPath('node_modules', 'oxlint', 'bin', 'oxlint'),
  tsc: repoPath('node_modules', 'typescript', 'bin', 'tsc'),
  vite: repoPath('node_modules', 'vite', 'bin', 'vite.js'),
  vitest: repoPath('node_modules', 'vitest', 'vitest.mjs'),
  elements: repoPath('node_modules', '@web', 'test-runner', 'dist', 'bin.js'),
  wrangler: repoPath('node_modules', 'wrangler', 'wrangler-dist', 'cli.js'),
};

/** The version in package.json. @type {string} */
export const version = JSON.parse(readFileSync(repoPath('package.json'), 'utf8')).version;
