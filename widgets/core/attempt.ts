/** Does what may be blocked, such as storage and beacons, and is no worse off when it is. */
export function attempt(what: () => unknown): void {
  try {
    what();
  } catch {
    // Then not.
  }
}
