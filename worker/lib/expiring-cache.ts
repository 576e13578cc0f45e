interface Entry<T> {
  readonly value: T;
  readonly storedAt: number;
  readonly until: number;
}

/** Keeps values in memory for a short time, and never more than a fixed number of them. */
export class ExpiringCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  constructor(private readonly options: {readonly maxEntries: number; readonly maxAgeMs: number}) {}

  /** @returns the value; undefined if it is not stored, is older than `maxAgeMs`, or if its `until` has passed. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const now = Date.now();
    const ageMs = now - entry.storedAt;
    // If the clock was set back, the age is negative.
    if (now < entry.until && ageMs >= 0 && ageMs < this.options.maxAgeMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Stores a value. If the cache is full, drops the oldest value. @param until - Epoch milliseconds. */
  set(key: string, value: T, until: number): void {
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= this.options.maxEntries) this.#entries.delete(oldest);
    this.#entries.set(key, {value, storedAt: Date.now(), until});
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
