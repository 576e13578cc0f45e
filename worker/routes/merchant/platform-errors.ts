import {ERROR_KINDS, type ErrorCode} from '../../contract/codes.ts';
import {ApiError} from '../../http/errors.ts';
import {errorCodeOf} from '../../http/platform-errors.ts';
import {isBroken, type PlatformFailure} from '../../platform/failure.ts';
import {type OperationName, operations} from '../../platform/operations/index.ts';

const RETRY_AFTER_SECONDS = 5;
/** A number’s cap is one of days. */
const CAP_RETRY_AFTER_SECONDS = 60 * 60;
/** Why nothing was sent: a limit of the platform's, or the platform itself. */
const UNSENT_CODES = {day: 'quota_exhausted', second: 'rate_limited', none: 'temporarily_unavailable'} as const;

/**
 * What a merchant's server is told of a failed call.
 * @param failed the operation that failed: `tokenGet` where there was no token and nothing else was sent.
 * @param operation the operation that was asked for.
 */
export function toMerchantError(failure: PlatformFailure, failed: OperationName, operation: OperationName): ApiError {
  const {effect} = operations[operation];
  const sent = failed === operation;
  switch (failure.outcome) {
    case 'unsent':
      return new ApiError(UNSENT_CODES[failure.limit ?? 'none'], {
        retryAfterSeconds: Math.ceil(failure.retryAfterMs / 1000),
      });
    case 'unconfigured':
      return new ApiError('not_configured');
    case 'unknown':
      return sent && effect !== 'read'
        ? new ApiError('outcome_unknown')
        : new ApiError('temporarily_unavailable', {retryAfterSeconds: RETRY_AFTER_SECONDS});
    case 'refused': {
      const platform = {status: failure.status, message: failure.message};
      // The platform broke while it moved money: its word that it failed is not enough to move it again.
      if (sent && effect === 'money' && isBroken(failure)) return new ApiError('outcome_unknown', {platform});
      const code = errorCodeOf(failed, operations[failed], failure);
      return new ApiError(code, {
        platform,
        ...(ERROR_KINDS[code].retryable && {retryAfterSeconds: retryAfterSecondsOf(code, failure.retryAfterMs)}),
      });
    }
  }
}

/** What the platform asked for, where it did. */
function retryAfterSecondsOf(code: ErrorCode, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs / 1000);
  return code === 'billing_cap_reached' ? CAP_RETRY_AFTER_SECONDS : RETRY_AFTER_SECONDS;
}
