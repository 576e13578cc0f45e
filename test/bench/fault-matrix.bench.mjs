// @ts-check
// Calls every platform operation under every kind of fault, in workerd, over real sockets and with full deadlines.
// Fails unless each fault ends in its expected failure within 1.1 times the deadline, no write that may have been done
// is repeated, and no redirect is followed.

import {operations} from '../../worker/platform/operations/index.ts';
import {FAULT_NAMES} from '../faults/operation-matrix/faults.ts';
import {problemsOf, OPERATIONS, runMatrix} from '../faults/operation-matrix/run-matrix.ts';
import {check, checkTime, isSmallest} from './support/bench.mjs';

const MAX_DEADLINE_RATIO = 1.1;

const startedAt = performance.now();
// The smallest run has the cells of operation-matrix.test.ts.
const run = await runMatrix(
  isSmallest
    ? {concurrency: 16, only: (operation, fault) => (operation + fault) % 4 === 0, leftMs: 2_500}
    : {concurrency: 60},
);
const seconds = (performance.now() - startedAt) / 1000;

console.table(
  FAULT_NAMES.map((fault) => {
    const cells = run.cells.filter((cell) => cell.fault === fault);
    const longest = Math.max(...cells.map(({operation, tookMs}) => tookMs / operations[operation].deadlineMs));
    return {
      fault,
      operations: cells.length,
      outcomes: [
        ...new Set(
          cells.map(({failure}) =>
            failure === null || typeof failure === 'string'
              ? failure
              : failure.outcome === 'unknown'
                ? failure.fault
                : failure.outcome,
          ),
        ),
      ].join(' '),
      'requests of writes': cells
        .filter(({operation}) => operations[operation].effect !== 'read')
        .reduce((sum, {requests}) => sum + requests, 0),
      'longest time / deadline': longest.toFixed(2),
    };
  }),
);
console.log(`${run.cells.length} of ${OPERATIONS.length * FAULT_NAMES.length} cells in ${seconds.toFixed(0)} s`);
const problems = problemsOf(run);
check(['each fault ends in its expected failure', ...problems].join('\n        '), problems.length === 0);
const late = run.cells.filter(({operation, tookMs}) => tookMs > operations[operation].deadlineMs * MAX_DEADLINE_RATIO);
checkTime(
  [
    `each call ends within ${MAX_DEADLINE_RATIO} times its deadline`,
    ...late.map(({operation, fault, tookMs}) => `${operation}, ${fault}: took ${tookMs} ms`),
  ].join('\n        '),
  late.length === 0,
);
