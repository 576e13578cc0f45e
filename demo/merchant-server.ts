/** The Worker refused a request: the HTTP status, the code of the answer, and the paths of the invalid fields. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly fields: readonly string[],
  ) {
    super([status, code, ...fields].join(' '));
  }
}

/**
 * Calls the merchant API as the merchant's server would, with the sandbox's API key, which everybody knows.
 * @throws {Refused}
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
  return readAnswer(response);
}

/** @throws {Refused} */
export async function readAnswer<T>(response: Response): Promise<T> {
  if (response.ok) return response.json() as Promise<T>;
  const answer: unknown = await response.json().catch(() => ({}));
  const {code = '', fields = []} = (answer ?? {}) as {code?: string; fields?: {path: string}[]};
  throw new Refused(
    response.status,
    code,
    fields.map(({path}) => path),
  );
}

/**
 * Simulates the merchant's server, which would create a session and write it into the page. In this demo, the page
 * itself creates the session with the sandbox's API key, which everybody knows. Never put a real key into a page.
 */
export async function createSession(key: string, request: object): Promise<string> {
  const wanted = {origin: location.origin, ...request};
  return (await callMerchant<{token: string}>(key, 'POST', 'sessions', wanted)).token;
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
