/** Around every test: platform and objects as on the first day, a clock that stands still, and a log that is read. */

import {reset} from 'cloudflare:test';
import {afterEach, beforeEach, vi} from 'vitest';
import {freezeClock, freezeSandboxClock} from '../../../support/clock.ts';
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
  // The platform forgot our token; the first call learns that.
  await read('searchTransactions', {service: 'DEMO', limit: 1});
  await startCounting();
});

afterEach(async () => {
  await reset();
  checkLog();
  vi.restoreAllMocks();
});
