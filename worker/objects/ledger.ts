import {DurableObject} from 'cloudflare:workers';
import type {Env} from '../env.ts';

/** An answer as it was given, so that it can be given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type Begun =
  /** Nothing ran under this key: go ahead, and tell how it ended. */
  | {readonly state: 'begun'; readonly attempt: string; readonly writeId: string}
  | {readonly state: 'answered'; readonly answer: KeptAnswer}
  | {readonly state: 'running'; readonly retryAfterSeconds: number}
  /** The key belongs to another request. */
  | {readonly state: 'reused'}
  /** An attempt began and never told how it ended. */
  | {readonly state: 'interrupted'};

interface Entry {
  readonly fingerprint: string;
  /** Of the write, whatever attempts are made at it. */
  readonly writeId: string;
  readonly attempt: string;
  /** Epoch milliseconds, as `runsUntil`: when an attempt that told no end was cut off. */
  readonly begunAt: number;
  readonly runsUntil: number;
  readonly answer: KeptAnswer | null;
}

const KEPT_MS = 72 * 60 * 60_000;
/** Longer than any call of ours may take: an attempt that is silent for so long was cut off. */
const LONGEST_ATTEMPT_MS = 60_000;

/**
 * What became of the write with one `Idempotency-Key`; one object a key. What began is written down before
 * anything is sent, so that a write whose end nobody told is never done again under its key.
 */
export class Ledger extends DurableObject<Env> {
  /**
   * Begins an attempt, or says what became of the earlier one.
   * @param fingerprint of the request: what, and with which input.
   * @param resumable whether another attempt at the same write does nothing twice.
   */
  async begin(fingerprint: string, resumable: boolean): Promise<Begun> {
    const now = Date.now();
    const entry = this.#entry(now);
    if (!entry) {
      const begun = this.#attempt({fingerprint, writeId: crypto.randomUUID(), begunAt: now}, now);
      await this.ctx.storage.setAlarm(now + KEPT_MS);
      return begun;
    }
    if (entry.fingerprint !== fingerprint) return {state: 'reused'};
    if (entry.answer) return {state: 'answered', answer: entry.answer};
    if (now < entry.runsUntil) return {state: 'running', retryAfterSeconds: 1};
    return resumable ? this.#attempt(entry, now) : {state: 'interrupted'};
  }

  /** The attempt ended without an end: who asks next is told by another one what became of the write. */
  pause(attempt: string): void {
    const entry = this.#entry(Date.now());
    if (entry?.attempt === attempt) this.ctx.storage.kv.put<Entry>('entry', {...entry, runsUntil: 0});
  }

  /** Keeps the answer for later requests with the key. */
  finish(attempt: string, answer: KeptAnswer): void {
    const entry = this.#entry(Date.now());
    if (entry?.attempt === attempt) this.ctx.storage.kv.put<Entry>('entry', {...entry, answer});
  }

  /** The attempt changed nothing and may be made again under the key. */
  async release(attempt: string): Promise<void> {
    if (this.#entry(Date.now())?.attempt === attempt) await this.#forget();
  }

  override async alarm(): Promise<void> {
    await this.#forget();
  }

  #attempt({fingerprint, writeId, begunAt}: Pick<Entry, 'fingerprint' | 'writeId' | 'begunAt'>, now: number): Begun {
    const attempt = crypto.randomUUID();
    this.ctx.storage.kv.put<Entry>('entry', {fingerprint, writeId, attempt, begunAt, runsUntil: now + LONGEST_ATTEMPT_MS, answer: null});
    return {state: 'begun', attempt, writeId};
  }

  #entry(now: number): Entry | undefined {
    const entry = this.ctx.storage.kv.get<Entry>('entry');
    return entry && now < entry.begunAt + KEPT_MS ? entry : undefined;
  }

  async #forget(): Promise<void> {
    this.ctx.storage.kv.delete('entry');
    await this.ctx.storage.deleteAlarm();
  }
}
