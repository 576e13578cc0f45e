import {reset} from 'cloudflare:test';
import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';
import {freezeClock, freezeSandboxClock} from './clock.ts';
import {renewToken} from './durable-objects.ts';
import {captureLog} from './log-lines.ts';
import {control, clearCalls, setLine} from './sandbox.ts';

/** Around every test of a file: objects, platform and the line between them as on the first day. */
export function freshWorker(): void {
  beforeEach(resetAll);
  afterEach(() => reset());
}

/** Around tests that leave one another's traces alone: the same, once. Each still has a day of its own. */
export function sharedWorker(): void {
  beforeAll(async () => {
    captureLog();
    freezeClock();
    await resetAll();
  });
  afterAll(() => reset());
}

async function resetAll(): Promise<void> {
  await setLine('open');
  await control('reset');
  await freezeSandboxClock();
  await renewToken();
  await clearCalls();
  captureLog();
}
