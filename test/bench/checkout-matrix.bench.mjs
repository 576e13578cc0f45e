// @ts-check
// Runs the six operations of a checkout with every fault, in workerd, and checks what pages get. Fails unless a page
// gets the Worker's own error within the deadline, this error contains no text of the platform, and exactly one order
// and one transfer exist after the fault. This bench runs test/faults/checkout-matrix.test.ts with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'faults', 'test/faults/checkout-matrix.test.ts']);
