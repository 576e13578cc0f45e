/** Says when to try again: the only formula of backoff. */

/** The delays between tries, in milliseconds. */
export type Retry = (
  | /** The last delay is repeated. */ {readonly delaysMs: readonly number[]}
  /** The delay doubles with each failure. */
  | {readonly firstMs: number; readonly maxMs: number}
) & {
  /** Up to this part of the delay (0 to 1) is cut off at random. */
  readonly jitter?: number;
};

/** How often in a row something failed, and when the next try is due, epoch milliseconds. */
export interface Failures {
  readonly failures: number;
  readonly retryAt: number;
}

/** @param failures - How often in a row it failed, at least 1. @returns milliseconds until the next try. */
export function retryDelayMs(retry: Retry, failures: number, random: () => number = Math.random): number {
  const delayMs =
    'delaysMs' in retry
      ? (retry.delaysMs[Math.min(failures, retry.delaysMs.length) - 1] ?? 0)
      : Math.min(retry.firstMs * 2 ** (failures - 1), retry.maxMs);
  return Math.round(delayMs * (1 - (retry.jitter ?? 0) * random()));
}

/** The failures after one more. A try that was made before it was due does not make the delay longer. */
export function nextFailures(retry: Retry, last: Failures | null | undefined, now: number): Failures {
  if (last && now < last.retryAt) return last;
  const failures = (last?.failures ?? 0) + 1;
  return {failures, retryAt: now + retryDelayMs(retry, failures)};
}

/** The first try after `now`, if all tries since `since` failed and were made in time: for those who store no failures. */
export function nextTryAt(retry: Retry, since: number, now: number): number {
  let at = since;
  for (let failures = 1; at <= now; failures += 1) at += retryDelayMs(retry, failures);
  return at;
}
