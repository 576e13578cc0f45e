/** Checks that there are API keys besides the root key, and that a server uses each of them. */

import {DAY_MS} from '../lib/durations.ts';
import {formatPlatformDay} from '../lib/time.ts';
import {ok, type OwnCheck, skipped, warning} from './check.ts';

/** What the check needs to know about a key. */
interface ExaminedKey {
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

export const keys: OwnCheck<readonly ExaminedKey[]> = {
  read: ({objects}) => objects.apiKeys().list(),

  find(all) {
    if (all === null) return skipped('The Durable Object that has the API keys does not answer.');
    const usable = all.filter(({revokedAt}) => revokedAt === null);
    const longAgo = formatPlatformDay(Date.now() - UNUSED_DAYS * DAY_MS);
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
  },
};
