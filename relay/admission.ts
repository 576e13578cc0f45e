/**
 * Admits every envelope at most once. The relay remembers each admitted envelope until it is too old to be admitted
 * again. It refuses envelopes that are older than its own process, because an earlier process may have admitted them.
 * So an attacker cannot use a restart to replay envelopes.
 */

import type {Stamp, AdmissionRefusal} from './protocol.ts';

/** Maximum age of an envelope when it arrives. It allows for clocks that differ and for slow networks. */
export const MAX_AGE_MS = 30_000;
/**
 * Maximum time by which the Worker's clock may be ahead of the relay's clock. If the Worker's clock is ahead, an
 * envelope from before the start of the relay process may seem to be up to two seconds younger than the process. So the
 * relay also refuses the envelopes of its first two seconds, because an earlier process may have admitted them.
 */
export const MAX_AHEAD_MS = 2_000;
/**
 * Maximum number of nonces in a generation (see `Admission`). It is larger than the number of envelopes a Worker sends
 * in half a minute.
 */
const MAX_NONCES = 200_000;

export class Admission {
  readonly #now: () => number;
  readonly #startedAt: number;
  #latestNow: number;
  /** Two generations of nonces, so that the relay remembers each nonce until its envelope is too old to be admitted. */
  #currentNonces = new Set<string>();
  #previousNonces = new Set<string>();
  #rotateAt: number;

  /**
   * @param now - Epoch milliseconds. If the clock is set back, the relay uses the latest time it has seen until the
   * clock has passed that time again.
   */
  constructor(now: () => number) {
    this.#now = now;
    this.#latestNow = this.#startedAt = now();
    this.#rotateAt = this.#startedAt + MAX_AGE_MS + MAX_AHEAD_MS;
  }

  /** How much later a Worker with the same clock has to make an envelope that is admitted, in milliseconds. */
  startDelayMs({at}: Stamp): number {
    return this.#startedAt + MAX_AHEAD_MS + 1 - at;
  }

  /**
   * If the relay may admit the envelope, records its nonce and returns null. Otherwise returns the reason for the
   * refusal.
   */
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
