/** How a call of the platform can fail: plain data, so that it survives the way between objects. */

import type {InterfaceName} from './operation.ts';

export type PlatformFailure =
  /** The platform answered with another status than success: nothing was done. */
  | {
      readonly outcome: 'refused';
      readonly status: string;
      readonly message: string;
      readonly httpStatus?: number;
      readonly retryAfterMs?: number;
    }
  /** No readable answer came: whether anything was done is not known. `httpStatus` where an unreadable one says that the platform broke (5xx). */
  | {readonly outcome: 'unknown'; readonly fault: Fault; readonly httpStatus?: number}
  /**
   * Nothing was sent: the platform fails, gives us no token in time, or takes no more such calls within a `limit`, and is
   * left alone for so long; or (`tried`) the way to it was tried and failed before any of the request left.
   */
  | {
      readonly outcome: 'unsent';
      readonly retryAfterMs: number;
      readonly limit?: 'day' | 'second';
      readonly tried?: true;
    }
  /** Nothing was sent: this interface of the platform is not configured. */
  | {readonly outcome: 'unconfigured'; readonly family: InterfaceName};

export type Fault = 'timeout' | 'connection' | 'redirect' | 'unreadable';

export class PlatformError extends Error {
  override readonly name = 'PlatformError';

  constructor(
    readonly operation: string,
    readonly failure: PlatformFailure,
    options?: ErrorOptions,
  ) {
    super(`${operation}: ${failure.outcome}`, options);
  }
}

/** The failure behind an error; an error that is no platform's is thrown on. */
export function failureOf(error: unknown): PlatformFailure {
  if (error instanceof PlatformError) return error.failure;
  throw error;
}

/** The platform's own words for "something broke here", in `/phs` and in the landing interface. */
const BROKEN = new Set(['500', 'ERR_010', '005']);

/** Whether the platform is in trouble, so that the same call may succeed later. */
export function isBroken(failure: PlatformFailure): boolean {
  if (failure.outcome === 'unsent') return failure.tried === true;
  if (failure.outcome !== 'refused') return failure.outcome === 'unknown';
  return failure.httpStatus === undefined ? BROKEN.has(failure.status) : failure.httpStatus >= 500;
}

/** Whether the platform answered that the order exists already. */
export function isExistingOrder(failure: PlatformFailure): boolean {
  return failure.outcome === 'refused' && failure.status === 'ERR_019';
}

/** Whether the platform wants another token: empty (ERR_015), invalid or expired (ERR_016). */
export function isTokenRefused(failure: PlatformFailure): boolean {
  return failure.outcome === 'refused' && (failure.status === 'ERR_015' || failure.status === 'ERR_016');
}
