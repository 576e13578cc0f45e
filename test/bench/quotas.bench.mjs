// @ts-check
// Tests the platform's quotas at fifty times the load, with 200 calls at the same time, 25 crashes and clocks that are
// up to five minutes wrong. This bench runs tests of the Worker with the full numbers: three days with 50,000 calls a
// day under a limit of 1,000 a day, and two minutes under limits of five calls and of one call per second.

import {runVitest} from './support/run-vitest.mjs';

await runVitest('worker', ['test/worker/objects/limits/quota.test.ts', '-t', 'at fifty times the load']);
