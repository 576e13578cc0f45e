/**
 * Returns a function that builds a value at its first call. Modules that an isolate loads at its start build their
 * schemas in this way, because each schema costs processor time before the first answer
 * (docs/decisions/build-and-startup.md).
 */
export function lazily<T extends object>(build: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= build());
}
