// @ts-check
// Sends 10,000 refund results to Durable Objects that are evicted or aborted 100 times in the middle of their work,
// while 30 % of the platform's answers fail. Fails if a result is lost or counts twice. This bench runs a test of the
// Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest('worker', [
  'test/worker/routes/notifications/refund-results.test.ts',
  '-t',
  'is reported once while 3 in 10 reads fail and objects are evicted',
]);
