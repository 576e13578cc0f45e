/** The keys of the platform's notifications. */

import type {NotificationKeys} from '../platform/keys.ts';
import type {Mistakes} from './mistakes.ts';

interface PrivateKeys {
  readonly MERCHANT_PRIVATE_KEY?: string | undefined;
  readonly SERVICE_PRIVATE_KEYS: Readonly<Record<string, string>>;
  readonly SERVICES: Readonly<Record<string, {readonly privateKey?: string | undefined}>>;
}

/**
 * Collects the private keys. A service's key is set in `SERVICES` or in `SERVICE_PRIVATE_KEYS`. Setting both is an
 * error, because it is unclear which one applies.
 * @param mistakes - Receives the invalid bindings.
 */
export function toNotificationKeys(
  {MERCHANT_PRIVATE_KEY: merchant, SERVICE_PRIVATE_KEYS: secret, SERVICES}: PrivateKeys,
  mistakes: Mistakes,
): NotificationKeys | null {
  const keys = new Map(Object.entries(secret));
  for (const code of keys.keys())
    if (!Object.hasOwn(SERVICES, code))
      mistakes.add('SERVICE_PRIVATE_KEYS', 'It names a service that is not in SERVICES.');
  for (const [code, {privateKey}] of Object.entries(SERVICES)) {
    if (privateKey === undefined) continue;
    if (keys.has(code))
      mistakes.add('SERVICE_PRIVATE_KEYS', 'It has the key of a service whose key is also in SERVICES.');
    keys.set(code, privateKey);
  }
  return merchant === undefined || keys.size === 0 ? null : {merchant, services: keys};
}
