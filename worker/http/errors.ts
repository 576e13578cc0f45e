/** The error that handlers throw, and the problem that clients get. */

import type {SharedLimit} from '../config/limits.ts';
import {ERROR_KINDS, type ErrorCode} from '../contract/codes.ts';
import type {Problem, MerchantProblem, PlatformWords} from '../contract/problem.ts';
import type {PlatformFailure} from '../platform/failure.ts';

interface ApiErrorOptions {
  /** For the log; it never reaches a client. */
  readonly cause?: unknown;
  /** The failed platform call, for the log. Its message is not logged, and the client does not get it. */
  readonly failure?: PlatformFailure;
  /** The invalid fields of the request, by dotted path. */
  readonly fields?: Problem['fields'];
  /** How many more PINs the shopper may try after a wrong one. */
  readonly attemptsLeft?: number;
  /** The seller whom the page shows with the problem. */
  readonly seller?: Problem['seller'];
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
  /** The limit that refuses the request. It is counted, and never reaches a client. */
  readonly limit?: SharedLimit;
  /** A more specific HTTP status than the code's default. */
  readonly status?: number | undefined;
  /** Id of the command whose outcome is unknown; only the merchant API shows it. */
  readonly command?: string;
  /** The platform's status and message; only the merchant API shows them, never a page. */
  readonly platform?: PlatformWords;
  /** The methods that the path supports, for `method_not_allowed`. */
  readonly allow?: readonly string[];
}

/** The only error class that handlers throw. `router.ts` turns it into a problem. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    readonly options: ApiErrorOptions = {},
  ) {
    super(code, {cause: options.cause});
  }

  get status(): number {
    return this.options.status ?? ERROR_KINDS[this.code].status;
  }

  /** The problem as `application/problem+json` (RFC 9457). */
  toResponse(requestId: string): Response {
    return this.#respond(this.#describe(requestId));
  }

  /** The same problem with the platform's status and message, for merchants' servers. */
  toMerchantResponse(requestId: string): Response {
    const {platform, command} = this.options;
    return this.#respond({
      ...this.#describe(requestId),
      ...(platform && {platform}),
      ...(command !== undefined && {command_id: command}),
    });
  }

  #describe(requestId: string): Problem {
    const {title, retryable} = ERROR_KINDS[this.code];
    const {fields, attemptsLeft, seller} = this.options;
    return {
      // The static page about the code. The path is relative, so it works with every domain of the Worker.
      type: `/problems/${this.code}`,
      title,
      status: this.status,
      code: this.code,
      request_id: requestId,
      retryable,
      ...(fields && {fields}),
      ...(attemptsLeft !== undefined && {attempts_left: attemptsLeft}),
      ...(seller && {seller}),
    };
  }

  #respond(problem: MerchantProblem): Response {
    const {retryAfterSeconds, allow} = this.options;
    const headers = new Headers({'content-type': 'application/problem+json', 'cache-control': 'no-store'});
    if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds));
    if (allow) headers.set('allow', allow.join(', '));
    if (this.status === 401) headers.set('www-authenticate', 'Bearer');
    return new Response(JSON.stringify(problem), {status: this.status, headers});
  }
}

/** An error about one field of the request. @param status - The HTTP status, if it is not that of the code. */
export function fieldError(code: ErrorCode, path: string, message: string, status?: number): ApiError {
  return new ApiError(code, {status, fields: [{path, message}]});
}

/** Makes a call that changes nothing if it fails. @throws {ApiError} `temporarily_unavailable` */
export async function orUnavailable<T>(call: () => T): Promise<Awaited<T>> {
  try {
    return await call();
  } catch (cause) {
    throw new ApiError('temporarily_unavailable', {cause, retryAfterSeconds: 1});
  }
}
