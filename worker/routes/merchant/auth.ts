/** Authenticates merchants' servers by their key. */

import {ApiError} from '../../http/errors.ts';

const encoder = new TextEncoder();
/** Digests of the keys of a configuration: they are compared with every request's. */
const digests = new WeakMap<readonly string[], Promise<readonly ArrayBuffer[]>>();

/**
 * Lets a merchant's server in. Digests are compared, in constant time and all of them, so that neither time nor
 * length tells how close a guess was or which slot it met.
 * @param keys the current key and, while it is rotated, the previous one; none turns the API off.
 * @throws {ApiError} `unauthorized`
 */
export async function authenticateServer(request: Request, keys: readonly string[]): Promise<void> {
  const presented = await digestOf(/^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '');
  let known = digests.get(keys);
  if (!known) digests.set(keys, (known = Promise.all(keys.map(digestOf))));
  const matches = (await known).map((digest) => crypto.subtle.timingSafeEqual(digest, presented));
  if (!matches.includes(true)) throw new ApiError('unauthorized');
}

function digestOf(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}
