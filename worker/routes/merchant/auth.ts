/** Authenticates merchants' servers by their API key. */

import {ApiError} from '../../http/errors.ts';

const encoder = new TextEncoder();
/** Cached digests of the configured keys. */
const digests = new WeakMap<readonly string[], Promise<readonly ArrayBuffer[]>>();

/**
 * Checks the key of a request. It compares digests in constant time, and always with all keys. Therefore the response
 * time reveals neither the length of a key, nor how close a guess is, nor which key it matches.
 * @param keys The current key and, during a rotation, the previous key. Without keys the merchant API is off.
 * @throws {ApiError} `unauthorized`
 */
export async function authenticateServer(request: Request, keys: readonly string[]): Promise<void> {
  const presented = await digestOf(/^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '');
  let expected = digests.get(keys);
  if (!expected) digests.set(keys, (expected = Promise.all(keys.map(digestOf))));
  const matches = (await expected).map((digest) => crypto.subtle.timingSafeEqual(digest, presented));
  if (!matches.includes(true)) throw new ApiError('unauthorized');
}

function digestOf(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}
