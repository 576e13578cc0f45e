// @ts-check
/**
 * Checks the layout of the code: no import cycles, the layers of `.dependency-cruiser.cjs`, and no very large files or
 * folders. Prints what the house weighs, which nothing limits.
 */

import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {cruise} from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import {repoPath} from './lib/repo.mjs';

const MAX_LINES_OF_FILE = 500;
const MAX_FILES_OF_FOLDER = 30;

const SOURCES = [
  'worker',
  'widgets',
  'relay',
  'merchant',
  'package',
  'sandbox',
  'demo',
  'desk',
  'scripts',
  'cli',
  'create',
  'sim',
];
const MAX_CLASSES = 14;
/** Ideas that exist once: what only these files of `worker/` may have. */
const ONE_PLACE = [
  {
    what: 'plans an alarm',
    pattern: /\.(?:set|delete)Alarm\(/,
    files: ['objects/stored-object.ts', 'objects/migrations.ts'],
  },
  {what: 'uses an object’s storage directly', pattern: /\bctx\.storage\b/, files: ['objects/stored-object.ts']},
  {what: 'doubles a delay', pattern: /2 \*\* /, files: ['lib/retry.ts']},
];
/** Modules whose closures are printed: all modules that an isolate loads with them. */
const ENTRIES = ['worker/index.ts', 'worker/objects/order/order.ts', 'worker/routes/merchant/api.ts'];

/** What an isolate does not load when it starts (docs/decisions/build-and-startup.md). */
const LATE = [/^worker\/platform\/operations\/(?!load-operation)/, /^worker\/contract\/merchant\/(?!scopes\.ts)/];

const CODE = /\.(?:ts|mjs|cjs|js)$/;
const TEXT = /\.(?:ts|mjs|cjs|js|css|html|md)$/;

/** @typedef {{file: string, text: string, lines: number}} TextFile */

/**
 * @param {string} folder
 * @returns {TextFile[]} The files of code and text in the folder and in every folder below it.
 */
function filesBelow(folder) {
  return readdirSync(repoPath(folder), {withFileTypes: true}).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory())
      return /^(?:\.|node_modules$|dist$|generated$|releases$)/.test(entry.name) ? [] : filesBelow(file);
    if (!TEXT.test(entry.name)) return [];
    const text = readFileSync(repoPath(file), 'utf8');
    return [{file, text, lines: text.split('\n').length - 1}];
  });
}

const files = filesBelow('.');
/** @param {readonly string[]} folders */
const filesIn = (folders) => files.filter(({file}) => folders.includes(file.split('/', 1)[0] ?? ''));
const code = filesIn([...SOURCES, 'test']).filter(({file}) => CODE.test(file));

/** @param {string} file @param {RegExp} pattern */
const countIn = (file, pattern) => readFileSync(repoPath(file), 'utf8').match(pattern)?.length ?? 0;

/** @type {string[]} */
const problems = [];

for (const {file, lines} of code)
  if (lines > MAX_LINES_OF_FILE) problems.push(`${file}: ${lines} lines, at most ${MAX_LINES_OF_FILE}`);
for (const [folder, {length}] of Map.groupBy(code, ({file}) => path.posix.dirname(file)))
  if (length > MAX_FILES_OF_FOLDER) problems.push(`${folder}: ${length} files, at most ${MAX_FILES_OF_FOLDER}`);

for (const {file, text} of code.filter((each) => each.file.startsWith('worker/')))
  for (const {what, pattern, files: places} of ONE_PLACE)
    if (pattern.test(text) && !places.includes(file.slice('worker/'.length)))
      problems.push(`${file} ${what}, which only ${places.join(' and ')} may do`);
const classes = countIn('wrangler.toml', /type = "durable-object"/g);
if (classes > MAX_CLASSES) problems.push(`wrangler.toml: ${classes} classes, at most ${MAX_CLASSES}`);

const {output} = await cruise(SOURCES, await extractOptions(repoPath('.dependency-cruiser.cjs')));
if (typeof output === 'string') throw new Error('Expected the result of dependency-cruiser as an object.');
const {modules, summary} = output;
for (const {rule, from, to} of summary.violations) problems.push(`${rule.name}: ${from} imports ${to}`);

/** What each module imports as a value, when it is loaded. */
const importsOf = new Map(
  modules.map(({source, dependencies}) => [
    source,
    dependencies
      .filter(({dynamic, dependencyTypes}) => !dynamic && !dependencyTypes.includes('type-only'))
      .map(({resolved}) => resolved),
  ]),
);
const linesOf = new Map(files.map(({file, lines}) => [file, lines]));

/** Each module that is loaded with the entry, and which module imports it. @param {string} entry */
function closureOf(entry) {
  const seen = new Map([[entry, '']]);
  for (const [each] of seen)
    for (const next of importsOf.get(each) ?? []) if (linesOf.has(next) && !seen.has(next)) seen.set(next, each);
  return seen;
}
for (const [file, importer] of closureOf('worker/index.ts'))
  if (LATE.some((pattern) => pattern.test(file)) && !LATE.some((pattern) => pattern.test(importer)))
    problems.push(`${importer} imports ${file}, which an isolate must not load when it starts`);

/** @param {readonly number[]} numbers */
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
/** @param {readonly TextFile[]} all */
const linesIn = (all) => sumOf(all.filter(({file}) => !file.endsWith('.md')).map(({lines}) => lines));

console.log('The ten largest files:');
for (const {file, lines} of code.toSorted((a, b) => b.lines - a.lines).slice(0, 10))
  console.log(`${String(lines).padStart(8)}  ${file}`);
console.log('\nThe house:');
for (const folder of SOURCES) console.log(`${String(linesIn(filesIn([folder]))).padStart(8)}  lines in ${folder}/`);
const words = sumOf(files.filter(({file}) => file.endsWith('.md')).map(({text}) => text.split(/\s+/).length));
const {stdout: kilobytes} = spawnSync('du', ['-sk', repoPath('node_modules')], {encoding: 'utf8'});
for (const [count, what] of [
  [linesIn(filesIn(SOURCES)), 'lines of source'],
  [linesIn(filesIn(['test'])), 'lines of tests'],
  [words, 'words of Markdown'],
  [classes, 'classes of Durable Objects'],
  [Math.round(Number.parseInt(kilobytes || '0', 10) / 1000), 'MB in node_modules'],
])
  console.log(`${String(count).padStart(8)}  ${what}`);
for (const entry of ENTRIES) {
  const closure = [...closureOf(entry).keys()];
  console.log(
    `closure of ${entry}: ${closure.length} files, ${sumOf(closure.map((file) => linesOf.get(file) ?? 0))} lines`,
  );
}

if (problems.length > 0) console.error(`\n${problems.join('\n')}`);
process.exitCode = problems.length > 0 ? 1 : 0;
