// @ts-check
// Delivers 10,000 events of 1,000 orders to a receiver that refuses 30 % of the requests, while the Worker's Durable
// Objects are aborted from time to time. Fails unless all events arrive, in sequence for each order, with signatures
// that the library `standardwebhooks` accepts. Then delivers 2,000 events to a receiver that takes a second for each
// event. In this part, each Durable Object has at most six connections, as on Cloudflare. This bench runs tests of the
// Worker with all their cases.

import {runVitest} from './support/run-vitest.mjs';

const folder = 'test/worker/objects/events';
await runVitest('worker', [`${folder}/outbox.test.ts`, `${folder}/connection-limit.test.ts`, '-t', 'reach a receiver']);
