/** An unguessable id. Pages without https have no `crypto.randomUUID`, so this function does not use it. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).reduce((id, part) => id + part.toString(36), '');
}
