/** Around every test: a clock that stands still, and a log that is read. */

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
