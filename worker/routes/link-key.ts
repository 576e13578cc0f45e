/** The key with which an isolate makes and checks the names of links (`lib/link-name.ts`). */

import {orUnavailable} from '../http/errors.ts';
import {HOUR_MS} from '../lib/durations.ts';
import type {Objects} from '../objects.ts';

const isolates = new WeakMap<Objects, {readonly key: string; readonly readAt: number}>();

/**
 * Reads the key, once an hour: `Offers` has another one only if its storage was lost.
 * @throws {ApiError} `temporarily_unavailable` if it cannot be read.
 */
export async function linkKey(objects: Objects): Promise<string> {
  const known = isolates.get(objects);
  const readAt = Date.now();
  if (known && Math.abs(readAt - known.readAt) < HOUR_MS) return known.key;
  const key = await orUnavailable(objects.offers().linkKey());
  isolates.set(objects, {key, readAt});
  return key;
}
