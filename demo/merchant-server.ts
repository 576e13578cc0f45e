/** The Worker refused to create a session. `fields` are the paths of the invalid fields. */
export class SessionRefused extends Error {
  constructor(readonly fields: readonly string[]) {
    super(`The Worker refused the session because of these fields: ${fields.join(', ')}`);
  }
}

/**
 * Calls the merchant API as the merchant's server would, with the sandbox's API key, which everybody knows.
 * @throws if the Worker refuses the request.
 */
export async function callMerchant<T>(key: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/merchant/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && {'content-type': 'application/json', 'idempotency-key': crypto.randomUUID()}),
    },
    ...(body && {body: JSON.stringify(body)}),
  });
  if (!response.ok) throw new Error(`The Worker answered ${response.status}.`);
  return response.json() as Promise<T>;
}

/**
 * Simulates the merchant's server, which would create a session and write it into the page. In this demo, the page
 * itself creates the session with the sandbox's API key, which everybody knows. Never put a real key into a page.
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

/**
 * Adds an element with a session to the page, at the place where the merchant's server would have written the element.
 */
export function mountElement(tag: string, session: string): HTMLElement {
  const element = document.createElement(tag);
  element.setAttribute('session', session);
  document.querySelector('#place')?.replaceChildren(element);
  return element;
}
