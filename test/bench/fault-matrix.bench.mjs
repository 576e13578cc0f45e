// @ts-check
// Every operation of the platform × every way in which a call can go wrong, in workerd, against real sockets and at the true deadlines.
// Promises: the outcome that is the fault's, within the deadline and a tenth of it; what changes something is sent once; no redirect is followed.

import process from 'node:process';
import {operations} from '../../worker/platform/operations/index.ts';
import {FAULT_NAMES} from '../faults/operation-matrix/faults.ts';
import {complaintsOf, OPERATIONS, runMatrix} from '../faults/operation-matrix/run-matrix.ts';

const LATEST = 1.1;

const began = performance.now();
const run = await runMatrix({atOnce: 60});
const seconds = (performance.now() - began) / 1000;

const late = run.cells.filter(({operation, tookMs}) => tookMs > operations[operation].deadlineMs * LATEST);
const complaints = [
  ...complaintsOf(run),
  ...late.map(({operation, fault, tookMs}) => `${operation}, ${fault}: took ${tookMs} ms`),
];

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
      'requests of what changes something': cells
        .filter(({operation}) => operations[operation].effect !== 'read')
        .reduce((sum, {requests}) => sum + requests, 0),
      'of its deadline, at most': longest.toFixed(2),
    };
  }),
);
console.log(
  `${run.cells.length} of ${OPERATIONS.length * FAULT_NAMES.length} cells in ${seconds.toFixed(0)} s, ${complaints.length} of them wrong`,
);
for (const complaint of complaints) console.log(complaint);
if (complaints.length > 0) process.exitCode = 1;
