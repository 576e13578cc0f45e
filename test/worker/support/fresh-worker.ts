import {reset} from 'cloudflare:test';
import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';
import {holdClock, holdSandboxClock} from './clock.ts';
import {meetPlatform} from './durable-objects.ts';
import {captureLog} from './log-lines.ts';
import {control, forgetCalls, line} from './sandbox.ts';

/** Around every test of a file: objects, platform and the line between them as on the first day. */
export function freshHouse(): void {
  beforeEach(refresh);
  afterEach(() => reset());
}

/** Around tests that leave one another's traces alone: the same, once. Each still has a day of its own. */
export function sharedHouse(): void {
  beforeAll(async () => {
    captureLog();
    holdClock();
    await refresh();
  });
  afterAll(() => reset());
}

async function refresh(): Promise<void> {
  await line('open');
  await control('reset');
  await holdSandboxClock();
  await meetPlatform();
  await forgetCalls();
  captureLog();
}
