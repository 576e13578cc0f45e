import {ApiError} from '../api-error.ts';
import {isBroken, isTokenRefused, type PlatformFailure} from '../platform/failure.ts';

const RETRY_AFTER_SECONDS = 5;

/** What a page is told of a failed call: none of the platform's words, those stand in the log. */
export function platformTrouble(failure: PlatformFailure): ApiError {
  if (failure.outcome === 'unsent') return unavailable(failure, Math.ceil(failure.retryAfterMs / 1000));
  if (failure.outcome === 'unconfigured') return new ApiError('platform_refused');
  // A token refused twice is nothing the page's request could be changed about.
  return isBroken(failure) || isTokenRefused(failure) ? unavailable(failure, RETRY_AFTER_SECONDS) : new ApiError('platform_refused', {failure});
}

function unavailable(failure: PlatformFailure, retryAfterSeconds: number): ApiError {
  return new ApiError('temporarily_unavailable', {failure, retryAfterSeconds});
}
