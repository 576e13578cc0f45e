import type {SealedText} from '../../lib/crypto.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {scheduleAlarm} from '../alarm.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import {StoredObject} from '../stored-object.ts';

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
  /** The caller may run the write, and must call `finish` or `release`. */
  | {readonly state: 'begun'; readonly attempt: string; readonly writeId: string}
  | {readonly state: 'answered'; readonly writeId: string; readonly answer: StoredAnswer}
  | {readonly state: 'running'; readonly retryAfterSeconds: number}
  /** The key was used for a different request. */
  | {readonly state: 'reused'}
  /** An attempt began and never called `finish` or `release`. */
  | {readonly state: 'interrupted'};

interface LedgerEntry {
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
  /** Epoch milliseconds. */
  readonly begunAt: number;
}

const RETENTION_MS = 72 * HOUR_MS;
/** An attempt that has no result after this time was interrupted. This time is longer than any write takes. */
const MAX_ATTEMPT_MS = MINUTE_MS;

const LEDGER: StoreSchema = {name: 'ledger', createdOn: 'first key', steps: [NO_TABLES]};

/**
 * Records the write that has one `Idempotency-Key`, and the write's answer. There is one object per key. An attempt is
 * stored before anything is sent, so that a write whose end is unknown is never run again with its key.
 */
export class Ledger extends StoredObject {
  static override readonly schemas = [LEDGER];

  /**
   * Begins an attempt, or returns the state of an earlier attempt.
   * @param fingerprint - Digest of the request's operation and input.
   * @param resumable - Whether another attempt with the same `writeId` is harmless, because it only gets the outcome of
   * the first attempt. If so, a retry does not have to wait for an attempt that may have been interrupted.
   * @param askedBy - The API key of the server that asks.
   */
  async begin(fingerprint: string, resumable: boolean, askedBy: string): Promise<BeginResult> {
    const now = Date.now();
    const entry = this.#entry(now);
    if (!entry) return this.#startAttempt({fingerprint, writeId: crypto.randomUUID(), askedBy}, [], now);
    if (entry.fingerprint !== fingerprint) return {state: 'reused'};
    if (entry.answer) return {state: 'answered', writeId: entry.writeId, answer: entry.answer};
    const running = entry.attempts.filter(({begunAt}) => now < begunAt + MAX_ATTEMPT_MS);
    if (resumable) return this.#startAttempt(entry, running, now);
    return running.length > 0 ? {state: 'running', retryAfterSeconds: 1} : {state: 'interrupted'};
  }

  /** Stores the answer for later requests with the key. */
  finish(attempt: string, answer: StoredAnswer): void {
    const entry = this.#entry(Date.now());
    if (entry?.answer === null && entry.attempts.some(({id}) => id === attempt))
      this.ctx.storage.kv.put<LedgerEntry>('entry', {...entry, answer});
  }

  /** Replaces an answer that has become useless. The time at which the entry is deleted does not change. */
  renew(fingerprint: string, answer: StoredAnswer): void {
    const entry = this.#entry(Date.now());
    if (entry?.answer && entry.fingerprint === fingerprint)
      this.ctx.storage.kv.put<LedgerEntry>('entry', {...entry, answer});
  }

  /**
   * Allows the key to be used again, because the attempt changed nothing. While other attempts may be running, the
   * entry and its `writeId` stay. With a new id, a retry would do the write in addition to these attempts.
   */
  async release(attempt: string): Promise<void> {
    const entry = this.#entry(Date.now());
    if (entry?.attempts.length === 1 && entry.attempts[0].id === attempt) await this.#delete();
  }

  override async alarm(): Promise<void> {
    await this.#delete();
  }

  async #startAttempt(
    {fingerprint, writeId, askedBy}: Pick<LedgerEntry, 'fingerprint' | 'writeId' | 'askedBy'>,
    running: readonly LedgerAttempt[],
    now: number,
  ): Promise<BeginResult> {
    const attempt = crypto.randomUUID();
    this.versions.create(LEDGER);
    this.ctx.storage.kv.put<LedgerEntry>('entry', {
      fingerprint,
      writeId,
      askedBy,
      attempts: [{id: attempt, begunAt: now}, ...running],
      answer: null,
    });
    await scheduleAlarm(this.ctx.storage, now + RETENTION_MS);
    return {state: 'begun', attempt, writeId};
  }

  #entry(now: number): LedgerEntry | undefined {
    const entry = this.ctx.storage.kv.get<LedgerEntry>('entry');
    return entry && now < entry.attempts[0].begunAt + RETENTION_MS ? entry : undefined;
  }

  /** Uses `deleteAll`, because an object still takes 12 kB after its keys were deleted one by one. */
  async #delete(): Promise<void> {
    await this.versions.erase();
  }
}
