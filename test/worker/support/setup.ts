/** Runs around every test: freezes the clock, and checks the log lines afterwards. */

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
