// @ts-check
// A thousand calls of ten isolates begin with an expired token.
// Promise: they cause one request for a new token. This runs a test of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/token.test.ts']);
