/** Which problem a caller gets for a failure, and what operators get in the log. */

import type {ConfigError} from '../config/mistakes.ts';
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

/** Objects have a configuration too, and an error that they throw keeps its name and its fields. */
const isConfigError = (error: unknown): error is ConfigError => error instanceof Error && error.name === 'ConfigError';

const needsOperator = (error: unknown) =>
  isConfigError(error) || isStoreRefused(error) || accountLimitOf(error) !== null;

/** @param route - The path of the route, for the log. */
export function toApiError(error: unknown, route: string): ApiError {
  if (error instanceof ApiError) {
    const {cause, failure} = error.options;
    // `orUnavailable` does not know that only an operator can help.
    if (error.code === 'temporarily_unavailable' && needsOperator(cause)) return toApiError(cause, route);
    if (failure)
      log(isOrdinaryRefusal(failure) ? 'info' : 'warn', 'platform_trouble', {route, ...describeFailure(failure)});
    if (error.status >= 500 && cause !== undefined && !isStoreRefused(cause))
      log('warn', 'internal_error', {error: describeError(cause)});
    return error;
  }
  if (isConfigError(error)) return misconfigured(...error.places);
  // The object has logged why it refuses its store.
  if (!isStoreRefused(error)) log('error', 'internal_error', {error: describeError(error)});
  return needsOperator(error) ? storeRefused(error) : new ApiError('internal', {cause: error});
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
