// @ts-check
/**
 * Checks how the sources are laid out: the size of folders and files, and that no two exported things of the Worker share a
 * name. Import cycles, layers and walls are checked by dependency-cruiser.
 */

import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {repoPath} from './lib/repo.mjs';

const PARTS = ['worker', 'widgets', 'sandbox', 'merchant', 'relay', 'scripts', 'demo', 'test'];
const SOURCE = /\.(?:ts|mjs|cjs|js)$/;

const MAX_FILES_IN_FOLDER = 20;
const MAX_LINES = 300;
const MIN_LINES = 25;

/** Folders whose files are all of one kind. They may have any number of files, and short ones. */
const ROWS = /(?:^|\/)(?:resources|locales|bundles|operations|pages|bench)$/;
/** Files that are short by nature: what stands first in a part, scripts, styles, declarations for the compiler, and helpers of tests. */
const MAY_BE_SHORT = /^(?:[^/]+\/[^/]+\.[a-z]+|scripts\/.*|demo\/.*|test\/.*|.*\.d\.ts|.*\.styles\.ts)$/;
/** Other short files, each with its reason. */
const SHORT = new Map([
  ['worker/lib/durations.ts', 'four constants, all there are'],
  ['worker/lib/msisdn.ts', 'two functions, all that a number needs'],
  ['worker/routes/route.ts', 'the type that every route imports; with the routes it would be a cycle'],
  ['worker/routes/merchant/events.ts', 'a row: the handlers of one resource'],
  ['worker/contract/merchant/quotas.ts', 'a row: the endpoint of one resource'],
  ['widgets/core/field-error.ts', 'a lazy boundary: with templates.ts it would be in every first file'],
  ['widgets/core/format-time.ts', 'a lazy boundary: with format.ts it would be in every first file'],
]);
/** Files that only re-export, each with its reason. */
const RE_EXPORTS = new Map([['merchant/index.ts', 'the entry of the package']]);

/**
 * @param {string} folder
 * @returns {Generator<{folder: string, files: string[]}>} Every folder below it with the source files that lie in it.
 */
function* foldersBelow(folder) {
  const entries = readdirSync(repoPath(folder), {withFileTypes: true});
  const files = entries.filter((entry) => entry.isFile() && SOURCE.test(entry.name)).map((entry) => entry.name);
  yield {folder, files};
  for (const entry of entries) {
    if (entry.isDirectory() && !entry.name.startsWith('.') && !['node_modules', 'dist'].includes(entry.name))
      yield* foldersBelow(`${folder}/${entry.name}`);
  }
}

/** @param {string} text @returns {boolean} Whether the file does nothing but pass on what other files export. */
function onlyReExports(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  return code !== '' && code.replace(/export (?:type )?(?:\*|\{[^}]*\}) from '[^']+';/g, '').trim() === '';
}

/** @type {string[]} */
const problems = [];
/** @type {Map<string, string>} */
const exportedByWorker = new Map();

for (const part of PARTS) {
  for (const {folder, files} of foldersBelow(part)) {
    if (files.length > MAX_FILES_IN_FOLDER && !ROWS.test(folder))
      problems.push(`${folder}: ${files.length} files, at most ${MAX_FILES_IN_FOLDER}`);
    for (const name of files) {
      const file = path.posix.join(folder, name);
      const text = readFileSync(repoPath(file), 'utf8');
      const lines = text.split('\n').length - 1;
      const isTest = part === 'test';
      if (lines > MAX_LINES && !isTest && !ROWS.test(folder))
        problems.push(`${file}: ${lines} lines, at most ${MAX_LINES}`);
      if (lines < MIN_LINES && !ROWS.test(folder) && !MAY_BE_SHORT.test(file) && !SHORT.has(file))
        problems.push(`${file}: ${lines} lines, at least ${MIN_LINES}`);
      if (!isTest && onlyReExports(text) && !ROWS.test(folder) && !RE_EXPORTS.has(file))
        problems.push(`${file}: it only re-exports`);
      if (part !== 'worker' || folder.startsWith('worker/contract')) continue;
      for (const [, exported = ''] of text.matchAll(
        /^export (?:abstract |async )*(?:class|function|const|interface|type|enum) ([\w$]+)/gm,
      )) {
        const other = exportedByWorker.get(exported);
        if (other && other !== file) problems.push(`${file}: ${exported} is exported by ${other} too`);
        exportedByWorker.set(exported, file);
      }
    }
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
