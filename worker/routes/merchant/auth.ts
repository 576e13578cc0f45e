/** Authenticates merchants' servers by their API key, and checks what the key may do. */

import type {Context} from '../../context.ts';
import {SCOPE_CODES, type Scope} from '../../contract/merchant/endpoint.ts';
import {ApiError} from '../../http/errors.ts';
import type {Caller} from '../route.ts';
import {findKeyOwner} from './known-keys.ts';

const encoder = new TextEncoder();
/** Cached digests of the configured keys. */
const digests = new WeakMap<readonly string[], Promise<readonly ArrayBuffer[]>>();

/** The merchant's server that has the root key. */
const ROOT: Caller = {id: 'root', scopes: 'all'};

/**
 * Returns the caller with the key of a request. Without `MERCHANT_API_KEY` the merchant API is off, for all keys.
 * @throws {ApiError} `unauthorized`, `rate_limited`, `temporarily_unavailable`
 */
export async function authenticateServer(request: Request, context: Context): Promise<Caller> {
  const {merchantApiKeys} = context.config;
  const presented = bearerOf(request);
  if (await isRootKey(presented, merchantApiKeys)) return ROOT;
  const caller = merchantApiKeys.length === 0 ? null : await findKeyOwner(presented, request, context);
  if (!caller) throw new ApiError('unauthorized');
  return caller;
}

/**
 * Accepts only the root key. It works without a valid configuration.
 * @throws {ApiError} `unauthorized`
 */
export async function authenticateRoot(request: Request, keys: readonly string[]): Promise<void> {
  if (!(await isRootKey(bearerOf(request), keys))) throw new ApiError('unauthorized');
}

/** @throws {ApiError} if the caller's key lacks the scope. The error's code names the scope. */
export function requireScope(scope: Scope | 'root', {scopes}: Caller): void {
  if (scopes !== 'all' && !(scope !== 'root' && scopes.has(scope))) throw new ApiError(SCOPE_CODES[scope]);
}

function bearerOf(request: Request): string {
  return /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}

/**
 * Compares digests in constant time, and always with all keys. Therefore the response time does not reveal the length
 * of a key, how close a guess is, or which key the text matches.
 * @param keys - The current key and, during a rotation, the previous key.
 */
async function isRootKey(text: string, keys: readonly string[]): Promise<boolean> {
  const presented = await digestOf(text);
  let expected = digests.get(keys);
  if (!expected) digests.set(keys, (expected = Promise.all(keys.map(digestOf))));
  return (await expected).map((digest) => crypto.subtle.timingSafeEqual(digest, presented)).includes(true);
}

function digestOf(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text));
}
