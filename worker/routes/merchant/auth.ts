/** Authenticates merchants' servers by their API key, and checks what the key may do. */

import type {Context} from '../../context.ts';
import type {MerchantEndpoint} from '../../contract/endpoint.ts';
import {type Scope, scopeCode} from '../../contract/merchant/scopes.ts';
import {bearerToken} from '../../http/bearer-token.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {utf8} from '../../lib/crypto.ts';
import type {Caller} from '../route.ts';
import {findKeyOwner} from './known-keys.ts';

/** Texts are compared in buffers of this size. A configured key is shorter. */
const COMPARED_BYTES = 2_048;
/** The configured keys in such buffers. */
const buffers = new WeakMap<readonly string[], readonly Uint8Array[]>();

/** The merchant's server that has the root key. */
const ROOT: Caller = {id: 'root', scopes: 'all', services: null};

/**
 * Returns the caller with a key, by default the bearer token of the request. Without `MERCHANT_API_KEY` the merchant API
 * is off, for all keys.
 * @throws {ApiError} `unauthorized`, `rate_limited`, `temporarily_unavailable`
 */
export async function authenticateServer(
  request: Request,
  context: Context,
  presented = bearerToken(request),
): Promise<Caller> {
  const {merchantApiKeys} = context.config;
  if (isRootKey(presented, merchantApiKeys)) return ROOT;
  const caller = merchantApiKeys.length === 0 ? null : await findKeyOwner(presented, request, context);
  if (!caller) throw new ApiError('unauthorized');
  return caller;
}

/**
 * Accepts only the root key. It works without a valid configuration.
 * @throws {ApiError} `unauthorized`
 */
export function authenticateRoot(request: Request, keys: readonly string[]): void {
  if (!isRootKey(bearerToken(request), keys)) throw new ApiError('unauthorized');
}

/**
 * @throws {ApiError} if the caller's key lacks the scope, which the error's code names, or is limited to services at an
 * endpoint that is about all services.
 */
export function authorize(
  {scope, service}: Pick<MerchantEndpoint, 'scope' | 'service'>,
  caller: Pick<Caller, 'scopes' | 'services'>,
): void {
  requireScope(scope, caller);
  if (service === 'all' && caller.services !== null) throw new ApiError('all_services_required');
}

type Scoped = Pick<Caller, 'scopes'>;

const hasScope = (scope: Scope | 'root', {scopes}: Scoped) =>
  scopes === 'all' || (scopes as ReadonlySet<string>).has(scope);

/** @throws {ApiError} if the caller's key lacks the scope, which the error's code names. */
export function requireScope(scope: Scope | 'root', caller: Scoped): void {
  if (!hasScope(scope, caller)) throw new ApiError(scopeCode(scope));
}

/** The problem of a request with another amount than its order has, which only a caller that may read orders learns. */
export function otherAmount(amount: string, caller: Scoped): ApiError {
  const known = hasScope('read', caller) ? `the amount ${amount}` : 'another amount';
  const message = `The order has ${known}. PATCH /merchant/v1/order-codes changes the amount.`;
  return fieldError('order_exists', 'amount', message);
}

/**
 * Compares in constant time, and always with all keys. Therefore the response time does not reveal the length of a key,
 * how close a guess is, or which key the text matches.
 * @param keys - The current key and, during a rotation, the previous key.
 */
function isRootKey(text: string, keys: readonly string[]): boolean {
  let expected = buffers.get(keys);
  if (!expected) buffers.set(keys, (expected = keys.map(toBuffer)));
  const presented = toBuffer(text);
  return expected.map((key) => crypto.subtle.timingSafeEqual(key, presented)).includes(true);
}

/** The text in UTF-8 with zeros after it. A text that does not fit loses its end, so it differs from all keys. */
function toBuffer(text: string): Uint8Array {
  const buffer = new Uint8Array(COMPARED_BYTES);
  buffer.set(utf8(text).subarray(0, COMPARED_BYTES));
  return buffer;
}
