/**
 * Performs a write once per `Idempotency-Key`, even if it is requested several times, one after another or
 * concurrently.
 */

import {waitUntil} from 'cloudflare:workers';
import type {Config} from '../../config/config.ts';
import {ERROR_KINDS, type ErrorCode} from '../../contract/codes.ts';
import {ApiError, fieldError, orUnavailable} from '../../http/errors.ts';
import {openWithAny, type SealedText, sealText} from '../../lib/crypto.ts';
import {describeError, log} from '../../lib/log.ts';
import {isStoreRefused} from '../../objects/migrations.ts';
import type {StoredAnswer} from '../../objects/record/ledger.ts';
import type {Record as KeptRecord} from '../../objects/record/record.ts';
import type {RouteContext} from '../route.ts';

/** HTTP status for a command that waits until the platform's daily limit resets. */
const QUEUED_STATUS = 202;

/** Reads the request's key. @throws {ApiError} `idempotency_key_missing`, or `invalid_request` if it is malformed. */
export function requireIdempotencyKey(request: Request): string {
  const key = request.headers.get('idempotency-key');
  if (key === null || key === '') throw new ApiError('idempotency_key_missing');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw fieldError('invalid_request', 'Idempotency-Key', 'Expected up to 255 visible ASCII characters.', 400);
}

export interface IdempotentWrite {
  /**
   * The scope of the endpoint and the services of the caller's API key. The `Idempotency-Key` belongs to them, so other
   * servers can neither block nor read the write.
   */
  readonly scope: string;
  readonly key: string;
  /** Digest of the request, so that its key cannot be reused for a different request. */
  readonly fingerprint: string;
  /**
   * Whether the write may run again while its outcome is unknown. A command that is run again with the same id is not
   * repeated: the Worker reports its outcome. A session changes nothing.
   */
  readonly resumable: boolean;
  /** A field of the answer that is not stored; a replayed answer has null instead. */
  readonly shownOnce: string | null;
  /** The id of the API key of the server that asks. */
  readonly askedBy: string;
  /** Whether a stored answer is outdated, so that a repeated request gets a new answer; null for never. */
  readonly isOutdated: ((body: string) => boolean) | null;
}

/**
 * Performs a write, or replays the stored status and body if its key has been used. If an attempt was interrupted or
 * its outcome is unknown, a later request with the same key does not repeat the write. If the write is resumable, the
 * later request gets the outcome.
 * @param run - Performs the write. The function gets an id that stays the same while the key is valid. Its second
 * parameter says whether the function must only report the outcome of the write with this id.
 * @throws {ApiError}
 */
export async function withIdempotency(
  write: IdempotentWrite,
  {config, objects, requestId}: RouteContext,
  run: (writeId: string, isReplay: boolean) => Promise<Response>,
): Promise<Response> {
  const ledger = await objects.ledger(write.scope, write.key);
  const seal = answerSeal(write.key, config.sessionSecrets);
  const {fingerprint, resumable, askedBy} = write;
  // If this fails, nothing was sent to the platform.
  const started = await orUnavailable(() => ledger.beginWrite({fingerprint, resumable, askedBy}));
  switch (started.state) {
    case 'reused':
      throw new ApiError('idempotency_key_reused');
    case 'running':
      throw new ApiError('in_progress', started);
    case 'interrupted':
      throw new ApiError('outcome_unknown');
    case 'answered':
      return replayAnswer(
        started.answer,
        seal,
        write,
        () => run(started.writeId, true),
        async () => {
          const renewed = await run(started.writeId, false);
          await recordInLedger(requestId, async () =>
            ledger.renewAnswer(write.fingerprint, await toStoredAnswer(renewed.clone(), seal)),
          );
          return renewed;
        },
      );
    case 'begun': {
      const attempt = runAttempt({ledger, seal, ...started, ...write, requestId}, () => run(started.writeId, false));
      // The write and its record must complete even if the caller closes the connection.
      waitUntil(attempt.catch(() => {}));
      return attempt;
    }
  }
}

interface WriteAttempt {
  readonly ledger: DurableObjectStub<KeptRecord>;
  readonly seal: AnswerSeal;
  readonly attempt: string;
  readonly resumable: boolean;
  readonly shownOnce: string | null;
  readonly requestId: string;
}

async function runAttempt(
  {ledger, seal, attempt, resumable, shownOnce, requestId}: WriteAttempt,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    const response = await run();
    // A queued command has no final answer yet: the next request with this key reports its outcome.
    if (!(resumable && response.status === QUEUED_STATUS))
      await recordInLedger(requestId, async () =>
        ledger.finishWrite(attempt, await toStoredAnswer(response.clone(), seal, shownOnce)),
      );
    return response;
  } catch (error) {
    // The entry must stay if the command may have been sent, perhaps by an earlier attempt, because the entry's
    // `writeId` is the command's id.
    if (resumable && error instanceof ApiError && (error.code === 'outcome_unknown' || isStoreRefused(error.cause)))
      throw error;
    await recordInLedger(requestId, async () =>
      isFinal(error)
        ? ledger.finishWrite(attempt, await toStoredAnswer(error.toMerchantResponse(requestId), seal))
        : ledger.releaseWrite(attempt),
    );
    throw error;
  }
}

/** If the outcome cannot be stored, the caller still gets the answer, but a repeated request gets `outcome_unknown`. */
async function recordInLedger(requestId: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log('error', 'ledger_failed', {request_id: requestId, error: describeError(error)});
  }
}

/** Error codes for a wrong set-up. Nothing was done, and the same request may succeed after the set-up is fixed. */
const SETUP_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'platform_unauthorized',
  'platform_address_refused',
  'not_configured',
  'egress_unsafe',
  'unknown_service',
  'origin_not_allowed',
  'return_url_not_allowed',
]);

/**
 * Whether the error is stored as the final answer for its key. Errors that a later request may avoid are not stored.
 * Errors of other classes are not stored either: they are internal errors in writes that never reach the platform.
 */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && !ERROR_KINDS[error.code].retryable && !SETUP_CODES.has(error.code);
}

/**
 * Encrypts the bodies of stored answers. The encryption key is derived from the session secret and from the
 * `Idempotency-Key`, which is stored nowhere. Therefore what is stored reveals no number and no session token.
 */
function answerSeal(idempotencyKey: string, secrets: Config['sessionSecrets']) {
  const purpose = `answer\n${idempotencyKey}`;
  return {
    close: (body: string): Promise<SealedText> => sealText(secrets[0], purpose, body),
    /** Returns null if the session secret was rotated so often that no secret opens the body. */
    open: (body: SealedText): Promise<string | null> => openWithAny(secrets, purpose, body),
  };
}
type AnswerSeal = ReturnType<typeof answerSeal>;

/** @param shownOnce - The field that is left out. */
async function toStoredAnswer(
  response: Response,
  seal: AnswerSeal,
  shownOnce: string | null = null,
): Promise<StoredAnswer> {
  const body = await response.text();
  const stored = shownOnce === null ? body : JSON.stringify({...(JSON.parse(body) as object), [shownOnce]: null});
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: await seal.close(stored),
  };
}

/**
 * Repeats a stored answer, or renews it if it is outdated. If the session secret was replaced, the answer cannot be
 * opened. The `Commands` object stores the outcome of a command for longer than the `Idempotency-Key` is
 * valid, so a repeated command reports this outcome instead.
 * @throws {ApiError} `outcome_unknown` if the stored answer cannot be opened and no command with this key is stored; or
 * the reason why the answer cannot be renewed.
 */
async function replayAnswer(
  {status, contentType, body}: StoredAnswer,
  seal: AnswerSeal,
  {isOutdated, resumable}: IdempotentWrite,
  reportOutcome: () => Promise<Response>,
  renew: () => Promise<Response>,
): Promise<Response> {
  const text = await seal.open(body);
  if (text === null && !resumable) throw new ApiError('outcome_unknown');
  const response =
    text === null
      ? await reportOutcome()
      : status < 300 && isOutdated?.(text)
        ? await renew()
        : new Response(text, {status, headers: {'content-type': contentType, 'cache-control': 'no-store'}});
  response.headers.set('idempotency-replayed', 'true');
  return response;
}
