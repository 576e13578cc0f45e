/**
 * Does something in one tab at a time. Where the browser has no locks (a page without TLS) or refuses them (one without
 * storage), every tab does it by itself.
 */
export async function inTurn<T>(what: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  try {
    return await navigator.locks.request(`vezne ${what}`, {signal}, task);
  } catch (thrown) {
    if (thrown instanceof TypeError || (thrown instanceof DOMException && thrown.name === 'SecurityError'))
      return task();
    throw thrown;
  }
}
