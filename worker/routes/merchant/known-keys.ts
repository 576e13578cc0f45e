/**
 * Recognizes API keys. Each isolate holds a list of the keys, so that most requests cost no call to the `ApiKeys`
 * object. An isolate calls this object at most every two seconds, however many keys an attacker invents.
 */

import {waitUntil} from 'cloudflare:workers';
import type {Context} from '../../context.ts';
import {clientSubnet, siteSubnet} from '../../http/client-ip.ts';
import {orUnavailable} from '../../http/errors.ts';
import {isSameSecret} from '../../lib/crypto.ts';
import {SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {UsableKey} from '../../objects/keys/api-keys.ts';
import {identifyKey, type KeyIdentity} from '../../objects/keys/key-text.ts';
import {keptBy} from '../kept-reads.ts';
import {limitRequests} from '../rate-limit.ts';
import type {Caller} from '../route.ts';

/** How long a list is used: a revoked key is refused everywhere after this time. */
const MAX_LIST_AGE_MS = 30 * SECOND_MS;
/** From this age on, a request that uses the list also starts a new reading, so that later requests need not wait. */
const REFRESH_AGE_MS = 20 * SECOND_MS;
/** A key that is missing in a list of this age or younger is refused. */
const FRESH_LIST_AGE_MS = 2 * SECOND_MS;

interface KeyList {
  readonly keys: Map<string, UsableKey>;
  readonly readAt: number;
  isRefreshing: boolean;
}

const LIST = 'api keys';

/** Makes this isolate read the keys again, because a key was created or revoked. */
export function forgetKnownKeys(objects: Objects): void {
  keptBy(objects).delete(LIST);
}

/**
 * Returns the caller with this key; null if there is no such key. Only text with the shape and the checksum of a key
 * can cause a call to the object, and only as often as the address may send requests.
 * @throws {ApiError} `rate_limited`; `temporarily_unavailable` if the keys cannot be read.
 */
export async function findKeyOwner(text: string, request: Request, context: Context): Promise<Caller | null> {
  const identity = await identifyKey(text);
  if (identity === null) return null;
  const list = keptBy(context.objects).get(LIST) as KeyList | undefined;
  const known = list && matchingKey(list, identity);
  if (list && known) {
    if (ageOf(list) > REFRESH_AGE_MS) refresh(list, context.objects);
    return toCaller(list, known, context.objects);
  }
  if (list && ageOf(list) <= FRESH_LIST_AGE_MS) return null;
  await limitRequests('api keys', siteSubnet(clientSubnet(request)), context);
  const newest = await readList(context.objects);
  const found = matchingKey(newest, identity);
  return found && toCaller(newest, found, context.objects);
}

/** Returns the caller whose key has this id; null if it was revoked. @throws {ApiError} `temporarily_unavailable` */
export async function findKeyById(id: string, {objects}: Context): Promise<Caller | null> {
  const kept = keptBy(objects).get(LIST) as KeyList | undefined;
  // A key that is younger than the list is missing in it. One that was revoked must not wake the object each time.
  const list = kept && (kept.keys.has(id) || ageOf(kept) <= FRESH_LIST_AGE_MS) ? kept : await readList(objects);
  const key = list.keys.get(id);
  return key ? toCaller(list, key, objects) : null;
}

function ageOf({readAt}: KeyList): number {
  return Date.now() - readAt;
}

function matchingKey({keys}: KeyList, {id, digest}: KeyIdentity): UsableKey | null {
  const key = keys.get(id);
  return key && isSameSecret(key.digest, digest) ? key : null;
}

async function readList(objects: Objects): Promise<KeyList> {
  // A change while the object answers may be missing in the answer, so the age counts from before the call.
  const readAt = Date.now();
  const keys = await orUnavailable(() => objects.apiKeys().usable());
  const list = {keys: new Map(keys.map((key) => [key.id, key])), readAt, isRefreshing: false};
  keptBy(objects).set(LIST, list, readAt + MAX_LIST_AGE_MS);
  return list;
}

/** If this fails, the old list is used until it is too old. */
function refresh(list: KeyList, objects: Objects): void {
  if (list.isRefreshing) return;
  list.isRefreshing = true;
  const reading = readList(objects).catch((error: unknown) => {
    list.isRefreshing = false;
    log('warn', 'internal_error', {error: describeError(error)});
  });
  waitUntil(reading);
}

/** Returns the key's owner, and records the first use of a day. */
function toCaller(list: KeyList, key: UsableKey, objects: Objects): Caller {
  const {id, scopes, services} = key;
  const today = formatPlatformDay(Date.now());
  if ((key.lastUsedDay ?? '') < today) {
    list.keys.set(id, {...key, lastUsedDay: today});
    waitUntil(
      objects
        .apiKeys()
        .recordUse(id, today)
        .catch((error: unknown) => log('warn', 'internal_error', {error: describeError(error)})),
    );
  }
  return {id, scopes: new Set(scopes), services};
}
