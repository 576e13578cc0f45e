/** Time that passes when the test says so, for what waits long: timers, and the clock that only runs forward. */
interface Timer {
  readonly id: number;
  readonly delayMs: number;
  readonly dueMs: number;
  readonly run: () => void;
}

/** Shorter waits are the browser's own business. */
const LONG_MS = 500;

/** How long a request may take, and how long a list of banks is good for: no waits a test asks about. */
const BACKGROUND_MS = new Set([15_000, 300_000, 600_000]);

export class FakeTime {
  readonly #setTimeout = globalThis.setTimeout;
  readonly #clearTimeout = globalThis.clearTimeout;
  readonly #now = performance.now;
  #waiting: Timer[] = [];
  #ids = -1;
  #nowMs = 0;

  constructor() {
    performance.now = () => this.#now.call(performance) + this.#nowMs;
    globalThis.setTimeout = ((run: () => void, delayMs = 0) => {
      if (delayMs < LONG_MS) return this.#setTimeout.call(globalThis, run, delayMs);
      const id = this.#ids--;
      this.#waiting.push({id, delayMs, dueMs: this.#nowMs + delayMs, run});
      return id;
    }) as typeof setTimeout;
    globalThis.clearTimeout = ((id: number) => {
      if (id >= 0 || id === undefined) return this.#clearTimeout.call(globalThis, id);
      this.#waiting = this.#waiting.filter((each) => each.id !== id);
    }) as typeof clearTimeout;
  }

  /** How long each wait that is under way was to be, in milliseconds; deadlines of requests and the age of the banks left out. */
  get delays(): number[] {
    return this.#waiting.map(({delayMs}) => delayMs).filter((delayMs) => !BACKGROUND_MS.has(delayMs));
  }

  /** How much time has passed, in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Lets time pass until the next wait is over. */
  elapse(): void {
    const next = this.#next();
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    this.#end(next);
  }

  /** Ends the next wait a moment before its time, as timers may. */
  fireEarly(): void {
    this.#end(this.#next());
  }

  /** Ends all waits that were to be so long. */
  pass(delayMs: number): void {
    for (const each of this.#waiting.filter((waiting) => waiting.delayMs === delayMs)) this.#end(each);
  }

  /** Ends the deadlines of all requests. */
  expire(): void {
    this.pass(15_000);
  }

  release(): void {
    globalThis.setTimeout = this.#setTimeout;
    globalThis.clearTimeout = this.#clearTimeout;
    performance.now = this.#now;
  }

  #next(): Timer {
    const next = this.#waiting.filter(({delayMs}) => !BACKGROUND_MS.has(delayMs)).sort((a, b) => a.dueMs - b.dueMs)[0];
    if (!next) throw new Error('Nobody waits.');
    return next;
  }

  #end(waiting: Timer): void {
    this.#waiting = this.#waiting.filter((each) => each !== waiting);
    waiting.run();
  }
}

/** Has the shopper look at another tab, until they return. */
export function leaveTab(): () => void {
  setHidden(true);
  return () => setHidden(false);
}

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
}
