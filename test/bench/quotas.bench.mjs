// @ts-check
// Tests the platform's quotas at fifty times the load, with 200 calls at the same time, 25 crashes and clocks that are
// up to five minutes wrong. The counts are exact, so this runs tests of the Worker with the whole limits: three days
// with 50,000 calls a day for a limit of 1,000, and two minutes for limits of five calls and one call a second.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/limits/quota.test.ts']);
