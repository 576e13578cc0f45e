/**
 * Returns the delay before a retry; the first retry has `attempt` 0. The delay grows from `fromMs` to `toMs`. A random
 * change of up to 20 % keeps many pages from retrying at the same time.
 */
export function backoff(attempt: number, fromMs: number, toMs: number, growth = 2): number {
  const waitMs = Math.min(fromMs * growth ** attempt, toMs);
  return waitMs * (0.8 + 0.4 * Math.random());
}

/** Returns the result of a task. Rejects with `reason` after `ms`, because a request for a file may hang forever. */
export function withTimeout<T>(task: Promise<T>, ms: number, reason: unknown): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(reason), ms);
  });
  return Promise.race([task, deadline]).finally(() => clearTimeout(timer));
}

/** Rejects when `signal` is aborted. @param finished - Stops listening to `signal` when `finished` is aborted. */
export function aborted(signal: AbortSignal, finished: AbortController): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, finished);
  });
}

/**
 * Calls `callback` whenever the shopper returns to the tab and whenever the device is online again.
 * @returns A function that stops these calls.
 */
export function onVisible(callback: () => void): () => void {
  const listeners = new AbortController();
  const onEvent = (event: Event) => {
    // The first `pageshow` of a page does not mean that the shopper has returned.
    const isFirstShow = event instanceof PageTransitionEvent && !event.persisted;
    if (!document.hidden && !isFirstShow) callback();
  };
  for (const type of ['online', 'pageshow']) addEventListener(type, onEvent, listeners);
  document.addEventListener('visibilitychange', onEvent, listeners);
  return () => listeners.abort();
}

/** Calls `callback` when the page has nothing else to do. Safari has no `requestIdleCallback`. */
export function onIdle(callback: () => void): void {
  (globalThis.requestIdleCallback ?? setTimeout)(callback);
}
