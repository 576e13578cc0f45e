/** A mistake of the sandbox's own: its terminal is where one looks. */
export function noteMistake(path: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- here, and nowhere else in the sandbox.
  console.error(path, error);
}
