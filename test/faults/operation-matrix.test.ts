/**
 * Calls the platform's operations under faults. A cell is one operation under one fault. This test runs a quarter of
 * all cells, and `npm run bench -- fault-matrix` runs all cells with full deadlines.
 */

import {expect, test} from 'vitest';
import {FAULT_NAMES} from './operation-matrix/faults.ts';
import {problemsOf, OPERATIONS, runMatrix} from './operation-matrix/run-matrix.ts';

test('every kind of fault ends in the expected failure, and no write that may have been done is repeated', async () => {
  expect([OPERATIONS.length, FAULT_NAMES.length]).toEqual([30, 16]);
  // Each operation runs with four faults, and each fault with seven or eight operations.
  const run = await runMatrix({
    only: (operation, fault) => (operation + fault) % 4 === 0,
    leftMs: 2_500,
    concurrency: 16,
  });
  expect(run.cells).toHaveLength(120);
  expect(problemsOf(run)).toEqual([]);
});
