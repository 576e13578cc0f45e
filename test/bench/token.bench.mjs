// @ts-check
// Makes a thousand calls in ten isolates that have an expired token. Fails unless the calls cause exactly one request
// for a new token. This bench runs a test of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/token.test.ts']);
