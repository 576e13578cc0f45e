// @ts-check
/**
 * Checks the layout of the sources: the size of folders and files, and that no two exports of the Worker, except its
 * contract, have the same name. dependency-cruiser checks import cycles and layers.
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

/**
 * Folders in which every file describes one more thing of the same kind, such as one operation. These files may have
 * any length and may consist of re-exports alone, and the folder may have any number of files.
 */
const FOLDERS_OF_ONE_KIND = /(?:^|\/)(?:resources|locales|bundles|operations|pages|bench)$/;
/** Files that may be short: those at the top of a part, scripts, the demo, tests, type declarations and styles. */
const MAY_BE_SHORT = /^(?:[^/]+\/[^/]+\.[a-z]+|scripts\/.*|demo\/.*|test\/.*|.*\.d\.ts|.*\.styles\.ts)$/;
/** Other files that may be short, each with the reason. */
const SHORT = new Map([
  ['worker/lib/durations.ts', 'it has all four durations'],
  ['worker/lib/iban.ts', 'it has all functions that handle IBANs'],
  ['worker/lib/lazily.ts', 'it has the one function with which all layers build schemas late'],
  ['worker/lib/msisdn.ts', 'it has both functions that handle numbers'],
  [
    'worker/routes/route.ts',
    'it declares the type that every route imports; beside the routes, it would cause an import cycle',
  ],
  ['worker/routes/merchant/events/events.ts', 'it has the handlers of one resource'],
  ['worker/contract/merchant/quotas.ts', 'it has the endpoint of one resource'],
  ['worker/contract/merchant/order-details.ts', 'it has the endpoint of one resource'],
  [
    'widgets/core/field-error.ts',
    'it is loaded lazily; as part of templates.ts, it would be in every first file of an element',
  ],
  [
    'widgets/core/format-time.ts',
    'it is loaded lazily; as part of format.ts, it would be in every first file of an element',
  ],
]);
/** Files that may consist of re-exports alone, each with the reason. */
const RE_EXPORTS = new Map([['merchant/index.ts', 'the entry of the package']]);

/**
 * @param {string} folder
 * @returns {Generator<{folder: string, files: string[]}>} The folder and every folder below it, with the source files in each.
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

/** Whether the file only re-exports what other files export. @param {string} text */
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
    if (files.length > MAX_FILES_IN_FOLDER && !FOLDERS_OF_ONE_KIND.test(folder))
      problems.push(`${folder}: ${files.length} files, at most ${MAX_FILES_IN_FOLDER}`);
    for (const name of files) {
      const file = path.posix.join(folder, name);
      const text = readFileSync(repoPath(file), 'utf8');
      const lines = text.split('\n').length - 1;
      const isTest = part === 'test';
      if (lines > MAX_LINES && !isTest && !FOLDERS_OF_ONE_KIND.test(folder))
        problems.push(`${file}: ${lines} lines, at most ${MAX_LINES}`);
      if (lines < MIN_LINES && !FOLDERS_OF_ONE_KIND.test(folder) && !MAY_BE_SHORT.test(file) && !SHORT.has(file))
        problems.push(`${file}: ${lines} lines, at least ${MIN_LINES}`);
      if (!isTest && onlyReExports(text) && !FOLDERS_OF_ONE_KIND.test(folder) && !RE_EXPORTS.has(file))
        problems.push(`${file}: the file only re-exports`);
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
