// @ts-check
// What all benches share: their size, their builds, and how they print whether a promise is kept.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../../faults/support/bundles.ts';

/** The share of its cases that the bench runs; 0 for the smallest run, which `npm run bench -- --smallest` starts. */
const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);

/** Whether the bench runs so few cases that its times prove nothing. */
export const isSmallest = scale === 0;

/**
 * Scales a number of cases.
 * @param {number} full - The number in a whole run.
 * @param {number} smallest - The number in the smallest run.
 */
export const scaled = (full, smallest) => Math.max(smallest, Math.round(full * scale));

/**
 * Prints whether a promise is kept. The bench fails if one is not.
 * @param {string} promise - With the measured figure.
 * @param {boolean} isKept
 */
export function check(promise, isKept) {
  console.log(`${(isKept ? 'kept' : 'FAILED').padEnd(10)}  ${promise}`);
  if (!isKept) process.exitCode = 1;
}

/**
 * Prints whether a promise about a time is kept. In the smallest run, the bench does not judge times: it measures few,
 * and other benches run at the same time.
 * @param {string} promise - With the measured time.
 * @param {boolean} isKept
 */
export function checkTime(promise, isKept) {
  if (isSmallest) console.log(`not judged  ${promise}`);
  else check(promise, isKept);
}

/**
 * Runs a bench in a folder that is deleted afterwards, with the bundles of the Worker and the sandbox.
 * @template Result
 * @param {(folder: string, bundles: import('../../faults/support/bundles.ts').Bundles) => Promise<Result>} run
 * @returns {Promise<Result>}
 */
export async function withBundles(run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
  try {
    return await run(folder, await bundle(folder));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** The value below which a share of the values lies. @param {readonly number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);
