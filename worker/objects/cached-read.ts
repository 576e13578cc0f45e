/**
 * Keeps in memory what an object read from its storage, because such a read takes longer than all other work of a short
 * request. The copy is never outdated: only the object itself writes its storage, it forgets the copy with each write,
 * and the runtime restarts an object whose write fails.
 */
export class CachedRead<T> {
  #copy: {readonly value: T} | null = null;

  /** @param read - Reads the value from storage. It must not wait for anything. */
  constructor(private readonly read: () => T) {}

  /** The value, which callers must not change. */
  get(): T {
    this.#copy ??= {value: this.read()};
    return this.#copy.value;
  }

  /** Runs a write that may change the value. It must not wait for anything. */
  write<R>(write: () => R): R {
    try {
      return write();
    } finally {
      this.forget();
    }
  }

  /** Drops the copy, so that the next `get` reads the value again. */
  forget(): void {
    this.#copy = null;
  }
}
