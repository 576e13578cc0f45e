/** Around every test: a clock that stands still, and a log that is read. */
import {afterEach, beforeEach, vi} from 'vitest';
import {holdClock} from './kit/clock.ts';
import {captureLog, checkLog} from './kit/log-lines.ts';

beforeEach(() => {
  captureLog();
  holdClock();
});

afterEach(() => {
  checkLog();
  vi.restoreAllMocks();
});
