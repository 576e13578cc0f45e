import type {ErrorCode, PlatformWords} from './contract.ts';

/**
 * Error codes that the client adds to those of the Worker:
 * - `connection_failed`: the client could not connect, or the connection broke before the complete answer arrived.
 * - `timed_out`: no answer arrived within the time of the call.
 * - `unreadable_answer`: the call succeeded, but its answer is not a JSON object.
 * - `unexpected_answer`: a proxy answered in place of the Worker, or `url` is not the address of a Worker. If `status`
 *   is 500 or higher, the outcome of a write is unknown too.
 */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'unreadable_answer' | 'unexpected_answer';

export interface VezneErrorDetails {
  readonly status?: number | undefined;
  readonly retryable?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly fields?: VezneError['fields'] | undefined;
  readonly platform?: PlatformWords | undefined;
  readonly command?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A call failed. Neither the error nor its message, inspection output or JSON contains the API key or the input of the
 * call. Use `code` to tell errors apart.
 */
export class VezneError extends Error {
  override readonly name: string = 'VezneError';
  /** Stable. A newer Worker may use codes that this client does not know. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; undefined if no answer arrived. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later; repeat a write with the same `idempotencyKey`. */
  readonly retryable: boolean;
  /** Id of the request in the Worker's log. */
  readonly requestId: string | undefined;
  /** The invalid fields of the input, each with its dotted path. */
  readonly fields: readonly {readonly path: string; readonly message: string}[];
  /** Status and message that the payment platform sent, if it reported an error. */
  readonly platform: PlatformWords | undefined;
  /** With `outcome_unknown`: id in `commands.list`. The Worker checks this command until its outcome is known. */
  readonly command: string | undefined;
  /** The key of a write. A retry with this key never does the write twice. */
  readonly idempotencyKey: string | undefined;
  /** How long the Worker asks the client to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: VezneError['code'], description: string, details: VezneErrorDetails = {}) {
    super(`${code}: ${description}`, 'cause' in details ? {cause: details.cause} : undefined);
    this.code = code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.requestId = details.requestId;
    this.fields = details.fields ?? [];
    this.platform = details.platform;
    this.command = details.command;
    this.idempotencyKey = details.idempotencyKey;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/**
 * No readable answer arrived, so the outcome of a write is unknown. The same call with the same `idempotencyKey`
 * returns the outcome and never does the write twice. `code` is `connection_failed`, `timed_out` or
 * `unreadable_answer`.
 */
export class VezneConnectionError extends VezneError {
  override readonly name: string = 'VezneConnectionError';

  constructor(code: Exclude<ClientErrorCode, 'unexpected_answer'>, sentence: string, details: VezneErrorDetails = {}) {
    super(code, sentence, {retryable: true, ...details});
  }
}

/**
 * - `header_missing`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing, or appears more than once.
 * - `timestamp_invalid`: the timestamp is not a whole number of seconds.
 * - `too_old`, `too_new`: the timestamp differs from the current time by more than the allowed tolerance.
 * - `signature_invalid`: the webhook was signed with another secret, or its content changed after it was signed.
 * - `body_unreadable`: the signature is valid, but the body is not a JSON object.
 */
export type WebhookErrorCode =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'too_old'
  | 'too_new'
  | 'signature_invalid'
  | 'body_unreadable';

/** The webhook is not from the Worker, or it is no longer valid. Answer 400 and do nothing else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, description: string) {
    super(`${code}: ${description}`);
    this.code = code;
  }
}
