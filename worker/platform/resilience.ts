/** Keeps an outage of the platform from getting worse: the circuit breaker and the retry budget of one isolate. */

const WINDOW_S = 30;
const MIN_CALLS = 10;
export const PROBE_AFTER_MS = 15_000;
/** While a probe is under way its end is worth waiting for. */
const PROBE_RESULT_MS = 2_000;

/** Leave to make one call; it comes back with how the call ended. */
export interface CircuitPermit {
  readonly probe: boolean;
  /** When it was given, epoch milliseconds. */
  readonly at: number;
  /** Counts how often the breaker turned: what began before a turn says nothing about after it. */
  readonly generation: number;
}

/**
 * Leaves a failing platform alone: opens when at least half of ten or more calls in 30 s failed, and then lets one call
 * through every 15 s until one succeeds.
 */
export class CircuitBreaker {
  /** Calls that ended, by the second: at most as many as the window has. */
  #seconds: {readonly second: number; calls: number; failed: number}[] = [];
  #generation = 0;
  /** While open: when the next call may probe. */
  #probeAt: number | null = null;
  #probing = false;

  constructor(private readonly now: () => number) {}

  get open(): boolean {
    return this.#probeAt !== null;
  }

  /** Leave to call, or how long to wait for it. While open, one call gets leave every 15 s. */
  tryAcquire(): CircuitPermit | {readonly retryAfterMs: number} {
    const now = this.now();
    if (this.#probeAt === null) return {probe: false, at: now, generation: this.#generation};
    if (now < this.#probeAt)
      return {retryAfterMs: Math.min(this.#probeAt - now, this.#probing ? PROBE_RESULT_MS : Infinity)};
    this.#probeAt = now + PROBE_AFTER_MS;
    this.#probing = true;
    return {probe: true, at: now, generation: this.#generation};
  }

  /** Notes how a call ended; tells whether the breaker opened or closed by it. */
  record({probe, at, generation}: CircuitPermit, failed: boolean): 'opened' | 'closed' | null {
    if (generation !== this.#generation) return null;
    if (probe) {
      this.#probing = false;
      return failed ? null : this.#close();
    }
    this.#count(failed);
    const calls = this.#seconds.reduce((sum, second) => sum + second.calls, 0);
    const failures = this.#seconds.reduce((sum, second) => sum + second.failed, 0);
    return calls >= MIN_CALLS && failures * 2 >= calls ? this.#open(at) : null;
  }

  #count(failed: boolean): void {
    const second = Math.floor(this.now() / 1000);
    this.#seconds = this.#seconds.filter((counted) => counted.second > second - WINDOW_S);
    let last = this.#seconds.at(-1);
    if (last?.second !== second) this.#seconds.push((last = {second, calls: 0, failed: 0}));
    last.calls += 1;
    if (failed) last.failed += 1;
  }

  /** @param at when the last call was sent. One that hung for long says little about now: the probe comes the sooner. */
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
 * Bounds retries to a tenth of the calls, so that those who wait for the end of an outage do not make it worse. Every call
 * earns a tenth of a retry; a few are kept for a quiet time. It begins with two, as many as one call can use: an isolate
 * that just started has not earned any, and its first shopper needs them as much as the hundredth.
 */
export class RetryBudget {
  #balance = INITIAL_BALANCE;

  earn(): void {
    this.#balance = Math.min(this.#balance + EARNED_PER_CALL, MAX_BALANCE);
  }

  /** Takes one retry; false where none is left. */
  spend(): boolean {
    // Tenths do not add up to exactly one.
    if (this.#balance < 1 - 1e-9) return false;
    this.#balance -= 1;
    return true;
  }
}
