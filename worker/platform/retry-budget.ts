/**
 * Bounds retries to a tenth of the calls, so that an outage is not made worse by those who wait for its end.
 * Every call earns a tenth of a retry; a few are kept for a quiet time. It begins with two, as many as one call can
 * use: a shop whose isolate just woke has not earned any, and its first shopper is owed them as much as the hundredth.
 */
const AT_FIRST = 2;
const EARNED_BY_A_CALL = 0.1;
const MOST_KEPT = 10;

export class RetryBudget {
  #balance = AT_FIRST;

  earn(): void {
    this.#balance = Math.min(this.#balance + EARNED_BY_A_CALL, MOST_KEPT);
  }

  /** Takes one retry; false where none is left. */
  take(): boolean {
    // Tenths do not add up to exactly one.
    if (this.#balance < 1 - 1e-9) return false;
    this.#balance -= 1;
    return true;
  }
}
