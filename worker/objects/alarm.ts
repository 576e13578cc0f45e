/** Plans the objects' alarms, and keeps one error from ending an alarm's work. Times are epoch milliseconds. */

import {describeError, log, type LogFields} from '../lib/log.ts';

/** When something is due; null: nothing is due. */
export type DueTime = number | null;

export function earliest(...dueTimes: readonly DueTime[]): DueTime {
  const due = dueTimes.filter((at) => at !== null);
  return due.length > 0 ? Math.min(...due) : null;
}

/**
 * Plans the object's alarm for the earliest of these times, or for now if that time has passed. Deletes the alarm when
 * nothing is due. It calls storage before it awaits anything, so the alarm is written together with the caller's last
 * writes.
 */
export async function scheduleAlarm(storage: DurableObjectStorage, ...dueTimes: readonly DueTime[]): Promise<void> {
  const at = earliest(...dueTimes);
  await (at === null ? storage.deleteAlarm() : storage.setAlarm(Math.max(Date.now(), at)));
}

/**
 * Moves the alarm to this time, unless it is already planned for then or earlier.
 * @param toleranceMs how much later than `at` is accepted.
 */
export async function bringAlarmForward(storage: DurableObjectStorage, at: number, toleranceMs = 0): Promise<void> {
  const due = Math.max(Date.now(), at);
  const planned = await storage.getAlarm();
  if (planned === null || planned > due + toleranceMs) await storage.setAlarm(due);
}

/**
 * Runs one part of an alarm's work. Logs an error and returns, so that the other parts run. Without this the runtime
 * would give up an alarm that throws a few times, and the object would never wake again.
 * @param fields log fields that say what the work is for.
 * @param onError plans the next attempt at this part.
 */
export async function runSafely(fields: LogFields, work: () => Promise<void>, onError?: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    log('error', 'internal_error', {...fields, error: describeError(error)});
    onError?.();
  }
}
