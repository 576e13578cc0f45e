/** The write that has one `Idempotency-Key`, and its answer. The functions are pure. All times are epoch milliseconds. */

import type {SealedText} from '../../lib/crypto.ts';
import {MINUTE_MS} from '../../lib/durations.ts';

/** An answer as it was sent, so that it can be sent again. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  /**
   * The body, which may contain a number or a session token. Only a caller who sends the `Idempotency-Key` can decrypt
   * the body.
   */
  readonly body: SealedText;
}

export type BeginResult =
  /** The caller may run the write, and must call `finishWrite` or `releaseWrite`. */
  | {readonly state: 'begun'; readonly attempt: string; readonly writeId: string}
  | {readonly state: 'answered'; readonly writeId: string; readonly answer: StoredAnswer}
  | {readonly state: 'running'; readonly retryAfterSeconds: number}
  /** The key was used for a different request. */
  | {readonly state: 'reused'}
  /** An attempt began and never called `finishWrite` or `releaseWrite`. */
  | {readonly state: 'interrupted'};

export interface LedgerEntry {
  readonly kind: 'write';
  readonly fingerprint: string;
  /** The id of the write, shared by all its attempts. */
  readonly writeId: string;
  /** The API key of the server that sent the first request. */
  readonly askedBy: string;
  /** The newest attempt, then older attempts that may still be running. */
  readonly attempts: readonly [LedgerAttempt, ...LedgerAttempt[]];
  readonly answer: StoredAnswer | null;
}

interface LedgerAttempt {
  readonly id: string;
  readonly begunAt: number;
}

/** A request of a write. */
export interface WriteRequest {
  /** Digest of the request's operation and input. */
  readonly fingerprint: string;
  /**
   * Whether another attempt with the same `writeId` is harmless, because it only gets the outcome of the first attempt. If
   * so, a retry does not have to wait for an attempt that may have been interrupted.
   */
  readonly resumable: boolean;
  /** The API key of the server that asks. */
  readonly askedBy: string;
}

/** An attempt that has no result after this time was interrupted. This time is longer than any write takes. */
const MAX_ATTEMPT_MS = MINUTE_MS;

/** The entry with a new attempt, or why there is none. */
export function beginAttempt(
  entry: LedgerEntry | null,
  {fingerprint, resumable, askedBy}: WriteRequest,
  now: number,
): LedgerEntry | Exclude<BeginResult, {state: 'begun'}> {
  if (!entry) return withAttempt({fingerprint, askedBy, writeId: crypto.randomUUID()}, [], now);
  if (entry.fingerprint !== fingerprint) return {state: 'reused'};
  if (entry.answer) return {state: 'answered', writeId: entry.writeId, answer: entry.answer};
  const running = entry.attempts.filter(({begunAt}) => now < begunAt + MAX_ATTEMPT_MS);
  if (resumable) return withAttempt(entry, running, now);
  return running.length > 0 ? {state: 'running', retryAfterSeconds: 1} : {state: 'interrupted'};
}

function withAttempt(
  {fingerprint, writeId, askedBy}: Pick<LedgerEntry, 'fingerprint' | 'writeId' | 'askedBy'>,
  running: readonly LedgerAttempt[],
  now: number,
): LedgerEntry {
  const attempts: LedgerEntry['attempts'] = [{id: crypto.randomUUID(), begunAt: now}, ...running];
  return {kind: 'write', fingerprint, writeId, askedBy, attempts, answer: null};
}

/** Whether an answer of this attempt is the first one. */
export function isAnsweredBy({answer, attempts}: LedgerEntry, attempt: string): boolean {
  return answer === null && attempts.some(({id}) => id === attempt);
}

/**
 * Whether the key can be used again after this attempt, which changed nothing. While other attempts may be running, the
 * entry and its `writeId` stay. With a new id, a retry would do the write in addition to these attempts.
 */
export function isReleasedBy({attempts}: LedgerEntry, attempt: string): boolean {
  return attempts.length === 1 && attempts[0].id === attempt;
}
