// @ts-check
// Places orders for 200 shoppers behind the IP address of one mobile network, while thirty other IP addresses together
// order 600 times a minute, under the default limits. Fails unless all 200 shoppers get a code. This bench runs a test
// of the Worker with all its cases.

import {runVitest} from './support/run-vitest.mjs';

await runVitest(['--project', 'worker', 'test/worker/objects/order/order-limits.test.ts', '-t', 'carrier']);
