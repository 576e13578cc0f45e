// @ts-check
// Delivers 2,000 events to a receiver that takes a second for each event, while each Durable Object has at most six
// connections, as on Cloudflare. Fails below fifty deliveries a second. This bench runs a test of the Worker with all
// its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest('worker', ['test/worker/objects/events/connection-limit.test.ts', '-t', 'reach a receiver']);
