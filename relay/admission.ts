/**
 * Lets every envelope in once. What may still be in time is remembered; what is older than this process is refused, since
 * an earlier one may have let it in: a restart opens no window for replays.
 */

import type {Stamp, AdmissionRefusal} from './protocol.ts';

/** How late an envelope may come: clocks differ, and networks take their time. */
export const MAX_AGE_MS = 30_000;
/** How far ahead of ours the Worker's clock may be. For so long after its start the relay lets nothing in. */
export const MAX_AHEAD_MS = 2_000;
/** More envelopes than these in half a minute are not the Worker's. */
const MAX_NONCES = 200_000;

export class Admission {
  readonly #now: () => number;
  readonly #startedAt: number;
  #latestNow: number;
  /** Nonces in two generations: what was let in stays known for at least as long as it may come again. */
  #currentNonces = new Set<string>();
  #previousNonces = new Set<string>();
  #rotateAt: number;

  /** @param now epoch milliseconds; a clock that is set back counts as standing still. */
  constructor(now: () => number) {
    this.#now = now;
    this.#latestNow = this.#startedAt = now();
    this.#rotateAt = this.#startedAt + MAX_AGE_MS + MAX_AHEAD_MS;
  }

  /** Null where the envelope is let in; from then on it is known. */
  admit({nonce, at}: Stamp): AdmissionRefusal | null {
    const now = (this.#latestNow = Math.max(this.#latestNow, this.#now()));
    if (at > now + MAX_AHEAD_MS) return 'ahead';
    if (at < now - MAX_AGE_MS) return 'old';
    if (at <= this.#startedAt + MAX_AHEAD_MS) return 'started_since';
    this.#rotate(now);
    if (this.#currentNonces.has(nonce) || this.#previousNonces.has(nonce)) return 'repeated';
    if (this.#currentNonces.size >= MAX_NONCES) return 'full';
    this.#currentNonces.add(nonce);
    return null;
  }

  #rotate(now: number): void {
    if (now < this.#rotateAt) return;
    this.#previousNonces = this.#currentNonces;
    this.#currentNonces = new Set();
    this.#rotateAt = now + MAX_AGE_MS + MAX_AHEAD_MS;
  }
}
