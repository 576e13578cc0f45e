/** Every operation of the platform × every way in which a call can go wrong; `npm run bench -- fault-matrix` has all cells at their true deadlines. */

import {expect, test} from 'vitest';
import {FAULT_NAMES} from './operation-matrix/faults.ts';
import {complaintsOf, OPERATIONS, runMatrix} from './operation-matrix/run-matrix.ts';

test('every call that goes wrong ends in a word for it, and what changes something is sent once', async () => {
  expect([OPERATIONS.length, FAULT_NAMES.length]).toEqual([30, 16]);
  // A quarter of all cells: each operation meets four faults, each fault seven or eight operations.
  const run = await runMatrix({only: (operation, fault) => (operation + fault) % 4 === 0, leftMs: 2_500, atOnce: 16});
  expect(run.cells).toHaveLength(120);
  expect(complaintsOf(run)).toEqual([]);
});
