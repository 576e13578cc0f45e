// @ts-check
// Counts what the orders of strangers cost, from the first row to the last: rows, calls and objects, events, stored bytes,
// and the price of a day on which 1,000 addresses place 1,000 orders each. Fails if an order causes an event, if anything
// is stored a day after its end, or if it writes more than 17 rows. This bench runs a test of the Worker with all its
// cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest('worker', ['test/worker/objects/cost/stranger-cost.test.ts']);
