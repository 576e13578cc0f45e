// @ts-check
/** A part of what landing pages promise, run by itself. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../../faults/support/bundles.ts';

/** The part of the full number of cases that this run has. @param {number} full */
export const scaled = (full) => Math.max(1, Math.round(full * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));

/**
 * Runs it, prints its figures and which promises they keep.
 * @template {object} Figures
 * @param {string} title
 * @param {(bundles: import('../../faults/support/bundles.ts').Bundles) => Promise<Figures>} run
 * @param {Readonly<Record<string, (figures: Figures) => boolean>>} promises
 */
export async function runLanding(title, run, promises) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-landing-'));
  try {
    const bundles = await bundle(folder);
    const began = performance.now();
    const figures = await run(bundles);
    console.log(`${title} (${Math.round((performance.now() - began) / 1000)} s)`, figures);
    for (const [promise, isKept] of Object.entries(promises)) {
      const kept = isKept(figures);
      console.log(`${kept ? 'kept  ' : 'BROKEN'}  ${promise}`);
      if (!kept) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
