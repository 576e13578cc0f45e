import {reset} from 'cloudflare:test';
import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';
import {freezeClock, freezeSandboxClock} from './clock.ts';
import {renewToken} from './durable-objects.ts';
import {captureLog} from './log-lines.ts';
import {control, clearCalls, setLine} from './sandbox.ts';

/** Resets the objects, the sandbox and the connection between them around every test of the file. */
export function freshWorker(): void {
  beforeEach(resetAll);
  afterEach(() => reset());
}

/**
 * Like `freshWorker`, but resets only once per file, for tests that do not disturb each other. Each test still has its
 * own day.
 */
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
