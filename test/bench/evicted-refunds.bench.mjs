// @ts-check
// Sends 10,000 refund results to Durable Objects that are evicted or aborted 100 times in the middle of their work,
// while 30 % of the platform's answers fail. Fails if a result is lost or counts twice. This bench runs a test of the
// Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/routes/notifications/refund-results.test.ts']);
