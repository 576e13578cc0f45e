/** How the objects plan their alarms, and how one error is kept from ending an alarm's work. Times are epoch milliseconds. */

import {describeError, log, type LogFields} from '../lib/log.ts';

/** When something is due; null where nothing is. */
export type DueTime = number | null;

export function earliest(...dueTimes: readonly DueTime[]): DueTime {
  const due = dueTimes.filter((at) => at !== null);
  return due.length > 0 ? Math.min(...due) : null;
}

/**
 * Plans the object's alarm for the earliest of these times, or for now if that has passed. Deletes the alarm when nothing is
 * due. Storage is called before anything is awaited: the alarm is written together with what the caller wrote before.
 */
export async function scheduleAlarm(storage: DurableObjectStorage, ...dueTimes: readonly DueTime[]): Promise<void> {
  const at = earliest(...dueTimes);
  await (at === null ? storage.deleteAlarm() : storage.setAlarm(Math.max(Date.now(), at)));
}

/** Moves the alarm to this time, unless one is planned that is early enough. @param toleranceMs how much later still is. */
export async function bringAlarmForward(storage: DurableObjectStorage, at: number, toleranceMs = 0): Promise<void> {
  const due = Math.max(Date.now(), at);
  const planned = await storage.getAlarm();
  if (planned === null || planned > due + toleranceMs) await storage.setAlarm(due);
}

/**
 * Runs one part of an alarm's work; an error is logged, and the rest goes on. The runtime gives up an alarm that throws a few
 * times, and then the object never wakes again.
 * @param about for the log: what the work is for.
 * @param onError plans the next try of this part.
 */
export async function runSafely(about: LogFields, work: () => Promise<void>, onError?: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    log('error', 'internal_error', {...about, error: describeError(error)});
    onError?.();
  }
}
