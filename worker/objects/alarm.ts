/**
 * Plans the alarms of Durable Objects, and runs the parts of an alarm's work so that an error in one part does not stop
 * the other parts. Times are epoch milliseconds.
 */

import {MINUTE_MS, SECOND_MS} from '../lib/durations.ts';
import {describeError, log, type LogFields} from '../lib/log.ts';

/** The time at which something is due; null when nothing is due. */
export type DueTime = number | null;

export function earliest(...dueTimes: readonly DueTime[]): DueTime {
  const due = dueTimes.filter((at) => at !== null);
  return due.length > 0 ? Math.min(...due) : null;
}

/** When data that was stored at `at` may be deleted: just after its retention time has passed. */
export function endOfRetention(at: DueTime, retentionMs: number): DueTime {
  return at === null ? null : at + retentionMs + 1;
}

const FIRST_RETRY_DELAY_MS = 10 * SECOND_MS;
const MAX_RETRY_DELAY_MS = 15 * MINUTE_MS;

/** How often in a row another object could not be reached, and when the next attempt is due. */
export interface CallFailure {
  readonly failures: number;
  /** Epoch milliseconds. */
  readonly retryAt: number;
}

/** The time of the alarm that makes the next attempt if the object dies during the first attempt. */
export function watchdogAt(now: number): number {
  return now + FIRST_RETRY_DELAY_MS;
}

/**
 * The failure after one more failed attempt. The delay doubles with each failure, so that thousands of orders do not
 * call a broken object all the time. From the second failure on, a random part of up to half is cut off the delay. An
 * object with new data makes its attempt before `retryAt`. If that attempt fails too, the delay does not grow.
 */
export function nextFailure(last: CallFailure | undefined, now: number): CallFailure {
  if (last && now < last.retryAt) return last;
  const failures = (last?.failures ?? 0) + 1;
  const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** (failures - 1), MAX_RETRY_DELAY_MS);
  const jitter = failures === 1 ? 1 : 0.5 + Math.random() / 2;
  return {failures, retryAt: now + Math.round(delayMs * jitter)};
}

/**
 * Plans the object's alarm for the earliest of these times, or for now if that time has passed. Deletes the alarm when
 * nothing is due. Nothing is awaited before the call to storage, so the alarm is written together with the caller's
 * last writes.
 */
export async function scheduleAlarm(storage: DurableObjectStorage, ...dueTimes: readonly DueTime[]): Promise<void> {
  const at = earliest(...dueTimes);
  await (at === null ? storage.deleteAlarm() : storage.setAlarm(Math.max(Date.now(), at)));
}

/**
 * Moves the alarm to this time, unless it is already planned for this time or an earlier one.
 * @param toleranceMs - How much later than `at` a planned alarm may be without being moved.
 */
export async function bringAlarmForward(storage: DurableObjectStorage, at: number, toleranceMs = 0): Promise<void> {
  const due = Math.max(Date.now(), at);
  const planned = await storage.getAlarm();
  if (planned === null || planned > due + toleranceMs) await storage.setAlarm(due);
}

/**
 * Runs one part of an alarm's work. An error is logged and not thrown, so that the other parts run. If the alarm threw
 * a few times, the runtime would give up the alarm, and the object would never wake again.
 * @param fields - Log fields that say what the work is about.
 * @param onError - Plans the next attempt at this part.
 */
export async function runSafely(fields: LogFields, work: () => Promise<void>, onError?: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    log('error', 'internal_error', {...fields, error: describeError(error)});
    onError?.();
  }
}
