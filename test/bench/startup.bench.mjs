// @ts-check
// What an isolate costs before it answers its first request: workerd's own processor time with our Worker in it, as deployed, less
// that with a bare Worker, started in turns. Processor time, so that what else the machine does counts little. The promise is 50 ms.

import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundleWorker, serveAlone} from './support/workerd.mjs';

const starts = Math.max(5, Math.round(25 * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));
const PROMISE_MS = 50;

if (process.platform !== 'linux') {
  console.log('Linux only: elsewhere nothing tells a thread’s time closely enough.');
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
  const ours = [];
  const bare = [];
  for (let start = 0; start < starts; start += 1) {
    ours.push(await startOnce(folder, bundle));
    bare.push(await startOnce(folder, null));
  }
  return {ours, bare};
}

/**
 * Milliseconds of workerd until the first answer: one for which our Worker does nothing more than to be there.
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

/** @param {{ours: {main: number, all: number}[], bare: {main: number, all: number}[]}} times */
function report({ours, bare}) {
  console.log(`${starts} starts of each, in turns; milliseconds of processor time until the first answer`);
  console.log('threads     ours   bare   added, median   least');
  for (const threads of /** @type {const} */ (['main', 'all'])) {
    const of = (/** @type {{main: number, all: number}[]} */ times) => times.map((time) => time[threads]);
    const added = of(ours).map((time, index) => time - (of(bare)[index] ?? 0));
    const columns = [
      [median(of(ours)), 8],
      [median(of(bare)), 7],
      [median(added), 16],
      [Math.min(...added), 8],
    ];
    console.log(threads.padEnd(8) + columns.map(([value = 0, width = 0]) => value.toFixed(1).padStart(width)).join(''));
    if (threads === 'main' && median(added) > PROMISE_MS) {
      console.error(
        `An isolate takes ${median(added).toFixed(1)} ms to start, more than the ${PROMISE_MS} ms promised.`,
      );
      process.exitCode = 1;
    }
  }
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
