// @ts-check
// Delivers 10,000 events of 1,000 orders to a receiver that refuses 30 % of the requests, while the Worker's Durable
// Objects are aborted from time to time. Fails unless all events arrive, in sequence for each order, with signatures
// that the public library accepts. This bench runs a test of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/events/outbox.test.ts']);
