/** Around every test: a clock that stands still, and a log that is read. */

import {afterEach, beforeEach, vi} from 'vitest';
import {holdClock} from './kit/clock.ts';
import {captureLog, checkLog} from './kit/log-lines.ts';
import './kit/read-when-asked.ts';

beforeEach(() => {
  captureLog();
  holdClock();
});

afterEach(() => {
  checkLog();
  vi.restoreAllMocks();
});
