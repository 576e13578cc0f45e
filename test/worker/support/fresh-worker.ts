import {reset} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {QUOTA_NAMES} from '../../../worker/platform/quota-limits.ts';
import {freezeClock, freezeSandboxClock} from './clock.ts';
import {clearAddressedObjects, issueToken, replaceBindings} from './durable-objects.ts';
import {captureLog} from './log-lines.ts';
import {control, clearCalls, setLine} from './sandbox.ts';

/** Resets the objects, the sandbox and the connection between them around every test of the file. */
export function freshWorker(): void {
  beforeEach(resetAll);
  afterEach(() => reset());
}

const noLimitPerSecond = Object.fromEntries(QUOTA_NAMES.map((name) => [name, {second: null}]));

/**
 * Before every test of the file: lifts mobile billing's limits per second. With these limits, calls would wait in real
 * time.
 */
export function liftLimitsPerSecond(): void {
  beforeEach(async () => {
    await replaceBindings(contextOf(env).objects.quota(), {QUOTAS: noLimitPerSecond});
    await control('limits', {limits: null});
  });
}

/**
 * Like `freshWorker`, but resets the objects, the sandbox and their connection only once per file, for tests that do
 * not disturb each other. Before each test, `setup.ts` still moves the Worker's clock to a new day.
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
  clearAddressedObjects();
  await issueToken();
  await clearCalls();
  captureLog();
}
