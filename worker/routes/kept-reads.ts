/** What an isolate has read of objects, and uses for a while. The names that strangers invent displace nothing. */

import {orUnavailable} from '../http/errors.ts';
import {HOUR_MS, SECOND_MS} from '../lib/durations.ts';
import {ExpiringCache} from '../lib/expiring-cache.ts';
import {openName} from '../lib/link-name.ts';
import type {Objects} from '../objects.ts';

/** For how long an isolate uses an offer or a refund link that it has read. */
export const KEPT_MS = 5 * SECOND_MS;

const LINK_KEY = 'link key';

const isolates = new WeakMap<Objects, ExpiringCache<unknown>>();

export function keptBy(objects: Objects): ExpiringCache<unknown> {
  const kept = isolates.get(objects) ?? new ExpiringCache({maxEntries: 2_000, maxAgeMs: HOUR_MS});
  isolates.set(objects, kept);
  return kept;
}

/** Reads a value, unless this isolate has it. @throws {ApiError} `temporarily_unavailable` */
export async function readOnce<T>(
  objects: Objects,
  key: string,
  read: () => Promise<T>,
  forMs = KEPT_MS,
): Promise<Awaited<T>> {
  const kept = keptBy(objects);
  const known = kept.get(key);
  if (known !== undefined) return known as Awaited<T>;
  // The age counts from before the call, because a change during the call may be missing in the answer.
  const until = Date.now() + forMs;
  const value = await orUnavailable(read);
  kept.set(key, value, until);
  return value;
}

/**
 * The key that seals names of links. `Offers` has another one only if its storage was lost, and then links with the former
 * key no longer open. So the key is read again after five seconds.
 * @throws {ApiError} `temporarily_unavailable`
 */
export async function linkKey(objects: Objects): Promise<string> {
  const kept = keptBy(objects);
  const known = kept.get(LINK_KEY);
  // While one request reads the key again, others use it as it was.
  if (known !== undefined && kept.get('link key read')) return known as string;
  const now = Date.now();
  kept.set('link key read', true, now + KEPT_MS);
  const key = await orUnavailable(() => objects.offers().linkKey());
  kept.set(LINK_KEY, key, now + HOUR_MS);
  return key;
}

/**
 * The text with which the name of a link begins; null if the name was invented. A name that the kept key does not open
 * may have another key, but strangers who invent names make the isolate read the key at most once in five seconds.
 * @throws {ApiError} `temporarily_unavailable`
 */
export async function openLink(objects: Objects, name: string): Promise<string | null> {
  const known = keptBy(objects).get(LINK_KEY);
  const text = known === undefined ? null : await openName(known as string, name);
  if (text !== null) return text;
  const key = await linkKey(objects);
  return key === known ? null : openName(key, name);
}
