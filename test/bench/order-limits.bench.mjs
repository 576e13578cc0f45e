// @ts-check
// 200 shoppers behind one carrier's address order while thirty other addresses order 600 times a minute, with the limits
// as shipped.
// Promise: all 200 shoppers get a code. This runs a test of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/order/order-limits.test.ts', '-t', 'carrier']);
