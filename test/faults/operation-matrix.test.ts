/**
 * Calls the platform's operations under faults. A cell is one operation under one fault. `npm test` runs a quarter of
 * all cells, and `npm run bench -- fault-matrix` runs all cells with full deadlines.
 */

import process from 'node:process';
import {expect, test} from 'vitest';
import {operations} from '../../worker/platform/operations/index.ts';
import {FAULT_NAMES} from './operation-matrix/faults.ts';
import {type Cell, problemsOf, OPERATIONS, runMatrix} from './operation-matrix/run-matrix.ts';

const isBench = process.env['VEZNE_BENCH_SCALE'] === '1';
const MAX_DEADLINE_RATIO = 1.1;

/** How much of its deadline a call took. */
const share = ({operation, tookMs}: Cell): number => tookMs / operations[operation].deadlineMs;

test('every kind of fault ends in the expected failure, and no write that may have been done is repeated', async ({
  annotate,
}) => {
  expect([OPERATIONS.length, FAULT_NAMES.length]).toEqual([30, 16]);
  // Each operation runs with four faults, and each fault with seven or eight operations.
  const quarter = {only: (operation: number, fault: number) => (operation + fault) % 4 === 0, leftMs: 2_500};
  const run = await runMatrix(isBench ? {concurrency: 60} : {...quarter, concurrency: 16});
  expect(run.cells).toHaveLength(isBench ? 480 : 120);
  expect(problemsOf(run)).toEqual([]);

  await annotate(
    [...Map.groupBy(run.cells, ({fault}) => fault)]
      .map(([fault, cells]) => `${fault}: at most ${Math.max(...cells.map(share)).toFixed(2)} of the deadline`)
      .join('\n'),
  );
  if (isBench) expect(run.cells.filter((cell) => share(cell) > MAX_DEADLINE_RATIO)).toEqual([]);
});
