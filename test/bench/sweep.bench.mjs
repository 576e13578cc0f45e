// @ts-check
// Runs sweeps for 500 waiting pages and a day with 5,000 transactions, and counts the calls to the platform. Fails if a
// page is not told of its transfer. The counts are exact, so this bench runs a test of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/sweep/sweep.test.ts']);
