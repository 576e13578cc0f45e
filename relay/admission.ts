/**
 * Lets every envelope in once. What may still be in time is remembered; what is older than this process is refused, since
 * an earlier one may have let it in: a restart opens no window for replays.
 */

import type {Stamp, Refusal} from './protocol.ts';

/** How late an envelope may come: clocks differ, and networks take their time. */
export const BEHIND_MS = 30_000;
/** How far ahead of ours the Worker's clock may be. For so long after its start the relay lets nothing in. */
export const AHEAD_MS = 2_000;
/** More envelopes than these in half a minute are not the Worker's. */
const MOST_REMEMBERED = 200_000;

export class Admission {
  readonly #now: () => number;
  readonly #startedAt: number;
  #latest: number;
  /** Nonces in two generations: what was let in stays known for at least as long as it may come again. */
  #young = new Set<string>();
  #aged = new Set<string>();
  #turnAt: number;

  /** @param now epoch milliseconds; a clock that is set back counts as standing still. */
  constructor(now: () => number) {
    this.#now = now;
    this.#latest = this.#startedAt = now();
    this.#turnAt = this.#startedAt + BEHIND_MS + AHEAD_MS;
  }

  /** Null where the envelope is let in; from then on it is known. */
  admit({nonce, at}: Stamp): Refusal | null {
    const now = (this.#latest = Math.max(this.#latest, this.#now()));
    if (at > now + AHEAD_MS) return 'ahead';
    if (at < now - BEHIND_MS) return 'old';
    if (at <= this.#startedAt + AHEAD_MS) return 'started_since';
    this.#turn(now);
    if (this.#young.has(nonce) || this.#aged.has(nonce)) return 'repeated';
    if (this.#young.size >= MOST_REMEMBERED) return 'full';
    this.#young.add(nonce);
    return null;
  }

  #turn(now: number): void {
    if (now < this.#turnAt) return;
    this.#aged = this.#young;
    this.#young = new Set();
    this.#turnAt = now + BEHIND_MS + AHEAD_MS;
  }
}
