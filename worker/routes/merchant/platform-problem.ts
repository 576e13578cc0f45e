import {ApiError} from '../../api-error.ts';
import {isBroken, type PlatformFailure} from '../../platform/failure.ts';
import {type OperationName, operations} from '../../platform/operations/operations.ts';
import {codeOf} from './platform-codes.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * What a merchant's server is told of a failed call.
 * @param failed the operation that failed: `tokenGet` where there was no token and nothing else was sent.
 * @param asked the operation that was asked for.
 */
export function platformProblem(failure: PlatformFailure, failed: OperationName, asked: OperationName): ApiError {
  const {effect} = operations[asked];
  const sent = failed === asked;
  switch (failure.outcome) {
    case 'unsent': return new ApiError('temporarily_unavailable', {retryAfterSeconds: Math.ceil(failure.retryAfterMs / 1000)});
    case 'unconfigured': return new ApiError('not_configured');
    case 'unknown':
      return sent && effect !== 'read' ? new ApiError('outcome_unknown') : new ApiError('temporarily_unavailable', {retryAfterSeconds: RETRY_AFTER_SECONDS});
    case 'refused': {
      const platform = {status: failure.status, message: failure.message};
      // The platform broke while it moved money: its word that it failed is not enough to move it again.
      if (sent && effect === 'money' && isBroken(failure)) return new ApiError('outcome_unknown', {platform});
      const code = codeOf(failed, failure);
      return new ApiError(code, {platform, ...(code === 'temporarily_unavailable' && {retryAfterSeconds: RETRY_AFTER_SECONDS})});
    }
  }
}
