/** The merchant's server was refused a session, by these fields of what it asked with. */
export class SessionRefused extends Error {
  constructor(readonly fields: readonly string[]) {
    super(`No session: ${fields.join(', ')}`);
  }
}

/**
 * Stands in for the merchant's own server, which would ask for a session and write it into the page it serves. Here the
 * page asks itself, with the sandbox's public key; a real key belongs on no page.
 */
export async function createSession(key: string, request: object): Promise<string> {
  const response = await fetch('/merchant/v1/sessions', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({origin: location.origin, ...request}),
  });
  const answer = (await response.json()) as {token?: string; fields?: {path: string}[]};
  if (answer.token) return answer.token;
  throw new SessionRefused((answer.fields ?? []).map(({path}) => path));
}

/** Puts an element with a session where the server would have written it. */
export function mountElement(tag: string, session: string): HTMLElement {
  const element = document.createElement(tag);
  element.setAttribute('session', session);
  document.querySelector('#place')?.replaceChildren(element);
  return element;
}
