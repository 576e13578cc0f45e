/** Fake time for tests with long delays. It controls `setTimeout` and `performance.now()`. Short timers stay real. */

interface Timer {
  readonly id: number;
  readonly delayMs: number;
  readonly dueMs: number;
  readonly run: () => void;
}

/** Timers with a shorter delay stay real. */
const LONG_MS = 500;

/**
 * The delays of timers that tests do not check: request timeouts, the wait before the payment notice, and the time
 * until the bank list is stale.
 */
const BACKGROUND_MS = new Set([15_000, 300_000, 600_000]);

export class FakeTime {
  /**
   * The ids of fake timers are negative, so that they differ from the browser's own ids. No two fake times share an id:
   * what an earlier test has left in the page would stop a timer of a later test.
   */
  static #nextId = -1;
  readonly #setTimeout = globalThis.setTimeout;
  readonly #clearTimeout = globalThis.clearTimeout;
  readonly #now = performance.now;
  #timers: Timer[] = [];
  #nowMs = 0;

  constructor() {
    performance.now = () => this.#now.call(performance) + this.#nowMs;
    globalThis.setTimeout = ((run: () => void, delayMs = 0) => {
      if (delayMs < LONG_MS) return this.#setTimeout.call(globalThis, run, delayMs);
      const id = FakeTime.#nextId--;
      this.#timers.push({id, delayMs, dueMs: this.#nowMs + delayMs, run});
      return id;
    }) as typeof setTimeout;
    globalThis.clearTimeout = ((id: number) => {
      if (id >= 0 || id === undefined) return this.#clearTimeout.call(globalThis, id);
      this.#timers = this.#timers.filter((timer) => timer.id !== id);
    }) as typeof clearTimeout;
  }

  /** The delays of all pending timers in milliseconds, except the delays in `BACKGROUND_MS`. */
  get delays(): number[] {
    return this.#timers.map(({delayMs}) => delayMs).filter((delayMs) => !BACKGROUND_MS.has(delayMs));
  }

  /** The elapsed fake time in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Lets time pass until the next timer is due, and fires this timer. */
  elapse(): void {
    const next = this.#next();
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    this.#fire(next);
  }

  /** Fires the next timer although no time has passed, because real timers may also fire slightly early. */
  fireEarly(): void {
    this.#fire(this.#next());
  }

  /** Fires all timers with this delay. */
  pass(delayMs: number): void {
    for (const timer of this.#timers.filter((pending) => pending.delayMs === delayMs)) this.#fire(timer);
  }

  /** Fires the timeouts of all requests. */
  expire(): void {
    this.pass(15_000);
  }

  release(): void {
    globalThis.setTimeout = this.#setTimeout;
    globalThis.clearTimeout = this.#clearTimeout;
    performance.now = this.#now;
  }

  #next(): Timer {
    const next = this.#timers.filter(({delayMs}) => !BACKGROUND_MS.has(delayMs)).sort((a, b) => a.dueMs - b.dueMs)[0];
    if (!next) throw new Error('There is no pending timer.');
    return next;
  }

  #fire(timer: Timer): void {
    this.#timers = this.#timers.filter((pending) => pending !== timer);
    timer.run();
  }
}

/** The page's clocks, `Date.now()` and `performance.now()`. They run, and a test can put them forward. Timers stay real. */
export class Clocks {
  readonly #dateNow = Date.now;
  readonly #now = performance.now;
  #aheadMs = 0;

  constructor() {
    Date.now = () => this.#dateNow.call(Date) + this.#aheadMs;
    performance.now = () => this.#now.call(performance) + this.#aheadMs;
  }

  putForward(ms: number): void {
    this.#aheadMs += ms;
  }

  release(): void {
    Date.now = this.#dateNow;
    performance.now = this.#now;
  }
}

/** Hides the page, as if the shopper had switched to another tab. @returns A function that shows the page again. */
export function leaveTab(): () => void {
  setHidden(true);
  return () => setHidden(false);
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
}
