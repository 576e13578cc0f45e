// @ts-check
// Runs one bench of the landing API and prints which of its requirements are met.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../../faults/support/bundles.ts';

/** Scales a number of cases by VEZNE_BENCH_SCALE. @param {number} full - The number in a full run. */
export const scaled = (full) => Math.max(1, Math.round(full * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));

/**
 * Runs a bench with fresh bundles, prints its figures, and fails unless all requirements are met.
 * @template {object} Figures
 * @param {string} title
 * @param {(bundles: import('../../faults/support/bundles.ts').Bundles) => Promise<Figures>} run
 * @param {Readonly<Record<string, (figures: Figures) => boolean>>} requirements
 */
export async function runLanding(title, run, requirements) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-landing-'));
  try {
    const bundles = await bundle(folder);
    const startedAt = performance.now();
    const figures = await run(bundles);
    console.log(`${title} (${Math.round((performance.now() - startedAt) / 1000)} s)`, figures);
    for (const [requirement, isMet] of Object.entries(requirements)) {
      const met = isMet(figures);
      console.log(`${met ? 'met   ' : 'FAILED'}  ${requirement}`);
      if (!met) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
