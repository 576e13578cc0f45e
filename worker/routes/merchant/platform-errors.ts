/** Turns failed platform calls into errors of the merchant API, and lets their orders remember them. */

import {ERROR_KINDS} from '../../contract/codes.ts';
import {ApiError} from '../../http/errors.ts';
import {errorCodeOf, retryAfterSecondsOf} from '../../http/platform-errors.ts';
import {recordWithRetry} from '../../lib/async.ts';
import type {NewCall} from '../../objects/order/order-calls.ts';
import {isBroken, PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {loadedOperation} from '../../platform/operations/load-operation.ts';
import {stateOf, type StatusNames} from '../../platform/statuses.ts';
import type {WriteContext} from './handler.ts';

const RETRY_AFTER_SECONDS = 5;
/**
 * Error codes for calls that were not sent, by the platform limit that stopped them; `none` if the platform is failing.
 */
const UNSENT_CODES = {day: 'quota_exhausted', second: 'rate_limited', none: 'temporarily_unavailable'} as const;

/**
 * The error that a merchant's server gets for a failed platform call.
 * @param failed - The operation that failed: `tokenGet` if the Worker got no token and therefore sent nothing else.
 * @param operation - The operation that the endpoint needed.
 */
export function toMerchantError(
  failure: PlatformFailure,
  failed: OperationName,
  operation: OperationName,
  statuses: StatusNames,
): ApiError {
  const {effect} = loadedOperation(operation);
  const wasSent = failed === operation;
  switch (failure.outcome) {
    case 'unsent':
      return new ApiError(UNSENT_CODES[failure.limit ?? 'none'], {
        retryAfterSeconds: Math.ceil(failure.retryAfterMs / 1000),
      });
    case 'unconfigured':
      return new ApiError('not_configured');
    case 'unknown':
      return wasSent && effect !== 'read'
        ? new ApiError('outcome_unknown')
        : new ApiError('temporarily_unavailable', {retryAfterSeconds: RETRY_AFTER_SECONDS});
    case 'refused': {
      const {status, message, subscription} = failure;
      const platform = {
        status,
        message,
        ...(subscription && {
          subscription: {id: subscription.id, state: stateOf('subscription', subscription.status, statuses)},
        }),
      };
      // The platform reported an internal error in an operation that moves money. The money may have moved before the
      // error.
      if (wasSent && effect === 'money' && isBroken(failure)) return new ApiError('outcome_unknown', {platform});
      const code = errorCodeOf(failed, loadedOperation(failed), failure);
      return new ApiError(code, {
        platform,
        ...(ERROR_KINDS[code].retryable && {retryAfterSeconds: retryAfterSecondsOf(failure, code)}),
      });
    }
  }
}

/** Calls the platform for an order. If the platform refuses the call, the order remembers it. */
export async function callFor<T>(
  {service, order}: {readonly service: string; readonly order: string},
  what: NewCall['what'],
  {objects, caller}: Pick<WriteContext, 'objects' | 'caller'>,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PlatformError) {
      const refusal = {operation: error.operation as OperationName, failure: error.failure};
      await recordWithRetry('order', () => objects.order(service, order).noteCall({what, by: caller.id, refusal}));
    }
    throw error;
  }
}
