import {reset} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {QUOTA_NAMES} from '../../../worker/platform/quota-limits.ts';
import {freezeClock, resetSandbox} from './clock.ts';
import {clearAddressedObjects, replaceBindings, storeToken, wakeAddressed} from './durable-objects.ts';
import {captureLog} from './log-lines.ts';
import {control, setLine} from './sandbox.ts';

/**
 * Before every test of the file, resets the sandbox and the connection between Worker and sandbox. After every test,
 * resets the objects.
 */
export function freshWorker(): void {
  beforeEach(resetAll);
  afterEach(eraseAll);
}

const noLimitPerSecond = Object.fromEntries(QUOTA_NAMES.map((name) => [name, {second: null}]));

/**
 * Before every test of the file: lifts mobile billing's limits per second. With these limits, calls would wait in real
 * time.
 */
export function liftLimitsPerSecond(): void {
  beforeEach(async () => {
    await replaceBindings(contextOf(env).objects.platform(), {QUOTAS: noLimitPerSecond});
    await control('limits', {limits: null});
  });
}

/**
 * Like `freshWorker`, but resets the objects, the sandbox and the connection once per file or `describe`, for tests
 * that do not disturb each other. Before each test, `setup.ts` moves the Worker's clock to a new day.
 */
export function sharedWorker(): void {
  beforeAll(async () => {
    captureLog();
    freezeClock();
    await resetAll();
  });
  afterAll(eraseAll);
}

/** `reset` leaves the storage of objects that do not run: a test evicted them, or nothing called them for ten seconds. */
async function eraseAll(): Promise<void> {
  await wakeAddressed();
  await reset();
}

async function resetAll(): Promise<void> {
  await setLine('open');
  const token = await resetSandbox();
  clearAddressedObjects();
  await storeToken(token);
  captureLog();
}
