import type {ErrorCode, PlatformWords} from './contract.ts';

/**
 * What the client itself says:
 * - `connection_failed`: no connection, or it broke before all of the answer was there.
 * - `timed_out`: no answer within the time of the call.
 * - `unreadable_answer`: it was carried out, and what it answered is no JSON.
 * - `unexpected_answer`: something between here and the Worker answered in its place, or the address is not a Worker's. With
 *   a `status` from 500 on it is not known either whether a write was done.
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
 * A call did not succeed. Neither it nor what is made of it (message, inspection, JSON) holds the API key or what was
 * sent. Tell errors apart by `code`.
 */
export class VezneError extends Error {
  override readonly name: string = 'VezneError';
  /** Stable. A newer Worker may use codes that this client does not know. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** Whether the same call, a write under the same `idempotencyKey`, may succeed later. */
  readonly retryable: boolean;
  /** Names the request in the Worker's log. */
  readonly requestId: string | undefined;
  /** What is wrong with the input, by dotted path. */
  readonly fields: readonly {readonly path: string; readonly message: string}[];
  /** The payment platform's own words, where it said any. */
  readonly platform: PlatformWords | undefined;
  /** With `outcome_unknown`: which of `commands.list` it is, where it is looked for until it is known. */
  readonly command: string | undefined;
  /** The key of a write: ask again with it, and nothing happens twice. */
  readonly idempotencyKey: string | undefined;
  /** How long the Worker asks to wait, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: VezneError['code'], sentence: string, details: VezneErrorDetails = {}) {
    super(`${code}: ${sentence}`, 'cause' in details ? {cause: details.cause} : undefined);
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
 * No answer that could be read, so whether a write was done is not known: the same call under `idempotencyKey` finds
 * out and does nothing twice. `code` is `connection_failed`, `timed_out` or `unreadable_answer`.
 */
export class VezneConnectionError extends VezneError {
  override readonly name: string = 'VezneConnectionError';

  constructor(code: Exclude<ClientErrorCode, 'unexpected_answer'>, sentence: string, details: VezneErrorDetails = {}) {
    super(code, sentence, {retryable: true, ...details});
  }
}

/**
 * - `header_missing`: `webhook-id`, `webhook-timestamp` or `webhook-signature` is not there, or not once.
 * - `timestamp_invalid`: not whole seconds. `too_old`, `too_new`: further from now than is tolerated.
 * - `signature_invalid`: signed with another secret, or the body is not the one that was signed.
 * - `body_unreadable`: signed with the right secret, and no JSON object.
 */
export type WebhookErrorCode =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'too_old'
  | 'too_new'
  | 'signature_invalid'
  | 'body_unreadable';

/** A webhook is not from the Worker, or not to be taken any more: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, sentence: string) {
    super(`${code}: ${sentence}`);
    this.code = code;
  }
}
