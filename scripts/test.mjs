// @ts-check
// `npm test`: everything, and as its last line how much of it passed. `npm test -- <step> …` runs one step, and hands the
// rest to its tool: `npm test -- e2e -t "closed tab"`.

import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import process from 'node:process';
import {stripVTControlCharacters} from 'node:util';
import {startNode} from './lib/child-process.mjs';
import {findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, tools, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

/** @typedef {{passed: number, failed: number}} Counts */
/** @typedef {(run: Run) => Promise<Counts>} Step */

const reports = repoPath('.cache', 'test');

/** What workerd and vite say of broken lines that tests break, and of maps nobody reads. */
const EXPECTED_OUTPUT =
  /^(?:exception = .*disconnected.*|stack: \/.*workerd@.*|uncaught exception; .*Network connection lost.*|Sourcemap for .*)\n/gm;

/** A tool that is not done by then will not be. */
const STEP_TIMEOUT_MS = 1_200_000;

/** One run of a step: its printed text, and the means to call tools. */
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
    // Some tools colour what no terminal will show.
    const shown = process.stdout.isTTY ? text : stripVTControlCharacters(text);
    if (this.live) process.stdout.write(shown);
    else this.text += shown;
  }

  /**
   * @param {string} tool
   * @param {string[]} args
   * @returns {Promise<boolean>} Whether it succeeded.
   */
  async call(tool, args) {
    if (stop.signal.aborted) return false;
    const child = startNode(tool, args, {
      onOutput: (text) => this.print(text),
      env: {CI: '1', TMPDIR: scratch, NODE_COMPILE_CACHE: repoPath('.cache', 'node'), ...browserEnv},
    });
    running.add(child);
    const patience = setTimeout(
      () => {
        this.print(`\nNot done after ${STEP_TIMEOUT_MS / 1000} seconds, and ended.\n`);
        void child.end('SIGKILL');
      },
      this.live ? 2 ** 31 - 1 : STEP_TIMEOUT_MS,
    );
    const code = await child.ended;
    clearTimeout(patience);
    running.delete(child);
    return code === 0;
  }

  /**
   * A check is one test: it passes or fails as a whole.
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

/** What a runner counted; where it failed without naming a test, or left no report, that is one failure. */
const counted = (/** @type {boolean} */ succeeded, /** @type {() => Counts} */ read) => {
  let counts = {passed: 0, failed: 0};
  try {
    counts = read();
  } catch {
    succeeded = false;
  }
  return succeeded || counts.failed > 0 ? counts : {...counts, failed: 1};
};

/** Where a runner leaves its counts; those of an earlier run are gone. @param {string} name */
function freshReport(name) {
  const file = `${reports}/${name}.json`;
  rmSync(file, {force: true});
  return file;
}

/** @param {string} project @param {string} [shard] `1/2` for the first half of its files. @returns {Step} */
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
  return counted(succeeded, () => {
    const {numPassedTests, numFailedTests} = JSON.parse(readFileSync(report, 'utf8'));
    return {passed: numPassedTests, failed: numFailedTests};
  });
};

/** @type {Step} */
const elements = async (run) => {
  const report = freshReport('elements');
  const succeeded = await run.call(tools.elements, [report, ...run.args]);
  return counted(succeeded, () => JSON.parse(readFileSync(report, 'utf8')));
};

/** Every project of vitest.config.ts is a step of its own. */
const projects = [...readFileSync(repoPath('vitest.config.ts'), 'utf8').matchAll(/\bname: '([\w-]+)'/g)].map(
  ([, name = '']) => name,
);

/** Folders whose imports are checked. */
const SOURCES = ['worker', 'widgets', 'sandbox', 'merchant', 'relay', 'scripts', 'demo'];

/** @type {Record<string, Step>} */
const steps = {
  types: (run) => run.check(tools.tsc, ['-b', ...run.args]),
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
  ...Object.fromEntries(projects.filter((name) => name !== 'e2e').map((name) => [name, vitest(name)])),
  bytes: (run) => run.check(repoPath('scripts', 'check-bytes.mjs'), run.args),
  deploy: (run) => run.check(repoPath('scripts', 'check-deploy.mjs'), run.args),
  e2e: vitest('e2e'),
};

/** One file after the other, it would be the last to end: of a whole run it is two steps, each with a platform of its own. */
const halves = {'worker 1/2': vitest('worker', '1/2'), 'worker 2/2': vitest('worker', '2/2')};

/** Steps that open a browser. */
const inBrowser = new Set(['elements', 'e2e']);
/** What others read. */
const first = ['build', 'format', 'imports', 'layout', 'lint', 'lock'];
/** What takes longest begins first, so that nothing is left running alone at the end. */
const longest = [
  ...Object.keys(halves),
  'e2e',
  'merchant-api',
  'faults',
  'elements',
  'relay',
  'merchant',
  'scripts',
  'types',
  'sandbox',
];
const order = [
  first,
  [...longest, ...Object.keys(steps).filter((name) => ![...first, ...longest, 'worker'].includes(name))],
];
/** Steps that run at the same time. They mostly wait, so there are twice as many as the smallest machines have cores. */
const LANES = 4;

const [chosen, ...rest] = process.argv.slice(3);
if (chosen !== undefined && !(chosen in steps)) {
  throw new UserError(`There is no step "${chosen}"; there are ${Object.keys(steps).join(', ')}.`);
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
let noBrowser = '';
if (!chosen || inBrowser.has(chosen)) {
  try {
    browserEnv['CHROME_PATH'] = findOrInstallChromium();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    noBrowser = error.message;
  }
}

/** @type {Map<string, Counts>} */
const results = new Map();

/** @param {string} name */
async function runStep(name) {
  const run = new Run(name, chosen ? rest : [], Boolean(chosen));
  const began = performance.now();
  const step = {...steps, ...halves}[name];
  if (!step) return;
  if (noBrowser && inBrowser.has(name)) {
    run.print(`${noBrowser}\n`);
    results.set(name, {passed: 0, failed: 1});
  } else {
    results.set(name, await step(run));
  }
  const {passed, failed} = results.get(name) ?? {passed: 0, failed: 1};
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (failed && run.text && !stop.signal.aborted)
    process.stdout.write(`\n── ${name} ──\n${run.text.replaceAll(EXPECTED_OUTPUT, '')}\n`);
  console.log(
    `${stop.signal.aborted ? 'ended ' : failed ? 'FAILED' : 'ok    '}  ${name.padEnd(10)} ${String(passed).padStart(4)} passed${failed ? `, ${failed} failed` : ''}  ${seconds} s`,
  );
}

for (const group of chosen ? [[chosen]] : order) {
  const waiting = [...group];
  await Promise.all(
    Array.from({length: LANES}, async () => {
      for (let name = waiting.shift(); name !== undefined && !stop.signal.aborted; name = waiting.shift())
        await runStep(name);
    }),
  );
}

if (stop.signal.aborted) {
  const left = (chosen ? [chosen] : order.flat()).filter((name) => !results.has(name));
  console.log(`\nEnded before it was done${left.length ? `; not begun: ${left.join(', ')}` : ''}.`);
}
const total = sum([...results.values()]);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed || stop.signal.aborted ? 1 : 0);
