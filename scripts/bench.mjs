// @ts-check
// `npm run bench` runs every test/bench/*.bench.mjs, and the tests in test/bench/scaled-tests.mjs with all their cases,
// each in its own process, which ends when the bench has run. `npm run bench -- <text>` runs only the benches whose name
// contains the text. A bench prints its measurements.
//
// Benches run one after another, because they measure times. `npm run bench -- --smallest` runs as few cases of each
// bench as show that it works, several benches at the same time, and no test, because `npm test` runs those.
// VEZNE_BENCH_SCALE is the share of its cases that a bench runs: 1 for all, which is the default, and 0 for the smallest
// run.

import {mkdirSync, readdirSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {startNode} from '../cli/child-process.mjs';
import {SCALED_TESTS} from '../test/bench/scaled-tests.mjs';
import {findOrInstallChromium} from './lib/chromium.mjs';
import {install} from './lib/install.mjs';
import {repoPath, runToEnd, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

/** These benches take longest in the smallest run, so they begin first. */
const LONGEST = ['slow-phone', 'outage'];
const IN_BROWSER = new Set(['desk-search', 'slow-phone']);
/** The number of benches that run at the same time in the smallest run. Most of their time is waiting. */
const CONCURRENT_BENCHES = 4;
/** A bench of the smallest run that is not done after this time is killed. */
const TIMEOUT_MS = 300_000;

const args = process.argv.slice(3);
const isSmallest = args.includes('--smallest');
const [namePart = '', ...more] = args.filter((arg) => arg !== '--smallest');
if (namePart.startsWith('-') || more.length > 0)
  throw new UserError('Use: npm run bench -- [--smallest] [part of a bench’s name]');

/** @param {string} name */
const positionOf = (name) => (LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length);
const benches = readdirSync(repoPath('test', 'bench')).flatMap((file) =>
  file.endsWith('.bench.mjs') ? [file.slice(0, -'.bench.mjs'.length)] : [],
);
const names = [...benches, ...(isSmallest ? [] : Object.keys(SCALED_TESTS))]
  .filter((name) => name.includes(namePart))
  .sort((a, b) => (isSmallest ? positionOf(a) - positionOf(b) : 0) || a.localeCompare(b));
if (names.length === 0) throw new UserError(`No bench in test/bench has "${namePart}" in its name.`);

install();
const scratch = makeScratchFolder();
/** @type {Record<string, string>} */
const env = {
  TMPDIR: scratch,
  VEZNE_BENCH_SCALE: isSmallest ? '0' : (process.env['VEZNE_BENCH_SCALE'] ?? '1'),
};
if (names.some((name) => IN_BROWSER.has(name))) env['CHROME_PATH'] = findOrInstallChromium();
if (names.length > 1 && !process.env['VEZNE_BUNDLES']) {
  const bundles = `${scratch}/bundles`;
  mkdirSync(bundles);
  const build = startNode(runToEnd, [repoPath('test', 'bench', 'support', 'build.mjs'), bundles], {env});
  if ((await build.ended) !== 0) throw new UserError(`The benches could not be built:\n${build.output()}`);
  env['VEZNE_BUNDLES'] = bundles;
}

/** @type {string[]} */
const failed = [];

/** @param {string} name */
async function run(name) {
  const startedAt = performance.now();
  let text = '';
  if (!isSmallest) console.log(`\n── ${name} ──`);
  const program = benches.includes(name) ? `${name}.bench.mjs` : path.join('support', 'run-scaled-test.mjs');
  const bench = startNode(runToEnd, [repoPath('test', 'bench', program), name], {
    env,
    onOutput: (output) => {
      text += output;
      if (!isSmallest) process.stdout.write(output);
    },
  });
  const killTimer = isSmallest
    ? setTimeout(() => {
        text += `\nKilled: not done after ${TIMEOUT_MS / 1000} seconds.\n`;
        void bench.end('SIGKILL');
      }, TIMEOUT_MS)
    : undefined;
  const hasFailed = (await bench.ended) !== 0;
  clearTimeout(killTimer);
  if (hasFailed) failed.push(`${name}: ${/^(?:FAILED|Killed|\w*Error\b).*/m.exec(text)?.[0] ?? 'see its output'}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (isSmallest) console.log(`\n── ${name} ──\n${text.trimEnd()}`);
  console.log(`${hasFailed ? 'FAILED' : 'ok    '}  ${name}  ${seconds} s`);
}

const waiting = [...names];
await Promise.all(
  Array.from({length: isSmallest ? CONCURRENT_BENCHES : 1}, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
  }),
);
if (failed.length > 0) console.log(`\nFailed benches:\n  ${failed.join('\n  ')}`);
console.log(`\n${names.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
