import {type ErrorCode, PAGE_ERROR_CODES} from '../contract/codes.ts';
import {isBroken, isTokenRefused, type PlatformFailure} from '../platform/failure.ts';
import type {OperationName} from '../platform/operations/index.ts';
import {rowOf} from '../platform/operations/load-operation.ts';
import {ApiError} from './errors.ts';
import {codeOf} from './platform-errors.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * What a page is told of a failed call: none of the platform's words, those stand in the log.
 * @param operation that was asked for, where a page can do something about a refusal.
 */
export async function platformTrouble(failure: PlatformFailure, operation?: OperationName): Promise<ApiError> {
  const row = operation && (await rowOf(operation));
  const movesMoney = row?.effect === 'money';
  switch (failure.outcome) {
    case 'unsent':
      return unavailable(failure, Math.ceil(failure.retryAfterMs / 1000));
    case 'unconfigured':
      return new ApiError('platform_refused', {failure});
    case 'unknown':
      return movesMoney ? new ApiError('outcome_unknown', {failure}) : unavailable(failure, RETRY_AFTER_SECONDS);
    case 'refused': {
      // The platform broke while it did what costs money: its word that it failed is not enough.
      if (isBroken(failure) && movesMoney) return new ApiError('outcome_unknown', {failure});
      // A token refused twice is nothing the page's request could be changed about.
      if (isBroken(failure) || isTokenRefused(failure)) return unavailable(failure, RETRY_AFTER_SECONDS);
      const code = operation && row ? codeOf(operation, row, failure) : 'platform_refused';
      if (code === 'quota_exhausted')
        return unavailable(failure, Math.ceil((failure.retryAfterMs ?? 0) / 1000) || RETRY_AFTER_SECONDS);
      return new ApiError(toPageCode(code), {failure});
    }
  }
}

/** Codes that would speak of the page's own request, where it is ours to the platform that was refused. */
const OURS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_request', 'not_found', 'unauthorized']);

function toPageCode(code: ErrorCode): ErrorCode {
  return (PAGE_ERROR_CODES as readonly ErrorCode[]).includes(code) && !OURS.has(code) ? code : 'platform_refused';
}

function unavailable(failure: PlatformFailure, retryAfterSeconds: number): ApiError {
  return new ApiError('temporarily_unavailable', {failure, retryAfterSeconds});
}
