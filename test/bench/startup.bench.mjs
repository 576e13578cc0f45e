// @ts-check
// Measures what an isolate costs before its first answer: the processor time of workerd with the Worker as deployed,
// minus the time of workerd with a bare Worker. Starts both alternately. Processor time depends little on other
// programs on the machine. Fails if the median of the difference is more than 50 ms on the main thread.

import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundleWorker, serveAlone} from './support/workerd.mjs';

const starts = Math.max(5, Math.round(25 * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));
const MAX_ADDED_MS = 50;

if (process.platform !== 'linux') {
  console.log('This bench needs Linux: other systems do not report the time of a thread precisely enough.');
} else {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
  try {
    report(await compare(folder, await bundleWorker(folder)));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/**
 * @param {string} folder
 * @param {string} bundle
 */
async function compare(folder, bundle) {
  const vezne = [];
  const bare = [];
  for (let start = 0; start < starts; start += 1) {
    vezne.push(await startOnce(folder, bundle));
    bare.push(await startOnce(folder, null));
  }
  return {vezne, bare};
}

/**
 * Starts workerd once and returns its processor time in ms until the first answer. The Worker rejects the request
 * without further work.
 * @param {string} folder
 * @param {string | null} bundle
 */
async function startOnce(folder, bundle) {
  const {port, pid, stop} = await serveAlone(folder, bundle);
  try {
    await (await fetch(`http://127.0.0.1:${port}/health`, {method: 'DELETE'})).text();
    return {
      main: threadMs(pid, String(pid)),
      all: readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMs(pid, thread), 0),
    };
  } finally {
    await stop();
  }
}

/** @param {number} pid @param {string} thread */
function threadMs(pid, thread) {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** @param {{vezne: {main: number, all: number}[], bare: {main: number, all: number}[]}} times */
function report({vezne, bare}) {
  console.log(`${starts} starts of each, alternately; processor time until the first answer, in ms`);
  console.log('threads    vezne   bare   added, median     min');
  for (const threads of /** @type {const} */ (['main', 'all'])) {
    const timesOf = (/** @type {{main: number, all: number}[]} */ runs) => runs.map((run) => run[threads]);
    const added = timesOf(vezne).map((time, index) => time - (timesOf(bare)[index] ?? 0));
    const columns = [
      [median(timesOf(vezne)), 8],
      [median(timesOf(bare)), 7],
      [median(added), 16],
      [Math.min(...added), 8],
    ];
    console.log(threads.padEnd(8) + columns.map(([value = 0, width = 0]) => value.toFixed(1).padStart(width)).join(''));
    if (threads === 'main' && median(added) > MAX_ADDED_MS) {
      console.error(
        `An isolate takes ${median(added).toFixed(1)} ms to start, more than the allowed ${MAX_ADDED_MS} ms.`,
      );
      process.exitCode = 1;
    }
  }
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
