/** The keys that prove us to the platform and the platform to us: of the token, of notifications and of the payment page. */

import {digest, isSameSecret} from '../lib/crypto.ts';
import {formatAmount, parseAmount} from '../lib/money.ts';

/** Orders 5: lowercase hex MD5 of merchant id, IP of the merchant's server and merchant key, in UTF-8. */
export function tokenKey(merchant: {readonly id: string; readonly ip: string; readonly key: string}): Promise<string> {
  return digest('MD5', merchant.id + merchant.ip + merchant.key);
}

/**
 * What the key of a notification is made of between the merchant's id and the private keys (orders 6, observed
 * "Notifications"): MD5 over values without separators. An amount counts as the platform wrote it, and may reach us spelt
 * otherwise: a few spellings are tried.
 */
export interface KeyedNotification {
  /** Lowercase hex. */
  readonly key: string;
  readonly before: readonly string[];
  readonly amount: string;
  readonly after: readonly string[];
}

/** The service whose key it is; null where it is nobody's. Every service and spelling is compared, in constant time. */
export async function serviceOfKey(
  {key, before, amount, after}: KeyedNotification,
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

/**
 * The `key` of the common payment page's token. The spec does not show how it is built, so the recipe is
 * configuration: `md5(merchantId serviceId … secret)`, the fields whose texts are joined without a separator.
 */
export interface PaymentPageRecipe {
  readonly algorithm: 'MD5' | 'SHA-256';
  /** Names of fields, and `secret`. */
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

/** Null when the text is no recipe, names an unknown field or leaves the secret out. */
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
