/**
 * The doctor's check of the API keys: whether there are keys besides the root key, and whether a server uses each of
 * them.
 */

import {DAY_MS} from '../lib/durations.ts';
import {formatPlatformDay} from '../lib/time.ts';
import {type Finding, ok, skipped, warning} from './explain.ts';

/** What the check needs to know about a key. */
export interface ExaminedKey {
  readonly id: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** `YYYY-MM-DD`; null if the key was never used. */
  readonly lastUsedDay: string | null;
  readonly revokedAt: number | null;
}

/** The doctor warns about a key that no server has used for this number of days. */
const UNUSED_DAYS = 90;

/** @param keys - Null if the object that has them does not answer. */
export function checkKeys(keys: readonly ExaminedKey[] | null, now: number): Finding {
  if (keys === null) return skipped('The Durable Object that has the API keys does not answer.');
  const usable = keys.filter(({revokedAt}) => revokedAt === null);
  const longAgo = formatPlatformDay(now - UNUSED_DAYS * DAY_MS);
  const unused = usable.filter((key) => (key.lastUsedDay ?? formatPlatformDay(key.createdAt)) < longAgo);
  if (unused.length > 0)
    return warning(
      `API keys that were not used for ${UNUSED_DAYS} days: ${unused.map(({id, name}) => `${name} (${id})`).join(', ')}.`,
      'If no server needs them, revoke them with POST /merchant/v1/keys/{id}/revoke.',
    );
  if (usable.length === 0)
    return ok(
      'Every server uses MERCHANT_API_KEY, which may do everything. docs/deploy.md says how to give each server a ' +
        'key of its own.',
    );
  return ok(
    `API keys besides MERCHANT_API_KEY: ${usable.length}. Each was used, or made, in the last ${UNUSED_DAYS} days.`,
  );
}
