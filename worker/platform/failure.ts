/**
 * How a call to the platform can fail. Failures are plain data, so that Durable Objects can pass them to each other.
 */

import type {InterfaceName} from './operation.ts';

export type PlatformFailure =
  /** The platform reported an error status: nothing was done. */
  | {
      readonly outcome: 'refused';
      readonly status: string;
      readonly message: string;
      readonly httpStatus?: number;
      readonly retryAfterMs?: number;
      /** The subscription that mobile billing repeats in its refusal (`docs/spec/subscriptions.md`, 7.1). */
      readonly subscription?: EchoedSubscription;
    }
  /**
   * No readable reply came, so the outcome is unknown. `httpStatus` is present when an unreadable reply came with a
   * status that means an internal error of the platform (5xx).
   */
  | {readonly outcome: 'unknown'; readonly fault: Fault; readonly httpStatus?: number}
  /**
   * Nothing was sent; retry after `retryAfterMs`. If `limit` is set, this limit is used up. If `tried` is set, the
   * connection failed before any part of the request was sent. If neither field is set, the circuit is open, or no
   * token or permit came in time.
   */
  | {
      readonly outcome: 'unsent';
      readonly retryAfterMs: number;
      readonly limit?: 'day' | 'second';
      readonly tried?: true;
    }
  /** Nothing was sent: this interface of the platform is not configured. */
  | {readonly outcome: 'unconfigured'; readonly interface: InterfaceName};

export interface EchoedSubscription {
  readonly id: string;
  /** The status of this subscription, which explains the refusal; null when absent. */
  readonly status: string | null;
}

export type Fault = 'timeout' | 'connection' | 'redirect' | 'unreadable' | 'no_content';

export class PlatformError extends Error {
  override readonly name = 'PlatformError';

  readonly operation: string;
  readonly failure: PlatformFailure;

  constructor(operation: string, failure: PlatformFailure, options?: ErrorOptions) {
    super(`${operation}: ${failure.outcome}`, options);
    this.operation = operation;
    this.failure = failure;
  }
}

/** Returns the failure of a `PlatformError`. Rethrows every other error. */
export function failureOf(error: unknown): PlatformFailure {
  if (error instanceof PlatformError) return error.failure;
  throw error;
}

/** Statuses with which `/phs` and the landing interface report an internal error of the platform. */
const BROKEN = new Set(['500', 'ERR_010', '005']);

/** Whether the platform or the network caused the failure, so that the same call may succeed later. */
export function isBroken(failure: PlatformFailure): boolean {
  if (failure.outcome === 'unsent') return failure.tried === true;
  if (failure.outcome !== 'refused') return failure.outcome === 'unknown';
  return failure.httpStatus === undefined ? BROKEN.has(failure.status) : failure.httpStatus >= 500;
}

/** Whether the call got no reply. Such a failure says something about the whole interface, and not only this call. */
export function isUnanswered(failure: PlatformFailure): boolean {
  if (failure.outcome === 'unknown') return failure.fault !== 'unreadable' && failure.fault !== 'no_content';
  return isBroken(failure) && failure.outcome === 'unsent';
}

/**
 * Whether the call failed in a way that may repeat. HTTP 204 does not count: the platform works, and a retry would get the
 * same answer.
 */
export function isOperationBroken(failure: PlatformFailure): boolean {
  return isBroken(failure) && !(failure.outcome === 'unknown' && failure.fault === 'no_content');
}

/** Statuses of the landing interface about one number, which a platform may send with HTTP 429. */
const NUMBER_CAPS = new Set(['018', '019']);

/** Whether the platform did nothing, because it is called too often: HTTP 429, or this number as the reply's status. */
export function isRateLimited(failure: PlatformFailure): boolean {
  if (failure.outcome !== 'refused') return false;
  return failure.status === '429' || (failure.httpStatus === 429 && !NUMBER_CAPS.has(failure.status));
}

/** After how long the call may be repeated, in milliseconds; null if neither the platform nor the Worker knows. */
export function retryAfterMsOf(failure: PlatformFailure): number | null {
  return 'retryAfterMs' in failure ? (failure.retryAfterMs ?? null) : null;
}

/** Whether nothing was sent, or the platform did nothing because it is called too often. */
export function isUnsent(failure: PlatformFailure): boolean {
  return failure.outcome === 'unsent' || failure.outcome === 'unconfigured' || isRateLimited(failure);
}

/** Statuses of `/phs` about the caller: the merchant, its IP address, its service or its token. */
const ABOUT_CALLER = new Set(['ERR_001', 'ERR_002', 'ERR_004', 'ERR_005', 'ERR_009', 'ERR_015', 'ERR_016', 'ERR_020']);
/** The HTTP statuses of mobile billing about the caller. */
const ABOUT_CALLER_HTTP = new Set([401, 403]);

/** Statuses that say that the platform does not have the operation. A call with other values would fail too. */
const NO_OPERATION = new Set(['404', 'ERR_039']);

/** Whether the platform refused the values of this call, so that it may accept the same call with other values. */
export function areValuesRefused(failure: PlatformFailure): boolean {
  if (failure.outcome !== 'refused' || isBroken(failure) || isRateLimited(failure)) return false;
  const {status, httpStatus = 0} = failure;
  if (httpStatus === 404 || NO_OPERATION.has(status)) return false;
  return !ABOUT_CALLER.has(status) && !ABOUT_CALLER_HTTP.has(httpStatus);
}

/**
 * Whether this is an ordinary refusal of one call, such as for an unknown order, about which the operator need not do
 * anything. A refusal of our IP address, credentials or token, or of too many calls, is not ordinary.
 */
export function isOrdinaryRefusal(failure: PlatformFailure): boolean {
  if (failure.outcome !== 'refused' || isBroken(failure) || isRateLimited(failure)) return false;
  return !isAboutSetup(failure.status) && !ABOUT_CALLER_HTTP.has(failure.httpStatus ?? 0);
}

/**
 * ERR_020 ("Unauthorized Access") is left out, because it may refer to one record that belongs to another merchant.
 * ERR_007 refuses our key. The landing interface refuses our credentials with 029, and our IP address with 030.
 */
function isAboutSetup(status: string): boolean {
  return (status !== 'ERR_020' && ABOUT_CALLER.has(status)) || ['ERR_007', '029', '030'].includes(status);
}

/** Whether the platform refused the call because the order already exists. */
export function isExistingOrder(failure: PlatformFailure): boolean {
  return failure.outcome === 'refused' && failure.status === 'ERR_019';
}

/** Whether the platform refused the token as empty (ERR_015), or as invalid or expired (ERR_016). */
export function isTokenRefused(failure: PlatformFailure): boolean {
  if (failure.outcome !== 'refused' || isRateLimited(failure)) return false;
  return failure.status === 'ERR_015' || failure.status === 'ERR_016';
}
