/** How long to wait before the n-th attempt (from 0): growing, capped, and never the same for two pages. */
export function backoff(attempt: number, fromMs: number, toMs: number, growth = 2): number {
  const waitMs = Math.min(fromMs * growth ** attempt, toMs);
  return waitMs * (0.8 + 0.4 * Math.random());
}

/** What a task gives, unless it takes longer: a file of the kit may be under way for ever. */
export function withTimeout<T>(task: Promise<T>, ms: number, reason: unknown): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(reason), ms);
  });
  return Promise.race([task, deadline]).finally(() => clearTimeout(timer));
}

/** Calls back when the shopper returns to the tab or the device to the network, until the returned function is called. */
export function onVisible(callback: () => void): () => void {
  const listeners = new AbortController();
  const onEvent = (event: Event) => {
    // A page that is shown for the first time was never away.
    const isFirst = event instanceof PageTransitionEvent && !event.persisted;
    if (!document.hidden && !isFirst) callback();
  };
  for (const type of ['online', 'pageshow']) addEventListener(type, onEvent, listeners);
  document.addEventListener('visibilitychange', onEvent, listeners);
  return () => listeners.abort();
}
