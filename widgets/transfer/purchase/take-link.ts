/**
 * A hand-off in a page's address, `#vezne=<code>&offer=<offer>&bank=<bank>`, is taken out of it before anything can
 * read, keep or share it, and left where the elements look for it.
 */
const TAKEN_LINK = Symbol.for('vezne handoff');

/** To be called before anything else runs; the script tag does. */
export function takeHandoffLink(): void {
  const [part, fields] = /[#&](vezne=.*)/.exec(location.hash) ?? [];
  if (!part) return;
  history.replaceState(history.state, '', location.href.slice(0, -part.length));
  Object.assign(globalThis, {[TAKEN_LINK]: Object.fromEntries(new URLSearchParams(fields))});
}

/** A link opened in a tab that shows this page already does not load it again by itself. */
export function followHandoffLinks(): void {
  addEventListener('hashchange', () => {
    if (/[#&]vezne=/.test(location.hash)) location.reload();
  });
}
