// @ts-check
// Runs sweeps for 500 waiting pages and a day with 5,000 transactions, and counts the calls to the platform. Fails if a
// page is not told of its transfer. The counts are exact, so this bench runs a test of the Worker with all its cases.
// It also runs the sweeps of a platform that fails for some days, with every kind of failure and every order of the list,
// and the sweeps of platforms that read the contract in different ways, with every pair of readings.

import {runVitest} from './support/run-vitest.mjs';

const folder = 'test/worker/objects/sweep';
const files = ['sweep', 'sweep-failing-days', 'sweep-readings'].map((name) => `${folder}/${name}.test.ts`);
await runVitest(['--project', 'worker', ...files]);
