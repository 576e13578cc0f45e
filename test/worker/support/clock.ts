/**
 * The clock of Worker and sandbox in tests. It stands still on a day to come and moves when a test says so;
 * alarms, which workerd times by the real clock, therefore never ring by themselves.
 */

import {vi} from 'vitest';
import {control} from './sandbox.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const NOON_IN_TURKEY = 9 * HOUR;

let tests = 0;
let aheadMs = 0;

/** Every test has a day of its own, so that nothing an earlier one left in memory is recent. It begins at noon in Turkey. */
export function freezeClock(): void {
  vi.useRealTimers();
  tests += 1;
  const now = Math.floor(Date.now() / DAY + tests) * DAY + NOON_IN_TURKEY;
  aheadMs = now - Date.now();
  vi.useFakeTimers({toFake: ['Date'], now});
}

/** The sandbox, which was just reset, follows. */
export async function freezeSandboxClock(): Promise<void> {
  await control('clock', {advance_seconds: aheadMs / SECOND});
}

export async function advance(ms: number): Promise<void> {
  vi.setSystemTime(Date.now() + ms);
  await control('clock', {advance_seconds: ms / SECOND});
}

/** Now as the platform writes it: `YYYY-MM-DD HH:MM:SS`, UTC+3. */
export function platformTime(ms = Date.now()): string {
  return new Date(ms + 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ');
}

/** Now as our API writes it. */
export function wireTime(ms = Date.now()): string {
  return `${new Date(ms + 3 * HOUR).toISOString().slice(0, 19)}+03:00`;
}
