// @ts-check
// Measures what an isolate costs before its first answer: the processor time of workerd with the Worker as deployed,
// beside the time of workerd with a bare Worker. Starts both alternately. Processor time depends little on other
// programs on the machine, but much on its processor, so the limit is a ratio. Fails if it is exceeded on the main thread.

import {readdirSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {checkTime, median, scaled, withBundles} from './support/bench.mjs';
import {serveAlone} from './support/workerd.mjs';

const MAX_RATIO = 3.5;
const starts = scaled(25, 2);

if (process.platform !== 'linux')
  console.log('This bench needs Linux: other systems do not report the time of a thread precisely enough.');
else {
  await withBundles(async (folder, bundles) => {
    const vezne = [];
    const bare = [];
    for (let start = 0; start < starts; start += 1) {
      vezne.push(await startOnce(folder, bundles.worker));
      bare.push(await startOnce(folder, null));
    }
    report({vezne, bare});
  });
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
    const added = vezne.map((run, index) => run[threads] - (bare[index]?.[threads] ?? 0));
    const columns = [
      [median(vezne.map((run) => run[threads])), 8],
      [median(bare.map((run) => run[threads])), 7],
      [median(added), 16],
      [Math.min(...added), 8],
    ];
    console.log(threads.padEnd(8) + columns.map(([value = 0, width = 0]) => value.toFixed(1).padStart(width)).join(''));
    if (threads !== 'main') continue;
    const ratio = median(vezne.map(({main}) => main)) / median(bare.map(({main}) => main));
    checkTime(
      `an isolate starts in ${ratio.toFixed(2)} × the bare one’s time, at most ${MAX_RATIO} ×`,
      ratio <= MAX_RATIO,
    );
  }
}
