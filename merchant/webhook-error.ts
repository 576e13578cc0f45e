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
