/** Resets the sandbox and sets the clocks before every test; resets the objects and checks the log after every test. */

import {reset} from 'cloudflare:test';
import {afterEach, beforeEach, vi} from 'vitest';
import {freezeClock, freezeSandboxClock} from '../../../support/clock.ts';
import {clearAddressedObjects} from '../../../support/durable-objects.ts';
import {captureLog, checkLog} from '../../../support/log-lines.ts';
import {control} from '../../../support/sandbox.ts';
import '../../../support/preload-lazy-modules.ts';
import {read} from './merchant-server.ts';
import {startCounting} from './platform-calls.ts';

beforeEach(async () => {
  captureLog();
  freezeClock();
  await control('reset');
  await freezeSandboxClock();
  clearAddressedObjects();
  // The reset made the Worker's token invalid. This call renews it, so that tests do not count the renewal.
  await read('searchTransactions', {service: 'DEMO', limit: 1});
  await startCounting();
});

afterEach(async () => {
  await reset();
  checkLog();
  vi.restoreAllMocks();
});
