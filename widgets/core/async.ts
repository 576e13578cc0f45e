/** How long to wait before the n-th attempt (from 0): growing, capped, and never the same for two pages. */
export function backoff(attempt: number, fromMs: number, toMs: number, growth = 2): number {
  const waitMs = Math.min(fromMs * growth ** attempt, toMs);
  return waitMs * (0.8 + 0.4 * Math.random());
}

/** What a task gives, unless it takes longer: a file of the kit may be under way for ever. */
export function withTimeout<T>(task: Promise<T>, ms: number, late: unknown): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  return Promise.race([task, deadline]).finally(() => clearTimeout(timer));
}

/** Calls back when the shopper returns to the tab or the device to the network, until the returned function is called. */
export function onVisible(wake: () => void): () => void {
  const watch = new AbortController();
  const look = (event: Event) => {
    // A page that is shown for the first time was never away.
    const isFirst = event instanceof PageTransitionEvent && !event.persisted;
    if (!document.hidden && !isFirst) wake();
  };
  for (const type of ['online', 'pageshow']) addEventListener(type, look, watch);
  document.addEventListener('visibilitychange', look, watch);
  return () => watch.abort();
}
