// @ts-check
// Runs the six operations of a checkout with every fault, in workerd, and checks what pages get. Fails unless a page
// gets the Worker's own error within the deadline, no text of the platform, and after the fault exactly one order and
// one transfer. This bench runs a fault test with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'faults', 'test/faults/checkout-matrix.test.ts']);
