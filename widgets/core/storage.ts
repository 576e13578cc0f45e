const PREFIX = 'vezne ';

/** The values that could not be stored, by key. They are newer than the values in the browser's storage. */
const fallback = new Map<string, string>();

/**
 * One object in the browser's storage. With it, the shopper sees the same order code after a reload or in a new tab. If
 * storage is blocked or full, the object is kept in memory until the page closes.
 */
export class BrowserStorage<T extends object> {
  readonly #key: string;
  /** The value is parsed once for each text, because elements read it many times. */
  #lastText = '';
  #lastValue: Partial<T> = {};

  constructor(
    names: readonly string[],
    /** `localStorage` keeps the object for this browser, `sessionStorage` only while the tab is open. */
    readonly area: 'localStorage' | 'sessionStorage' = 'localStorage',
  ) {
    this.#key = PREFIX + names.join(' ');
  }

  /** The stored object. Validate every field: a shopper can edit the storage. */
  read(): Partial<T> {
    const text = this.#text() ?? '';
    if (text !== this.#lastText) {
      this.#lastText = text;
      this.#lastValue = {};
      try {
        Object.assign(this.#lastValue, JSON.parse(text));
      } catch {
        // A text that is no object stores nothing.
      }
    }
    return this.#lastValue;
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

  /** Whether the object survives when the page is closed. */
  get isKept(): boolean {
    return !fallback.has(this.#key);
  }

  #text(): string | null | undefined {
    const text = fallback.get(this.#key);
    try {
      return text ?? globalThis[this.area].getItem(this.#key);
    } catch {
      return undefined;
    }
  }
}
