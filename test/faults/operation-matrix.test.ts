/**
 * Calls every platform operation with every kind of fault. `npm run bench -- fault-matrix` runs all cells with full
 * deadlines.
 */

import {expect, test} from 'vitest';
import {FAULT_NAMES} from './operation-matrix/faults.ts';
import {problemsOf, OPERATIONS, runMatrix} from './operation-matrix/run-matrix.ts';

test('every kind of fault ends in the expected failure, and a write is sent once', async () => {
  expect([OPERATIONS.length, FAULT_NAMES.length]).toEqual([30, 16]);
  // This runs a quarter of all cells: each operation with four faults, each fault with seven or eight operations.
  const run = await runMatrix({
    only: (operation, fault) => (operation + fault) % 4 === 0,
    leftMs: 2_500,
    concurrency: 16,
  });
  expect(run.cells).toHaveLength(120);
  expect(problemsOf(run)).toEqual([]);
});
