import {DurableObject} from 'cloudflare:workers';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {scheduleAlarm} from '../alarm.ts';

/** An answer as it was given, so that it can be given again. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type BeginResult =
  /** Nothing ran under this key: go ahead, and tell how it ended. */
  | {readonly state: 'begun'; readonly attempt: string; readonly writeId: string}
  | {readonly state: 'answered'; readonly answer: StoredAnswer}
  | {readonly state: 'running'; readonly retryAfterSeconds: number}
  /** The key belongs to another request. */
  | {readonly state: 'reused'}
  /** An attempt began and never told how it ended. */
  | {readonly state: 'interrupted'};

interface LedgerEntry {
  readonly fingerprint: string;
  /** Of the write, whatever attempts are made at it. */
  readonly writeId: string;
  /** Those that may still run, the newest first; at least that one. */
  readonly attempts: readonly [LedgerAttempt, ...LedgerAttempt[]];
  readonly answer: StoredAnswer | null;
}

interface LedgerAttempt {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly begunAt: number;
}

const RETENTION_MS = 72 * HOUR_MS;
/** Longer than any call of ours may take: an attempt that is silent for so long was cut off. */
const MAX_ATTEMPT_MS = MINUTE_MS;

/**
 * What became of the write with one `Idempotency-Key`; one object a key. What began is written down before
 * anything is sent, so that a write whose end nobody told is never done again under its key.
 */
export class Ledger extends DurableObject<Env> {
  /**
   * Begins an attempt, or says what became of the earlier one.
   * @param fingerprint of the request: what, and with which input.
   * @param resumable whether another attempt under the same `writeId` does nothing twice and hears what became of it:
   * then nobody waits for an attempt that may have been cut off.
   */
  async begin(fingerprint: string, resumable: boolean): Promise<BeginResult> {
    const now = Date.now();
    const entry = this.#entry(now);
    if (!entry) return this.#startAttempt({fingerprint, writeId: crypto.randomUUID()}, [], now);
    if (entry.fingerprint !== fingerprint) return {state: 'reused'};
    if (entry.answer) return {state: 'answered', answer: entry.answer};
    const running = entry.attempts.filter(({begunAt}) => now < begunAt + MAX_ATTEMPT_MS);
    if (resumable) return this.#startAttempt(entry, running, now);
    return running.length > 0 ? {state: 'running', retryAfterSeconds: 1} : {state: 'interrupted'};
  }

  /** Keeps the answer for later requests with the key. */
  finish(attempt: string, answer: StoredAnswer): void {
    const entry = this.#entry(Date.now());
    if (entry?.answer === null && entry.attempts.some(({id}) => id === attempt))
      this.ctx.storage.kv.put<LedgerEntry>('entry', {...entry, answer});
  }

  /**
   * The attempt changed nothing and may be made again under the key. While others may be on their way, the write keeps
   * its id: under another it would be done beside theirs.
   */
  async release(attempt: string): Promise<void> {
    const entry = this.#entry(Date.now());
    if (entry?.attempts.length === 1 && entry.attempts[0].id === attempt) await this.#delete();
  }

  override async alarm(): Promise<void> {
    await this.#delete();
  }

  async #startAttempt(
    {fingerprint, writeId}: Pick<LedgerEntry, 'fingerprint' | 'writeId'>,
    running: readonly LedgerAttempt[],
    now: number,
  ): Promise<BeginResult> {
    const attempt = crypto.randomUUID();
    this.ctx.storage.kv.put<LedgerEntry>('entry', {
      fingerprint,
      writeId,
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

  /** An object whose last key was deleted still takes 12 kB: only `deleteAll` ends it. */
  async #delete(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }
}
