// @ts-check
// `npm test` runs every step. Its last lines name the failed tests and say how many passed. `npm test -- <step> …` runs
// these steps one after another, and passes the arguments after the steps to the last tool of each, such as a file.
// `-t` takes only the tests with this text in their title: `npm test -- e2e -t "hand-off link"`.

import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {stripVTControlCharacters} from 'node:util';
import {startNode} from '../cli/child-process.mjs';
import {findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, runToEnd, tools, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

const given = process.argv.slice(3);
/** Whether every step runs. */
const isAll = given.length === 0;

const vite = /** @type {const} */ ([tools.vite, 'build', '--logLevel', 'warn']);
const packageBuild = repoPath('scripts', 'build-package.mjs');
/** Every project of the vitest configuration is one step. Only `npm run looks` runs the project `looks`. */
const projects = [...readFileSync(repoPath('vitest.config.ts'), 'utf8').matchAll(/\bname: '([\w-]+)'/g)]
  .map(([, name = '']) => name)
  .filter((name) => name !== 'looks');

/** @typedef {Record<string, [tool: string, ...args: string[]][]>} Steps The commands of a step run one after another. */

/** Steps that run before all others, which read what `build` writes. @type {Steps} */
const first = {
  build: [[...vite], [...vite, '-c', 'relay/vite.config.ts'], [packageBuild]],
  format: [[tools.oxfmt, '--check']],
  layout: [[repoPath('scripts', 'check-layout.mjs')]],
  lint: [[tools.oxlint, '--deny-warnings']],
  lock: [[repoPath('scripts', 'check-lock.mjs')]],
};
/** The longest steps come first, so that no step is left running alone at the end. @type {Steps} */
const others = {
  elements: [[tools.elements]],
  types: [
    // In a run of all steps, the step `build` has written these sources.
    ...(isAll ? [] : /** @type {Steps[string]} */ ([[packageBuild, '--sources']])),
    [tools.tsc, '-b', '--singleThreaded'],
  ],
  ...Object.fromEntries(projects.map((name) => [name, [[tools.vitest, 'run', '--project', name]]])),
  worker: [
    // Some tests read the files that are deployed. The step `build` writes them, in a run of all steps.
    ...(isAll || existsSync(repoPath('dist', 'site', 'vezne')) ? [] : /** @type {Steps[string]} */ ([[...vite]])),
    [tools.vitest, 'run', '--project', 'worker'],
  ],
  sim: [[runToEnd, repoPath('sim', 'run.ts'), '--test']],
  deploy: [[repoPath('scripts', 'check-deploy.mjs')]],
  bytes: [[repoPath('scripts', 'check-bytes.mjs')]],
};
const steps = {...first, ...others};
/** How many steps run at the same time (docs/decisions/tests.md). */
const CONCURRENT_STEPS = 3;
/** If all steps run, a tool that is not done after this time is killed. */
const TIMEOUT_MS = 1_200_000;

const end = given.findIndex((argument) => !(argument in steps));
const chosen = end < 0 ? given : given.slice(0, end);
const rest = given.slice(chosen.length);
if (end === 0) throw new UserError(`There is no step "${given[0]}". The steps are ${Object.keys(steps).join(', ')}.`);
const title = takeTitle(rest);
/** The steps whose tests have titles. */
const titled = ['elements', ...projects];
const untitled = chosen.find((name) => !titled.includes(name));
if (title !== undefined && untitled !== undefined)
  throw new UserError(`The step ${untitled} has no tests with titles. These have: ${titled.join(', ')}.`);

/** Removes `-t <title>` from the arguments. @param {string[]} args */
function takeTitle(args) {
  const at = args.findIndex((argument) => argument === '-t' || argument === '--testNamePattern');
  if (at < 0) return undefined;
  const [, text] = args.splice(at, 2);
  if (!text) throw new UserError('Use: npm test -- <step> -t "text of a title"');
  return text;
}

install();
const scratch = makeScratchFolder();
/** @type {Record<string, string>} */
const env = {CI: '1', TMPDIR: scratch};
// The runner of the elements has no argument for a title.
if (title !== undefined) env['VEZNE_TITLE'] = title;
/** These fail at once if there is no Chromium. */
const inBrowser = ['elements', 'e2e'];
if (isAll || inBrowser.some((name) => chosen.includes(name))) {
  try {
    env['CHROME_PATH'] = findOrInstallChromium();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
  }
}
/** All steps use one build of the site, and one bundle each of Worker and sandbox. */
const built = {VEZNE_BUILT_SITE: repoPath('dist', 'site'), VEZNE_BUNDLES: repoPath('dist')};

let passed = 0;
/** Describes each failed test. @type {string[]} */
const failures = [];

/** Some tools print colors even when the output is not a terminal. @param {string} text */
const show = (text) => (process.stdout.isTTY ? text : stripVTControlCharacters(text));

/**
 * Processor seconds of the processes that this one started and that have ended, and of theirs, without those that end
 * after their parent, such as some of Chromium's. Null where the system does not say.
 */
function usedByChildren() {
  if (process.platform !== 'linux') return null;
  // The name of the process, in parentheses, may contain spaces. A tick is a hundredth of a second.
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?!.*\) )/);
  const [user, system] = fields.split(' ').slice(13, 15).map(Number);
  return (Number(user) + Number(system)) / 100;
}
let counted = usedByChildren() ?? 0;

/** What Playwright says when Chromium itself ended, and not a test. */
const BROWSER_CRASH = /\b(Page|Target) crashed\b/;

/** @param {string} name */
async function runStep(name) {
  const startedAt = performance.now();
  const report = path.join(scratch, `${name}.json`);
  let output = '';
  let used = 0;
  let succeeded = env['CHROME_PATH'] !== undefined || !inBrowser.includes(name);
  const commands = steps[name] ?? [];
  for (const [index, [tool, ...args]] of commands.entries()) {
    if (!succeeded) break;
    const more =
      index < commands.length - 1 ? [] : title === undefined || name === 'elements' ? rest : [...rest, '-t', title];
    const run = async () => {
      const child = startNode(tool, [...args, ...more], {
        env: {...env, VEZNE_REPORT: report},
        onOutput: (text) => (isAll ? (output += show(text)) : process.stdout.write(show(text))),
      });
      const killTimer = isAll ? setTimeout(() => void child.end('SIGKILL'), TIMEOUT_MS) : undefined;
      succeeded = (await child.ended) === 0;
      clearTimeout(killTimer);
    };
    await run();
    if (!succeeded && BROWSER_CRASH.test(output)) {
      console.log(`Chromium crashed in the step ${name}, which runs once more.\n${output}`);
      output = '';
      await run();
    }
    // Steps end one after another, so what was used since the end before was used by this one.
    const sum = usedByChildren() ?? 0;
    used += sum - counted;
    counted = sum;
  }
  const result = readResult(report, succeeded);
  if (!succeeded && result.failures.length === 0) result.failures.push(`The step ${name} failed; see its output.`);
  if (succeeded && title !== undefined && result.passed === 0)
    result.failures.push(`No test of the step ${name} has "${title}" in its title.`);
  passed += result.passed;
  failures.push(...result.failures);
  if (name === 'build' && succeeded) Object.assign(env, built);
  // The output of these steps is a report.
  if (output && (!succeeded || ['layout', 'bytes', 'sim'].includes(name))) console.log(`\n── ${name} ──\n${output}`);
  const counts = `${String(result.passed).padStart(4)} passed, ${result.failures.length} failed`;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const processor = usedByChildren() === null ? '' : `  ${used.toFixed(1)} s of a processor`;
  const state = result.failures.length > 0 ? 'FAILED' : 'ok    ';
  console.log(`${state}  ${name.padEnd(12)} ${counts}  ${seconds.padStart(5)} s${processor}`);
}

/** What a test runner has reported. A tool without a report is one test. @param {string} report @param {boolean} succeeded */
function readResult(report, succeeded) {
  /** @type {{numPassedTests: number, testResults: {name: string, message: string, assertionResults: {status: string, fullName: string, failureMessages: string[]}[]}[]}} */
  const {numPassedTests, testResults} = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : {numPassedTests: Number(succeeded), testResults: []};
  const failed = testResults.flatMap(({name, message, assertionResults}) =>
    // A file that cannot be loaded has no results, only a message.
    (message ? [{status: 'failed', fullName: '(the file)', failureMessages: [message]}] : assertionResults)
      .filter(({status}) => status === 'failed')
      .map(({fullName, failureMessages: [text = '']}) =>
        [path.relative(repoPath(), name), fullName, stripVTControlCharacters(text).split('\n', 1)[0]].join(': '),
      ),
  );
  return {passed: numPassedTests, failures: failed};
}

for (const group of isAll ? [Object.keys(first), Object.keys(others)] : chosen.map((name) => [name])) {
  const waiting = group.values();
  const runWaiting = async () => {
    for (const name of waiting) await runStep(name);
  };
  await Promise.all(Array.from({length: CONCURRENT_STEPS}, runWaiting));
}

if (failures.length > 0) console.log(`\nFailed tests:\n  ${failures.join('\n  ')}`);
if (isAll && counted > 0) console.log(`\n${counted.toFixed(0)} s of a processor`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length > 0 ? 1 : 0);
