/** Calls back when the shopper returns to the tab or the device to the network, until the returned function is called. */
export function onWake(wake: () => void): () => void {
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
