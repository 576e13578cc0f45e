/** Keys (hashes over fields and a secret) that authenticate token requests, notifications and payment page requests. */

import {digest, isSameSecret} from '../lib/crypto.ts';
import {formatAmount, parseAmount} from '../lib/money.ts';

/** Orders 5: lowercase hex MD5 of merchant id, IP address of the merchant's server and merchant key, in UTF-8. */
export function tokenKey(merchant: {readonly id: string; readonly ip: string; readonly key: string}): Promise<string> {
  return digest('MD5', merchant.id + merchant.ip + merchant.key);
}

/**
 * A notification's key, and the values it covers between the merchant's id and the private keys (orders 6, observed
 * "Notifications"). The key is an MD5 over these values without separators. It covers the amount as the platform spelt
 * it when it made the key; the amount may arrive in another spelling, so several are tried.
 */
export interface KeyedNotification {
  /** Lowercase hex. */
  readonly key: string;
  readonly before: readonly string[];
  readonly amount: string;
  readonly after: readonly string[];
}

/** The service whose private key made the notification's key; null if no service matches. Compares in constant time. */
export async function serviceOfKey(
  {key, before, amount, after}: KeyedNotification,
  merchantId: string,
  {merchant, services}: NotificationKeys,
): Promise<string | null> {
  const candidates = [...services].flatMap(([service, secret]) =>
    spellings(amount).map(async (spelling) => ({
      service,
      matches: isSameSecret(
        key,
        await digest('MD5', [service, merchantId, ...before, spelling, ...after, merchant, secret].join('')),
      ),
    })),
  );
  return (await Promise.all(candidates)).find(({matches}) => matches)?.service ?? null;
}

/** The amount as received, with two decimal places, with one, and without trailing zeros. */
function spellings(amount: string): string[] {
  const kurus = parseAmount(amount);
  if (kurus === null) return [amount];
  const full = formatAmount(kurus);
  return [...new Set([amount, full, full.replace(/0$/, ''), full.replace(/\.?0+$/, '')])];
}

/** The private keys that the platform signs its notifications with. */
export interface NotificationKeys {
  readonly merchant: string;
  /** By service code. */
  readonly services: ReadonlyMap<string, string>;
}

/**
 * How to make the `key` of a payment page request. The spec does not say, so the recipe is configuration, such as
 * `md5(merchantId serviceId … secret)`: the hash of the named fields' texts, joined without a separator.
 */
export interface PaymentPageRecipe {
  readonly algorithm: 'MD5' | 'SHA-256';
  /** Field names, and `secret`. */
  readonly parts: readonly string[];
}

export const DEFAULT_RECIPE = 'md5(merchantId serviceId referenceCode item price successUrl failureUrl secret)';

const PARTS = new Set([
  'merchantId',
  'serviceId',
  'referenceCode',
  'item',
  'price',
  'successUrl',
  'failureUrl',
  'secret',
]);

/** Null when the text is not a recipe, names an unknown field or omits the secret. */
export function parseRecipe(text: string): PaymentPageRecipe | null {
  const [, name, list = ''] = /^(md5|sha256)\(([A-Za-z ]+)\)$/.exec(text.trim()) ?? [];
  const parts = list.split(/\s+/).filter(Boolean);
  if (!name || !parts.includes('secret') || !parts.every((part) => PARTS.has(part))) return null;
  return {algorithm: name === 'md5' ? 'MD5' : 'SHA-256', parts};
}

export function paymentPageKey(
  {algorithm, parts}: PaymentPageRecipe,
  fields: Readonly<Record<string, unknown>>,
  secret: string,
): Promise<string> {
  return digest(algorithm, parts.map((part) => (part === 'secret' ? secret : String(fields[part] ?? ''))).join(''));
}
