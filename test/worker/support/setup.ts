/** Before every test, sets the Worker's clock. After every test, checks the log lines. */

import {afterEach, beforeEach, vi} from 'vitest';
import {freezeClock} from './clock.ts';
import {captureLog, checkLog} from './log-lines.ts';
import './preload-lazy-modules.ts';

beforeEach(() => {
  captureLog();
  freezeClock();
});

afterEach(() => {
  checkLog();
  vi.restoreAllMocks();
});
