/**
 * What this browser remembers, so that a reload or a closed tab brings the same code back. Where storage is
 * blocked, full or throws, the page remembers for as long as it lives.
 */
const PREFIX = 'vezne ';
const fallback = new Map<string, string>();

export class BrowserStorage<T extends object> {
  readonly #key: string;

  constructor(
    names: readonly string[],
    /** Where: in this browser, or for as long as the tab is open. */
    readonly area: 'localStorage' | 'sessionStorage' = 'localStorage',
  ) {
    this.#key = PREFIX + names.join(' ');
  }

  /** What was remembered; nothing of it can be relied on, for a shopper may change it. */
  read(): Partial<T> {
    try {
      const value: unknown = JSON.parse(this.#text() ?? '{}');
      return typeof value === 'object' && value !== null ? value : {};
    } catch {
      return {};
    }
  }

  write(change: Partial<T>): void {
    const text = JSON.stringify({...this.read(), ...change});
    try {
      globalThis[this.area].setItem(this.#key, text);
      fallback.delete(this.#key);
    } catch {
      fallback.set(this.#key, text);
    }
  }

  #text(): string | null | undefined {
    // Here only what could not be stored, and so is newer than what is.
    const text = fallback.get(this.#key);
    try {
      return text ?? globalThis[this.area].getItem(this.#key);
    } catch {
      return undefined;
    }
  }
}

/** Does what may be blocked, such as storage and beacons, and is no worse off when it is. */
export function ignoreErrors(what: () => unknown): void {
  try {
    what();
  } catch {
    // Then not.
  }
}
