/** What an isolate has read of objects, and uses for a while. The names that strangers invent displace nothing. */

import {orUnavailable} from '../http/errors.ts';
import {HOUR_MS, SECOND_MS} from '../lib/durations.ts';
import {ExpiringCache} from '../lib/expiring-cache.ts';
import type {Objects} from '../objects.ts';

/** For how long an isolate uses an offer or a refund link that it has read. */
export const KEPT_MS = 5 * SECOND_MS;

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

/** The key for `lib/link-name.ts`. `Offers` has another one only if its storage was lost. */
export function linkKey(objects: Objects): Promise<string> {
  return readOnce(objects, 'link key', () => objects.offers().linkKey(), HOUR_MS);
}
