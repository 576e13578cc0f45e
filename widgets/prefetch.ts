/**
 * The part of the Worker client that runs before the elements are here: on a slow phone the banks, and what is being bought, are
 * under way while they still load. Only the script tag imports this; `transfer/purchase/order-client.ts` picks the answers up.
 */

import type {ScriptTag, PrefetchedRequest} from './core/script-tag.ts';

/** Asks for what a checkout or a list of banks will ask for first. */
export function prefetch(script: ScriptTag, element: Element): void {
  prefetchRequest(script, '/v1/banks');
  const offer = element.getAttribute('offer');
  // Only an offer opens a session, and only where no other is remembered (`core/storage.ts`) or handed over.
  if (!offer || !element.matches('vezne-checkout:not([session])') || Symbol.for('vezne handoff') in globalThis) return;
  if (!hasSavedSession(`vezne ${script.api.slice(0, -1)} ${offer}`))
    prefetchRequest(script, '/v1/sessions', JSON.stringify({offer}));
}

function prefetchRequest({api, prefetched}: ScriptTag, path: string, body = ''): void {
  // Still there where the elements could not be had, and are tried again.
  if (prefetched?.has(path + body)) return;
  const request: PrefetchedRequest = {
    reply: fetch(api.slice(0, -1) + path, {
      credentials: 'omit',
      ...(body && {method: 'POST', headers: {'content-type': 'application/json'}, body}),
    }).then(async (response) => ({response, text: await response.text()})),
  };
  prefetched?.set(path + body, request);
  request.reply.then(
    (reply) => (request.received = reply),
    // Who takes it learns of a failure; nobody may.
    () => {},
  );
}

function hasSavedSession(name: string): boolean {
  try {
    return /"token"/.test(localStorage.getItem(name) ?? '');
  } catch {
    return false;
  }
}
