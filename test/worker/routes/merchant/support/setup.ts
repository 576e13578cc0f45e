/** Resets the sandbox and sets the clocks before every test; resets the objects and checks the log after every test. */

import {reset} from 'cloudflare:test';
import {afterEach, beforeEach, vi} from 'vitest';
import {freezeClock, resetSandbox} from '../../../support/clock.ts';
import {clearAddressedObjects, storeToken} from '../../../support/durable-objects.ts';
import {captureLog, checkLog} from '../../../support/log-lines.ts';
import '../../../support/preload-lazy-modules.ts';

beforeEach(async () => {
  captureLog();
  freezeClock();
  const token = await resetSandbox();
  clearAddressedObjects();
  await storeToken(token);
});

afterEach(async () => {
  await reset();
  checkLog();
  vi.restoreAllMocks();
});
