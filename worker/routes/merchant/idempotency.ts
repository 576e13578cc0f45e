/** Writes happen once under their `Idempotency-Key`, however often and however many at once ask. */

import {waitUntil} from 'cloudflare:workers';
import {ERROR_KINDS, type ErrorCode} from '../../contract/codes.ts';
import {ApiError} from '../../http/errors.ts';
import {describeError, log} from '../../lib/log.ts';
import type {BeginResult, StoredAnswer, Ledger} from '../../objects/commands/idempotency-ledger.ts';
import type {RouteContext} from '../route.ts';

/** HTTP status of what will be done another day. */
const QUEUED_STATUS = 202;

/** The request's key. @throws {ApiError} `idempotency_key_missing`, or `invalid_request` for one that is none. */
export function requireIdempotencyKey(request: Request): string {
  const key = request.headers.get('idempotency-key');
  if (key === null || key === '') throw new ApiError('idempotency_key_missing');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError('invalid_request', {
    status: 400,
    fields: [{path: 'Idempotency-Key', message: 'Up to 255 visible ASCII characters are expected.'}],
  });
}

export interface IdempotentWrite {
  readonly key: string;
  /** Of what is asked for, so that a key cannot be used for anything else. */
  readonly fingerprint: string;
  /** Whether performing it again under its id does nothing again, and tells what became of it. */
  readonly resumable: boolean;
}

/**
 * Performs a write unless its key was used: then the earlier answer is given again, status and body. An attempt
 * that was cut off, or whose outcome is open, is never made again under its key; what is resumable is asked what became of it.
 * @param run gets an id of the write that stays the same for as long as the key counts.
 * @throws {ApiError}
 */
export async function withIdempotency(
  write: IdempotentWrite,
  {objects, requestId}: RouteContext,
  run: (writeId: string) => Promise<Response>,
): Promise<Response> {
  const ledger = await objects.ledger(write.key);
  const begun = await beginAttempt(ledger, write);
  switch (begun.state) {
    case 'reused':
      throw new ApiError('idempotency_key_reused');
    case 'running':
      throw new ApiError('in_progress', begun);
    case 'interrupted':
      throw new ApiError('outcome_unknown');
    case 'answered':
      return replayAnswer(begun.answer);
    case 'begun': {
      const attempt = runAttempt({ledger, ...begun, resumable: write.resumable, requestId}, () => run(begun.writeId));
      // A caller that hangs up must not cut the write off from its record.
      waitUntil(attempt.catch(() => {}));
      return attempt;
    }
  }
}

/** Nothing was sent when this fails. */
async function beginAttempt(
  ledger: DurableObjectStub<Ledger>,
  {fingerprint, resumable}: IdempotentWrite,
): Promise<BeginResult> {
  try {
    return await ledger.begin(fingerprint, resumable);
  } catch (cause) {
    throw new ApiError('temporarily_unavailable', {cause, retryAfterSeconds: 1});
  }
}

interface WriteAttempt {
  readonly ledger: DurableObjectStub<Ledger>;
  readonly attempt: string;
  readonly resumable: boolean;
  readonly requestId: string;
}

async function runAttempt(
  {ledger, attempt, resumable, requestId}: WriteAttempt,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    const response = await run();
    // What is open stays open under its key: who asks again hears what became of it.
    if (!(resumable && response.status === QUEUED_STATUS))
      await recordInLedger(requestId, async () => ledger.finish(attempt, await toStoredAnswer(response.clone())));
    return response;
  } catch (error) {
    if (resumable && error instanceof ApiError && error.code === 'outcome_unknown') throw error;
    await recordInLedger(requestId, async () =>
      isFinal(error)
        ? ledger.finish(attempt, await toStoredAnswer(error.toMerchantResponse(requestId)))
        : ledger.release(attempt),
    );
    throw error;
  }
}

/** An attempt whose end could not be written down is answered all the same; asked again, its outcome is unknown. */
async function recordInLedger(requestId: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log('error', 'ledger_failed', {request_id: requestId, error: describeError(error)});
  }
}

/** Nothing was done, and that may be different when the same is asked again: after a while, or when the set-up was mended. */
const SETUP_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'platform_unauthorized',
  'platform_address_refused',
  'not_configured',
  'egress_unsafe',
  'unknown_service',
  'origin_not_allowed',
  'return_url_not_allowed',
]);

/** What is no `ApiError` is a fault of ours in a write that is ours alone: it may be begun anew. */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && !ERROR_KINDS[error.code].retryable && !SETUP_CODES.has(error.code);
}

async function toStoredAnswer(response: Response): Promise<StoredAnswer> {
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: await response.text(),
  };
}

function replayAnswer({status, contentType, body}: StoredAnswer): Response {
  return new Response(body, {
    status,
    headers: {'content-type': contentType, 'cache-control': 'no-store', 'idempotency-replayed': 'true'},
  });
}
