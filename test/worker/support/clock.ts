/**
 * The clocks of Worker and sandbox in tests. Both are set to the same future day, and a test advances both together. In
 * between, the Worker's clock stands still, except that each check of `expect.poll` takes 1 ms, and the sandbox's clock
 * goes on. Alarms never run by themselves, because
 * workerd times alarms by the real clock, which does not reach these days.
 */

import {vi} from 'vitest';
import {control} from './sandbox.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const NOON_IN_TURKEY = 9 * HOUR;

let testCount = 0;
let aheadMs = 0;

/**
 * Starts a new day for each test, at noon in Turkey, so that values that an earlier test left in memory are outdated.
 */
export function freezeClock(): void {
  vi.useRealTimers();
  testCount += 1;
  const now = Math.floor(Date.now() / DAY + testCount) * DAY + NOON_IN_TURKEY;
  aheadMs = now - Date.now();
  vi.useFakeTimers({toFake: ['Date'], now});
}

/**
 * Resets the sandbox and sets its clock to the Worker's time, in one request, because each test begins with it.
 * @returns a token that the platform accepts.
 */
export async function resetSandbox(): Promise<string> {
  const {token} = await control<{token: string}>('reset', {advance_seconds: aheadMs / SECOND, issue_token: true});
  return token;
}

export async function advance(ms: number): Promise<void> {
  vi.setSystemTime(Date.now() + ms);
  await control('clock', {advance_seconds: ms / SECOND});
}

/** The time as the platform writes it: `YYYY-MM-DD HH:MM:SS`, UTC+3. */
export function platformTime(ms = Date.now()): string {
  return new Date(ms + 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ');
}

/** The time as the Worker's APIs write it: `YYYY-MM-DDTHH:MM:SS+03:00`. */
export function wireTime(ms = Date.now()): string {
  return `${new Date(ms + 3 * HOUR).toISOString().slice(0, 19)}+03:00`;
}
