/**
 * The keys of the platform's notifications (orders 6, observed "Notifications"): MD5 over values without separators. An
 * amount counts as it was written, and what reaches us may be written otherwise: a few spellings are tried.
 */

import {digest} from '../lib/crypto.ts';
import {formatAmount, parseAmount} from '../lib/money.ts';
import {isSameSecret} from '../lib/same-secret.ts';

/** What the key is made of between the merchant's id and the private keys. */
export interface Keyed {
  /** Lowercase hex. */
  readonly key: string;
  readonly before: readonly string[];
  readonly amount: string;
  readonly after: readonly string[];
}

/** The service whose key it is; null where it is nobody's. Every service and spelling is compared, in constant time. */
export async function serviceOfKey(
  {key, before, amount, after}: Keyed,
  merchantId: string,
  {merchant, services}: NotificationKeys,
): Promise<string | null> {
  const candidates = [...services].flatMap(([service, secret]) =>
    spellings(amount).map(async (spelling) => ({
      service,
      isTrue: isSameSecret(
        key,
        await digest('MD5', [service, merchantId, ...before, spelling, ...after, merchant, secret].join('')),
      ),
    })),
  );
  return (await Promise.all(candidates)).find(({isTrue}) => isTrue)?.service ?? null;
}

/** As it came, with two places, with one, and as short as it gets. */
function spellings(amount: string): string[] {
  const kurus = parseAmount(amount);
  if (kurus === null) return [amount];
  const full = formatAmount(kurus);
  return [...new Set([amount, full, full.replace(/0$/, ''), full.replace(/\.?0+$/, '')])];
}

/** The private keys that the platform's notifications are signed with. */
export interface NotificationKeys {
  readonly merchant: string;
  /** By service code. */
  readonly services: ReadonlyMap<string, string>;
}
