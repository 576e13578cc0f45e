/** The errors that the client throws, with their codes. */

import type {ErrorCode, PlatformWords} from './generated/contract.ts';

/**
 * Error codes of the client, in addition to the Worker's error codes:
 * - `connection_failed`: the client could not connect, or the connection broke before the complete answer arrived.
 * - `timed_out`: no answer arrived within the call's timeout.
 * - `unreadable_answer`: the call succeeded, but its answer is not a JSON object.
 * - `unexpected_answer`: a proxy answered instead of the Worker, or `url` is not the URL of a Worker. If `status` is
 *   500 or higher, the outcome of a write is unknown.
 */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unreadable_answer' | 'unexpected_answer';

export interface VezneErrorDetails {
  readonly status?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly fields?: VezneError['fields'] | undefined;
  readonly platform?: PlatformWords | undefined;
  readonly commandId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A call failed. The error never contains the API key or the input of the call, so you can log the error or convert it
 * to JSON. Use `code` to distinguish errors.
 */
export class VezneError extends Error {
  override readonly name: string = 'VezneError';
  /** The error code. Codes do not change, but a newer Worker may use codes that this client does not know. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; undefined if no answer arrived. */
  readonly status: number | undefined;
  /** True if the same call may succeed later. Repeat a write with the same `idempotencyKey`. */
  readonly retryable: boolean;
  /** Id of the request in the Worker's log. */
  readonly requestId: string | undefined;
  /** The invalid fields of the input. A path joins the names of nested fields with dots. */
  readonly fields: readonly {readonly path: string; readonly message: string}[];
  /** Status and message that the payment platform sent, if it reported an error. */
  readonly platform: PlatformWords | undefined;
  /**
   * Id of a command with an unknown outcome (only with `outcome_unknown`). The Worker checks the outcome, and
   * `commands.list` shows it.
   */
  readonly commandId: string | undefined;
  /** The idempotency key of a write. If you retry with this key, the Worker does not do the write twice. */
  readonly idempotencyKey: string | undefined;
  /** How long the Worker asks the caller to wait before a retry, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: VezneError['code'], description: string, details: VezneErrorDetails = {}) {
    super(`${code}: ${description}`, 'cause' in details ? {cause: details.cause} : undefined);
    this.code = code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.requestId = details.requestId;
    this.fields = details.fields ?? [];
    this.platform = details.platform;
    this.commandId = details.commandId;
    this.idempotencyKey = details.idempotencyKey;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/**
 * No readable answer arrived, so the outcome of a write is unknown. To get the outcome, repeat the call with the same
 * `idempotencyKey`: the Worker then never does the write twice. `code` is `connection_failed`, `timed_out` or
 * `unreadable_answer`.
 */
export class VezneConnectionError extends VezneError {
  override readonly name: string = 'VezneConnectionError';

  constructor(
    code: Exclude<ClientErrorCode, 'unexpected_answer'>,
    description: string,
    details: VezneErrorDetails = {},
  ) {
    super(code, description, {retryable: true, ...details});
  }
}

/**
 * Why a webhook is refused:
 * - `header_missing`: the header `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing or repeated.
 * - `timestamp_invalid`: `webhook-timestamp` is not a whole number of seconds.
 * - `too_old`, `too_new`: the time of the webhook differs from the current time by more than the tolerance.
 * - `signature_invalid`: the webhook was signed with a different secret, or its content was changed.
 * - `body_unreadable`: the signature is valid, but the body is not a JSON object.
 */
export type WebhookErrorCode =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'too_old'
  | 'too_new'
  | 'signature_invalid'
  | 'body_unreadable';

/** The request is no valid webhook of the Worker; `code` says why. Answer with the status 400 and do nothing else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, description: string) {
    super(`${code}: ${description}`);
    this.code = code;
  }
}
