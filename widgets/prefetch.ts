import type {Script, Ahead} from './core/script-tag.ts';

/** Asks for what a checkout or a list of banks will ask for first. */
export function askAhead(script: Script, element: Element): void {
  ask(script, '/v1/banks');
  const offer = element.getAttribute('offer');
  // Only an offer opens a session, and only where no other is remembered (`internal/session-store.ts`) or handed over.
  if (!offer || !element.matches('vezne-checkout:not([session])') || Symbol.for('vezne handoff') in globalThis) return;
  if (!isRemembered(`vezne ${script.api.slice(0, -1)} ${offer}`)) ask(script, '/v1/sessions', JSON.stringify({offer}));
}

function ask({api, ahead}: Script, path: string, body = ''): void {
  // Still there where the elements could not be had, and are tried again.
  if (ahead?.has(path + body)) return;
  const asked: Ahead = {
    coming: fetch(api.slice(0, -1) + path, {
      credentials: 'omit',
      ...(body && {method: 'POST', headers: {'content-type': 'application/json'}, body}),
    }).then(async (response) => ({response, text: await response.text()})),
  };
  ahead?.set(path + body, asked);
  asked.coming.then(
    (reply) => (asked.here = reply),
    // Who takes it learns of a failure; nobody may.
    () => {},
  );
}

function isRemembered(name: string): boolean {
  try {
    return /"token"/.test(localStorage.getItem(name) ?? '');
  } catch {
    return false;
  }
}
