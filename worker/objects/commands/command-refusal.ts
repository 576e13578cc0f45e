/** Why nothing was done. */

import type {ErrorCode} from '../../contract/codes.ts';
import {describeError, log} from '../../lib/log.ts';
import {PlatformError, type PlatformFailure} from '../../platform/failure.ts';

/** A code of ours, or how the platform answered to one of its operations. Plain data. */
export type CommandRefusal =
  | {readonly code: ErrorCode}
  | {readonly operation: string; readonly failure: PlatformFailure};

/** What is no word of the platform's is a fault of ours that may be gone in a moment. */
export function toCommandRefusal(error: unknown): CommandRefusal {
  if (error instanceof PlatformError) return {operation: error.operation, failure: error.failure};
  log('error', 'internal_error', {error: describeError(error)});
  return {code: 'temporarily_unavailable'};
}

/** Whether nothing was sent, or the platform was asked too often and did nothing. */
export function isUnsent(failure: PlatformFailure): boolean {
  return failure.outcome === 'unsent' || failure.outcome === 'unconfigured' || isRateLimited(failure);
}

/** Whether the day's limit of this operation is used up. */
export function isDailyLimitReached(refusal: CommandRefusal, operation: string): boolean {
  if ('code' in refusal || refusal.operation !== operation) return false;
  const {failure} = refusal;
  return isRateLimited(failure) || (failure.outcome === 'unsent' && failure.limit === 'day');
}

/** Milliseconds; 0 where nothing is said. */
export function retryAfterOf(refusal: CommandRefusal | null): number {
  return refusal && 'failure' in refusal && 'retryAfterMs' in refusal.failure ? (refusal.failure.retryAfterMs ?? 0) : 0;
}

function isRateLimited(failure: PlatformFailure): boolean {
  return failure.outcome === 'refused' && failure.httpStatus === 429;
}
