/** Answers signed questions: forwards what it lets in, and says truly what became of it. It knows no HTTP server. */

import {Admission} from './admission.ts';
import type {Config} from './config.ts';
import {forward, sourcesTo, addressOf} from './forward.ts';
import {log} from './log.ts';
import {
  type Envelope,
  readEnvelope,
  readStamp,
  type Verdict,
  writeAbout,
  writeVerdict,
  type Key,
  type Purpose,
  sign,
  signerOf,
} from './protocol.ts';

/** Why a question is not answered under a signature: nobody is known to have asked it. */
export type Rejection = 'signature' | 'malformed';

export interface Reply {
  readonly bytes: Buffer;
  readonly signature: string;
}

/** Answers held in memory at once, all together. */
const MOST_HELD_BYTES = 64_000_000;
const TRY_AGAIN_MS = 2_000;
const BUSY_MS = 1_000;
/** A mistake in a configuration does not go away by itself. */
const MISTAKE_MS = 60_000;

export class Relay {
  readonly #config: Config;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #admission: Admission;
  #running = 0;
  #heldBytes = 0;

  /** @param now epoch milliseconds. */
  constructor(config: Config, now: () => number = Date.now) {
    this.#config = config;
    this.#now = now;
    this.#startedAt = now();
    this.#admission = new Admission(now);
  }

  /** Forwards an envelope and says how that ended. @param gone whoever asked is gone. */
  async forward(bytes: Buffer, signatures: string, gone: AbortSignal): Promise<Reply | Rejection> {
    const key = signerOf(signatures, this.#config.keys, 'forward', bytes);
    if (!key) return 'signature';
    const envelope = readEnvelope(bytes);
    if (!envelope) return 'malformed';
    const refusal = this.#admission.admit(envelope);
    const verdict: Verdict = refusal ? {outcome: 'unknown', reason: refusal} : await this.#send(envelope, gone);
    if (refusal) log('refused', {reason: refusal});
    return signed(key, envelope.nonce, writeVerdict(verdict));
  }

  /** Says where calls leave from, and what time it is here. Nothing happens by it, so that it may be asked again. */
  async about(bytes: Buffer, signatures: string): Promise<Reply | Rejection> {
    const key = signerOf(signatures, this.#config.keys, 'about', bytes);
    if (!key) return 'signature';
    const stamp = readStamp(bytes);
    if (!stamp) return 'malformed';
    const {source, address, bases} = this.#config;
    const sources = source === null ? await sourcesTo(bases.values()) : [source];
    return signed(key, stamp.nonce, writeAbout({now: this.#now(), startedAt: this.#startedAt, sources, address}));
  }

  async #send(
    {base, method, path, headers, body, deadlineMs, maxReplyBytes}: Envelope,
    gone: AbortSignal,
  ): Promise<Verdict> {
    const from = this.#config.bases.get(base);
    const url = from && addressOf(from, path);
    if (!url) return refused(base, from ? 'address' : 'base');
    if (!Object.keys(headers).every((name) => this.#config.headers.has(name))) return refused(base, 'header');
    if (this.#running >= this.#config.concurrency) return refused(base, 'busy', BUSY_MS);
    this.#running += 1;
    let held = 0;
    const takes = (count: number) => {
      held += count;
      this.#heldBytes += count;
      return held <= maxReplyBytes && this.#heldBytes <= MOST_HELD_BYTES;
    };
    const startedAt = performance.now();
    try {
      const forwarded = await forward({
        url,
        method,
        headers,
        body,
        deadlineMs,
        takes,
        source: this.#config.source,
        gone,
      });
      const told = {base, method, outcome: forwarded.outcome, duration_ms: Math.round(performance.now() - startedAt)};
      switch (forwarded.outcome) {
        case 'answered':
          log('forwarded', {...told, status: forwarded.status});
          return forwarded;
        case 'unknown':
          log('forwarded', {...told, reason: forwarded.reason});
          return forwarded;
        case 'unsent':
          log('forwarded', {...told, reason: forwarded.reason, ...(forwarded.code && {error: forwarded.code})});
          return {outcome: 'unsent', reason: forwarded.reason, retryAfterMs: TRY_AGAIN_MS};
      }
    } finally {
      this.#running -= 1;
      this.#heldBytes -= held;
    }
  }
}

function refused(base: string, reason: 'busy' | 'address' | 'header' | 'base', retryAfterMs = MISTAKE_MS): Verdict {
  log('refused', {base, reason});
  return {outcome: 'unsent', reason, retryAfterMs};
}

function signed(key: Key, nonce: string, bytes: Buffer): Reply {
  const purpose: Purpose = `reply ${nonce}`;
  return {bytes, signature: sign(key, purpose, bytes)};
}
