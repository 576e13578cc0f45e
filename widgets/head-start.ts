/**
 * The part of the Worker client that runs before the elements are here: on a slow phone the banks, and what is being bought, are
 * under way while they still load. Only the script tag imports this; `internal/payment-client.ts` picks the answers up.
 */

/** Where the script tag leaves what elements need of it. */
export interface Script {
  /** Address of the script's Worker, with a slash at the end. */
  readonly api: string;
  /** What was asked ahead, by path and body; whoever takes one leaves nothing. */
  readonly ahead?: Map<string, Ahead>;
}

/** An answer with all its text. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** A request made ahead: its reply, and the same again once it is here, so that nobody waits for what has come. */
export interface Ahead {
  readonly coming: Promise<Reply>;
  here?: Reply;
}

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
