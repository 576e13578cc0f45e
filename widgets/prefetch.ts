/**
 * Sends the first requests of a checkout before its elements have loaded. So a slow phone fetches the banks, the
 * session and the JavaScript at the same time. Only the script tag imports this file.
 * `transfer/purchase/order-client.ts` uses the answers.
 */

import type {ScriptTag, PrefetchedRequest} from './core/script-tag.ts';

/** Sends the requests that a checkout or a bank list sends first. */
export function prefetch(script: ScriptTag, element: Element): void {
  prefetchRequest(script, '/v1/banks');
  const offer = element.getAttribute('offer');
  // An offer needs a new session only if no session is saved (`core/storage.ts`) and no hand-off link contains one.
  if (!offer || !element.matches('vezne-checkout:not([session])') || Symbol.for('vezne handoff') in globalThis) return;
  if (!hasSavedSession(`vezne ${script.api.slice(0, -1)} ${offer}`))
    prefetchRequest(script, '/v1/sessions', JSON.stringify({offer}));
}

function prefetchRequest({api, prefetched}: ScriptTag, path: string, body = ''): void {
  // If the elements failed to load and the script tag retries, the request was already sent.
  if (prefetched?.has(path + body)) return;
  const request: PrefetchedRequest = {
    reply: fetch(api.slice(0, -1) + path, {
      credentials: 'omit',
      ...(body && {method: 'POST', body}),
    }).then(async (response) => ({response, text: await response.text()})),
  };
  prefetched?.set(path + body, request);
  request.reply.then(
    (reply) => (request.received = reply),
    // An element that uses the request handles its failure. If no element uses it, this handler prevents an unhandled
    // rejection.
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
