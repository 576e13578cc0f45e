// @ts-check
// Counts the rows and the requests to Durable Objects of a day on which new pages are open all the time (28,800 sweeps),
// and of payments on this day. Fails if sweeps write more than 31,000 rows. This bench runs tests of the Worker with all
// their cases.

import {runVitest} from './support/run-vitest.mjs';

const folder = 'test/worker/objects/cost';
await runVitest('worker', [`${folder}/day-cost.test.ts`, `${folder}/payment-cost.test.ts`]);
