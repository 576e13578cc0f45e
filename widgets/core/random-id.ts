/**
 * An unguessable id, in which no digits look like a number of a phone. Pages without https have no `crypto.randomUUID`,
 * so this function does not use it.
 */
export function randomId(): string {
  return crypto.getRandomValues(new Uint16Array(8)).join('x');
}
