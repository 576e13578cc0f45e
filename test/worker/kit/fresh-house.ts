import {reset} from 'cloudflare:test';
import {afterEach, beforeEach} from 'vitest';
import {holdSandboxClock} from './clock.ts';
import {captureLog} from './log-lines.ts';
import {meetPlatform} from './objects.ts';
import {control, forgetCalls, line} from './sandbox.ts';

/** Around every test of a file: objects, platform and the line between them as on the first day. */
export function freshHouse(): void {
  beforeEach(async () => {
    await line('open');
    await control('reset');
    await holdSandboxClock();
    await meetPlatform();
    await forgetCalls();
    captureLog();
  });
  afterEach(async () => {
    await reset();
  });
}
