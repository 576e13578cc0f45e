import type {Address} from './options.ts';
import type {Route} from './routes.ts';

export interface ApiRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/**
 * The request of one call: fields that the path names stand there, the others in the query of a GET or in a JSON body.
 * @throws {TypeError} where a field of the path is missing or would lead elsewhere.
 */
export function buildRequest(
  {base, key}: Address,
  {method, path, write}: Route,
  input: object,
  idempotencyKey: string | undefined,
): ApiRequest {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields.get(name) ?? '');
    // Dots are a way up even when they are encoded.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`\`${name}\` is missing, or cannot stand in an address.`);
    fields.delete(name);
    return encodeURIComponent(value);
  });
  const url = `${base}/merchant/v1/${filled}`;
  const headers: Record<string, string> = {accept: 'application/json', authorization: `Bearer ${key}`};
  if (write && idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (method === 'GET') {
    const query = new URLSearchParams(
      [...fields].map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return {url: query === '' ? url : `${url}?${query}`, method, headers};
  }
  headers['content-type'] = 'application/json';
  return {url, method, headers, body: JSON.stringify(Object.fromEntries(fields))};
}
