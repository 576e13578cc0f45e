/** Around every test: platform and objects as on the first day, a clock that stands still, and a log that is read. */

import {reset} from 'cloudflare:test';
import {afterEach, beforeEach, vi} from 'vitest';
import {holdClock, holdSandboxClock} from '../worker/kit/clock.ts';
import {captureLog, checkLog} from '../worker/kit/log-lines.ts';
import {control} from '../worker/kit/sandbox.ts';
import '../worker/kit/read-when-asked.ts';
import {beginCounting} from './kit/sent.ts';
import {read} from './kit/server.ts';

beforeEach(async () => {
  captureLog();
  holdClock();
  await control('reset');
  await holdSandboxClock();
  // The platform forgot our token; the first call learns that.
  await read('searchTransactions', {service: 'DEMO', limit: 1});
  await beginCounting();
});

afterEach(async () => {
  await reset();
  checkLog();
  vi.restoreAllMocks();
});
