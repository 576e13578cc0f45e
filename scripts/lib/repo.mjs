// @ts-check
// Paths inside the repository, the tools, and the version of Vezne.

import {fileURLToPath} from 'node:url';
import {manifest, packagePath} from '../../cli/project.mjs';

export {nodeBinary, UserError} from '../../cli/project.mjs';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export const repoPath = packagePath;

/** Entry files of the tools. A tool that is started from its entry file needs no shell and no process of `npx`. */
export const tools = {
  oxfmt: repoPath('node_modules', 'oxfmt', 'bin', 'oxfmt'),
  oxlint: repoPath('node_modules', 'oxlint', 'bin', 'oxlint'),
  tsc: repoPath('node_modules', 'typescript', 'bin', 'tsc'),
  vite: repoPath('node_modules', 'vite', 'bin', 'vite.js'),
  vitest: repoPath('node_modules', 'vitest', 'vitest.mjs'),
  elements: repoPath('node_modules', '@web', 'test-runner', 'dist', 'bin.js'),
  wrangler: repoPath('node_modules', 'wrangler', 'wrangler-dist', 'cli.js'),
};

/** Runs a module, and ends when the module has run. */
export const runToEnd = repoPath('scripts', 'lib', 'run-to-end.mjs');

/** The version in package.json. */
export const {version} = manifest;
