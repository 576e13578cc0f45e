// @ts-check
// Sends 10,000 refund results while 30 % of the platform's answers fail, to Durable Objects that are evicted or aborted
// 100 times in the middle of their work.
// Promise: no result is lost or applied twice.
// This runs a test of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/routes/notifications/refund-results.test.ts']);
