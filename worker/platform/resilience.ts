/** Limits calls to a platform that is failing: the circuit breakers and the retry budget of one isolate. */

import {sumOf} from '../lib/sum.ts';

const WINDOW_S = 30;
const MIN_CALLS = 10;
export const PROBE_AFTER_MS = 15_000;
/** Longest suggested delay while a probe is running, because the probe's result will be known soon. */
const PROBE_RESULT_MS = 2_000;

/** Permission to make one call. After the call, the caller passes it to `record` together with the outcome. */
export interface CircuitPermit {
  readonly probe: boolean;
  /** When the permit was acquired, epoch milliseconds. */
  readonly at: number;
  /** How often the circuit had opened or closed by that time. Outcomes of calls from before a change are ignored. */
  readonly generation: number;
}

/**
 * Stops calls to an interface or operation that fails. The circuit opens when a call fails, if there were ten or more
 * calls within 30 s and at least half of them failed. While the circuit is open, one call every 15 s is allowed as a
 * probe. The circuit closes when a probe succeeds.
 */
export class CircuitBreaker {
  /** How many calls ended and how many of them failed, one entry per second of the last 30 s. */
  #seconds: {readonly second: number; calls: number; failed: number}[] = [];
  #generation = 0;
  /** When the next probe may start, epoch milliseconds; null while the circuit is closed. */
  #probeAt: number | null = null;
  #probing = false;

  constructor(private readonly now: () => number) {}

  get open(): boolean {
    return this.#probeAt !== null;
  }

  /** How long a call has to wait for a permit; 0 if it gets one now. */
  get retryAfterMs(): number {
    const waitMs = Math.max(0, (this.#probeAt ?? 0) - this.now());
    return this.#probing ? Math.min(waitMs, PROBE_RESULT_MS) : waitMs;
  }

  /** Returns a permit to call. Call this only if `retryAfterMs` is 0. While the circuit is open, the permit is a probe. */
  acquire(): CircuitPermit {
    const now = this.now();
    if (this.#probeAt === null) return {probe: false, at: now, generation: this.#generation};
    this.#probeAt = now + PROBE_AFTER_MS;
    this.#probing = true;
    return {probe: true, at: now, generation: this.#generation};
  }

  /**
   * Records a call's outcome. Returns whether the outcome opened or closed the circuit; null if the circuit did not
   * change.
   * @param relayDelayMs - If the call did not get to the platform, when it may be repeated; it is not counted.
   */
  record({probe, at, generation}: CircuitPermit, failed: boolean, relayDelayMs = 0): 'opened' | 'closed' | null {
    if (generation !== this.#generation) return null;
    if (probe) {
      this.#probing = false;
      if (relayDelayMs) this.#probeAt = this.now() + Math.min(relayDelayMs, PROBE_AFTER_MS);
      return failed ? null : this.#close();
    }
    if (relayDelayMs) return null;
    this.#count(failed);
    const calls = sumOf(this.#seconds, (second) => second.calls);
    const failures = sumOf(this.#seconds, (second) => second.failed);
    return failed && calls >= MIN_CALLS && failures * 2 >= calls ? this.#open(at) : null;
  }

  #count(failed: boolean): void {
    const second = Math.floor(this.now() / 1000);
    this.#seconds = this.#seconds.filter((counted) => counted.second > second - WINDOW_S);
    let last = this.#seconds.at(-1);
    if (last?.second !== second) this.#seconds.push((last = {second, calls: 0, failed: 0}));
    last.calls += 1;
    if (failed) last.failed += 1;
  }

  /**
   * @param at - When the last failed call was sent. The delay before the first probe starts at this time, and not when
   * the call failed, because the failure of a call that hung for long says little about the present.
   */
  #open(at: number): 'opened' {
    this.#generation += 1;
    this.#probeAt = at + PROBE_AFTER_MS;
    return 'opened';
  }

  #close(): 'closed' {
    this.#generation += 1;
    this.#probeAt = null;
    this.#seconds = [];
    return 'closed';
  }
}

const INITIAL_BALANCE = 2;
const EARNED_PER_CALL = 0.1;
const MAX_BALANCE = 10;

/**
 * Limits retries to a tenth of the calls, so that retries do not make an outage worse. Every call earns a tenth of a
 * retry, and up to ten retries can be saved. The balance starts at two retries, which is as many as one call can use.
 * Otherwise the first calls of a new isolate could not be retried.
 */
export class RetryBudget {
  #balance = INITIAL_BALANCE;

  earn(): void {
    this.#balance = Math.min(this.#balance + EARNED_PER_CALL, MAX_BALANCE);
  }

  /** Takes one retry from the balance; returns false when no retry is left. */
  spend(): boolean {
    // In floating point, ten tenths do not add up to exactly one.
    if (this.#balance < 1 - 1e-9) return false;
    this.#balance -= 1;
    return true;
  }
}
