// @ts-check
// `npm test` runs every step, and its last line says how many tests passed and failed. `npm test -- <step> …` runs one
// step and passes the further arguments to the step's tool: `npm test -- e2e -t "hand-off link"`.

import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {stripVTControlCharacters} from 'node:util';
import {startNode} from './lib/child-process.mjs';
import {findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, tools, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

/** @typedef {{passed: number, failed: number, failures?: string[]}} Counts `failures` describes each failed test. */
/** @typedef {(run: Run) => Promise<Counts>} Step */

const reports = repoPath('.cache', 'test');

/** What workerd prints about connections that tests break on purpose, and vite's warnings about source maps. */
const EXPECTED_OUTPUT =
  /^(?:exception = .*disconnected.*|stack: \/.*workerd@.*|uncaught exception; .*Network connection lost.*|Sourcemap for .*)\n/gm;

/** If all steps run, a tool that is not done after this time is killed. */
const STEP_TIMEOUT_MS = 1_200_000;

/** One run of a step. It collects what the step prints and calls the step's tools. */
class Run {
  /** @param {string} name @param {string[]} args @param {boolean} live */
  constructor(name, args, live) {
    this.name = name;
    this.args = args;
    this.live = live;
    this.text = '';
  }

  /** @param {string} text */
  print(text) {
    // Some tools print colors even when the output is not a terminal.
    const shown = process.stdout.isTTY ? text : stripVTControlCharacters(text);
    if (this.live) process.stdout.write(shown);
    else this.text += shown;
  }

  /**
   * @param {string} tool
   * @param {string[]} args
   * @returns {Promise<boolean>} Whether the tool succeeded.
   */
  async call(tool, args) {
    if (stop.signal.aborted) return false;
    const child = startNode(tool, args, {
      onOutput: (text) => this.print(text),
      env: {CI: '1', TMPDIR: scratch, NODE_COMPILE_CACHE: repoPath('.cache', 'node'), ...siteEnv, ...browserEnv},
    });
    running.add(child);
    const killTimer = setTimeout(
      () => {
        this.print(`\nKilled: not done after ${STEP_TIMEOUT_MS / 1000} seconds.\n`);
        void child.end('SIGKILL');
      },
      this.live ? 2 ** 31 - 1 : STEP_TIMEOUT_MS,
    );
    const code = await child.ended;
    clearTimeout(killTimer);
    running.delete(child);
    return code === 0;
  }

  /**
   * Runs a tool and counts it as one test.
   * @param {string} tool
   * @param {string[]} args
   * @returns {Promise<Counts>}
   */
  async check(tool, args) {
    return (await this.call(tool, args)) ? {passed: 1, failed: 0} : {passed: 0, failed: 1};
  }
}

/** @param {Counts[]} all @returns {Counts} */
const sum = (all) =>
  all.reduce((a, b) => ({passed: a.passed + b.passed, failed: a.failed + b.failed}), {passed: 0, failed: 0});

/** @typedef {{status: string, fullName: string, failureMessages: string[]}} VitestResult */

/** @param {string} file @param {string} title @param {string} message */
const describeFailure = (file, title, message) =>
  `${path.relative(repoPath(), file)}: ${title}\n    ${stripVTControlCharacters(message).split('\n', 1)[0]}`;

/** @param {{name: string, message: string, assertionResults: VitestResult[]}} file @returns {string[]} */
const describeFailures = ({name, message, assertionResults}) =>
  // A file that cannot be loaded has no results, only a message.
  (message ? [{status: 'failed', fullName: '(the file)', failureMessages: [message]}] : assertionResults)
    .filter(({status}) => status === 'failed')
    .map(({fullName, failureMessages: [first = '']}) => describeFailure(name, fullName, first));

/**
 * The counts in a test runner's report. If the runner failed without a failed test, or wrote no report, the result is
 * one failure.
 */
const readCounts = (/** @type {boolean} */ succeeded, /** @type {() => Counts} */ read) => {
  let counts = {passed: 0, failed: 0};
  try {
    counts = read();
  } catch {
    succeeded = false;
  }
  return succeeded || counts.failed > 0 ? counts : {...counts, failed: 1};
};

/**
 * Returns the path of the file in which a test runner leaves its counts. Deletes the file of an earlier run.
 * @param {string} name
 */
function freshReport(name) {
  const file = `${reports}/${name}.json`;
  rmSync(file, {force: true});
  return file;
}

/** @param {string} project @param {string} [shard] - `1/2` for the first half of its files. @returns {Step} */
const vitest = (project, shard) => async (run) => {
  const report = freshReport(run.name.replace('/', '-'));
  const reporters = ['--reporter', run.live ? 'default' : 'dot', '--reporter', 'json', `--outputFile.json=${report}`];
  const succeeded = await run.call(tools.vitest, [
    'run',
    '--project',
    project,
    ...(shard ? ['--shard', shard] : []),
    ...reporters,
    ...run.args,
  ]);
  return readCounts(succeeded, () => {
    const {numPassedTests, numFailedTests, testResults} = JSON.parse(readFileSync(report, 'utf8'));
    return {passed: numPassedTests, failed: numFailedTests, failures: testResults.flatMap(describeFailures)};
  });
};

/** @type {Step} */
const elements = async (run) => {
  const report = freshReport('elements');
  const succeeded = await run.call(tools.elements, [report, ...run.args]);
  return readCounts(succeeded, () => {
    const {passed, failures} = JSON.parse(readFileSync(report, 'utf8'));
    return {
      passed,
      failed: failures.length,
      failures: failures.map((/** @type {{file: string, title: string, message: string}} */ {file, title, message}) =>
        describeFailure(file, title, message),
      ),
    };
  });
};

/** Every project of vitest.config.ts is one step. */
const projects = [...readFileSync(repoPath('vitest.config.ts'), 'utf8').matchAll(/\bname: '([\w-]+)'/g)].map(
  ([, name = '']) => name,
);

/** Folders whose imports are checked. */
const SOURCES = ['worker', 'widgets', 'sandbox', 'merchant', 'relay', 'scripts', 'sim', 'demo'];

/** @type {Record<string, Step>} */
const steps = {
  // On a machine with two cores, a single checker needs a third of the processor time that several checkers need.
  types: async (run) => {
    const hasSources = await run.call(repoPath('scripts', 'build-client.mjs'), ['--sources']);
    return hasSources ? run.check(tools.tsc, ['-b', '--checkers', '1', ...run.args]) : {passed: 0, failed: 1};
  },
  lock: (run) => run.check(repoPath('scripts', 'complete-lock.mjs'), ['--check', '--offline']),
  format: (run) => run.check(tools.oxfmt, ['--check', ...run.args]),
  lint: (run) => run.check(tools.oxlint, ['--deny-warnings', ...run.args]),
  imports: (run) => run.check(tools.depcruise, [...SOURCES, '--output-type', 'err', ...run.args]),
  layout: (run) => run.check(repoPath('scripts', 'check-layout.mjs'), run.args),
  build: async (run) =>
    sum([
      await run.check(tools.vite, ['build', '--logLevel', 'warn', ...run.args]),
      await run.check(tools.vite, ['build', '-c', 'relay/vite.config.ts', '--logLevel', 'warn', ...run.args]),
      await run.check(repoPath('scripts', 'build-client.mjs'), []),
    ]),
  elements,
  ...Object.fromEntries(
    projects.filter((name) => !['e2e', 'looks'].includes(name)).map((name) => [name, vitest(name)]),
  ),
  sim: (run) => run.check(repoPath('sim', 'run.ts'), ['--fixed', ...run.args]),
  bytes: (run) => run.check(repoPath('scripts', 'check-bytes.mjs'), run.args),
  deploy: (run) => run.check(repoPath('scripts', 'check-deploy.mjs'), run.args),
  e2e: vitest('e2e'),
};

/**
 * The step `worker` runs its files one after another and takes longest. If all steps run, it is therefore split into
 * two steps, each with its own sandbox.
 */
const halves = {'worker 1/2': vitest('worker', '1/2'), 'worker 2/2': vitest('worker', '2/2')};

/** Steps that open a browser. */
const browserSteps = new Set(['elements', 'e2e']);
/** Steps whose output is a report. It is printed even if the step passes. */
const reportingSteps = new Set(['layout', 'sim']);
/** Steps that run before all others. Other steps read what `build` writes. */
const first = ['build', 'format', 'imports', 'layout', 'lint', 'lock'];
/** The longest steps begin first, so that no step is left running alone at the end. */
const longest = [
  'e2e',
  'elements',
  ...Object.keys(halves),
  'faults',
  'merchant-api',
  'scripts',
  'types',
  'merchant',
  'relay',
  'sandbox',
];
const order = [
  first,
  [...longest, ...Object.keys(steps).filter((name) => ![...first, ...longest, 'worker'].includes(name))],
];
/**
 * The number of steps that run at the same time. Steps mostly wait, so a machine with only two cores can run four steps
 * at the same time.
 */
const CONCURRENT_STEPS = 4;

const [chosen, ...rest] = process.argv.slice(3);
if (chosen !== undefined && !(chosen in steps)) {
  throw new UserError(`There is no step "${chosen}". The steps are ${Object.keys(steps).join(', ')}.`);
}

/** @type {Set<import('./lib/child-process.mjs').Child>} */
const running = new Set();
const stop = new AbortController();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    stop.abort();
    for (const child of running) void child.end();
  });
}

install();
mkdirSync(reports, {recursive: true});
const scratch = makeScratchFolder();

/** @type {Record<string, string>} */
const browserEnv = {};
/** @type {Record<string, string>} What `build` has built. Without it, steps that need the site build it themselves. */
const siteEnv = {};
let browserProblem = '';
if (!chosen || browserSteps.has(chosen)) {
  try {
    browserEnv['CHROME_PATH'] = findOrInstallChromium();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    browserProblem = error.message;
  }
}

/** @type {Map<string, Counts>} */
const results = new Map();

/** @param {string} name */
async function runStep(name) {
  const run = new Run(name, chosen ? rest : [], Boolean(chosen));
  const startedAt = performance.now();
  const step = {...steps, ...halves}[name];
  if (!step) return;
  if (browserProblem && browserSteps.has(name)) {
    run.print(`${browserProblem}\n`);
    results.set(name, {passed: 0, failed: 1});
  } else {
    results.set(name, await step(run));
  }
  if (name === 'build' && !results.get(name)?.failed) siteEnv['VEZNE_BUILT_SITE'] = repoPath('dist', 'site');
  const {passed, failed} = results.get(name) ?? {passed: 0, failed: 1};
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if ((failed || reportingSteps.has(name)) && run.text && !stop.signal.aborted)
    process.stdout.write(`\n── ${name} ──\n${run.text.replaceAll(EXPECTED_OUTPUT, '')}\n`);
  console.log(
    `${stop.signal.aborted ? 'ended ' : failed ? 'FAILED' : 'ok    '}  ${name.padEnd(10)} ${String(passed).padStart(4)} passed${failed ? `, ${failed} failed` : ''}  ${seconds} s`,
  );
}

for (const group of chosen ? [[chosen]] : order) {
  const waiting = [...group];
  await Promise.all(
    Array.from({length: CONCURRENT_STEPS}, async () => {
      for (let name = waiting.shift(); name !== undefined && !stop.signal.aborted; name = waiting.shift())
        await runStep(name);
    }),
  );
}

if (stop.signal.aborted) {
  const missing = (chosen ? [chosen] : order.flat()).filter((name) => !results.has(name));
  console.log(`\nStopped early${missing.length ? `; steps without a result: ${missing.join(', ')}` : ''}.`);
}
const failures = [...results.values()].flatMap((counts) => counts.failures ?? []);
if (failures.length > 0) console.log(`\nFailed tests:\n  ${failures.join('\n  ')}`);
const total = sum([...results.values()]);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed || stop.signal.aborted ? 1 : 0);
