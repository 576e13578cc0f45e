/** Refund links as an isolate has read them. */

import {orUnavailable} from '../http/errors.ts';
import {digest} from '../lib/crypto.ts';
import {SECOND_MS} from '../lib/durations.ts';
import {ExpiringCache} from '../lib/expiring-cache.ts';
import type {Objects} from '../objects.ts';
import type {RefundLink} from '../objects/refunds/refund-links.ts';

type Links = ExpiringCache<RefundLink | null>;
const isolates = new WeakMap<Objects, Links>();

/** Makes this isolate read the links again, because one has changed. */
export function forgetLinks(objects: Objects): void {
  isolates.delete(objects);
}

/** Finds the link with this token, which was not invented, and reads it at most once in five seconds. */
export async function readLink(token: string, objects: Objects): Promise<RefundLink | null> {
  const links: Links = isolates.get(objects) ?? new ExpiringCache({maxEntries: 1_000, maxAgeMs: 5 * SECOND_MS});
  isolates.set(objects, links);
  const known = links.get(token);
  if (known !== undefined) return known;
  const link = await orUnavailable(objects.refunds().openLink(await digest('SHA-256', token)));
  links.set(token, link, Infinity);
  return link;
}
