/** Which problem a caller gets for a failure, and what operators get in the log. */

import {ConfigError} from '../config/mistakes.ts';
import {ApiError} from '../http/errors.ts';
import {accountLimitOf} from '../lib/account-limit.ts';
import {describeError, log, type LogFields} from '../lib/log.ts';
import {isStoreRefused} from '../objects/migrations.ts';
import {isOrdinaryRefusal, type PlatformFailure} from '../platform/failure.ts';

/** After a limit of the account, or with a store of a newer version, only an operator can help. */
const OPERATOR_RETRY_SECONDS = 60;

/** The problem if an object refuses its store, or Cloudflare refuses the object. */
export const storeRefused = (cause: unknown) =>
  new ApiError('temporarily_unavailable', {cause, retryAfterSeconds: OPERATOR_RETRY_SECONDS});

/** @param route - The path of the route, for the log. */
export function toApiError(error: unknown, route: string): ApiError {
  if (error instanceof ApiError) {
    const {cause, failure} = error.options;
    if (failure)
      log(isOrdinaryRefusal(failure) ? 'info' : 'warn', 'platform_trouble', {route, ...describeFailure(failure)});
    if (error.status >= 500 && cause !== undefined && !isStoreRefused(cause))
      log('warn', 'internal_error', {error: describeError(cause)});
    return error;
  }
  if (error instanceof ConfigError) {
    log('error', 'misconfigured', {names: error.places});
    return new ApiError('misconfigured', {cause: error});
  }
  // The object has logged why it refuses its store.
  if (isStoreRefused(error)) return storeRefused(error);
  log('error', 'internal_error', {error: describeError(error)});
  return accountLimitOf(error) === null ? new ApiError('internal', {cause: error}) : storeRefused(error);
}

/** Describes a failed platform call for the log, with the same fields as the call's own `platform_call` line. */
function describeFailure(failure: PlatformFailure): LogFields {
  switch (failure.outcome) {
    case 'refused':
      return {platform_status: failure.status};
    case 'unknown':
      return {fault: failure.fault};
    case 'unsent':
      return {retry_in_ms: failure.retryAfterMs};
    case 'unconfigured':
      return {names: [failure.interface]};
  }
}

/** Logs the names of the wrong settings for the operator, and returns the problem, which does not name them. */
export function misconfigured(...names: string[]): ApiError {
  log('error', 'misconfigured', {names});
  return new ApiError('misconfigured');
}
