/** What is tried again, and after which pause. */

import {VezneConnectionError, type VezneError} from './errors.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/**
 * Whether the same request may be sent once more without harm and with hope. A write goes under the key it had, so that
 * the Worker does it once however often it is asked.
 */
export function mayRetry(error: VezneError, write: boolean): boolean {
  if (!error.retryable) return false;
  if (error instanceof VezneConnectionError || isRunning(error)) return true;
  // A limit that does not say when it is over is not over in a moment.
  if (error.status === 429) return error.retryAfterMs !== undefined;
  // A write that broke inside the Worker stays open under its key for a minute, and is `outcome_unknown` then.
  if (write && error.code === 'internal') return false;
  return error.status !== undefined && error.status >= 500;
}

/** The write of this key is under way, by an attempt whose answer was lost: its answer will be there in a moment. */
export function isRunning({code}: VezneError): boolean {
  return code === 'in_progress';
}

/** Full jitter on what grows with every failure, on top of what the Worker asks for. */
export function pauseMs({retryAfterMs = 0}: VezneError, failures: number): number {
  return retryAfterMs + Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
}
