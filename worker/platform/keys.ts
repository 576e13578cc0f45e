/** Keys (hashes over fields and a secret) that authenticate token requests, notifications and payment page requests. */

import {digest, digestBytes, type Hash, hmacBytes, isSameSecret, toHex} from '../lib/crypto.ts';
import {amountSpellings} from './habits.ts';

/**
 * The key of a token request: the MD5, in lowercase hex, of the merchant's id, the IP address of the merchant's server
 * and the merchant key, in UTF-8 (`docs/spec/orders.md`, section 5).
 */
export function tokenKey(merchant: {readonly id: string; readonly ip: string; readonly key: string}): Promise<string> {
  return digest('MD5', merchant.id + merchant.ip + merchant.key);
}

/**
 * A notification's key, and the notification's values that the key covers. The key is the MD5 of the service code, the
 * merchant's id, these values and the two private keys, in this order and without separators (`docs/spec/orders.md`,
 * section 6, and `docs/spec/observed.md`, "Notifications"). The notification may spell the amount differently from the
 * text that the key covers, so the check tries several spellings.
 */
export interface KeyedNotification {
  /** Lowercase hex. */
  readonly key: string;
  readonly before: readonly string[];
  readonly amount: string;
  readonly after: readonly string[];
}

/**
 * Finds the services with whose private keys the records of one notification are signed. Keys are compared in constant
 * time. The service that matched last is tried first, so that most genuine records cost one digest.
 */
export class ServiceFinder {
  readonly #merchantId: string;
  readonly #keys: NotificationKeys;
  #wasted = 0;
  /** The services. The service that matched last comes first. */
  #services: readonly (readonly [service: string, secret: string])[];

  constructor(merchantId: string, keys: NotificationKeys) {
    this.#merchantId = merchantId;
    this.#keys = keys;
    this.#services = [...keys.services];
  }

  /** The number of digests that were computed for records whose key matches no service. */
  get wasted(): number {
    return this.#wasted;
  }

  /** The service with whose private key the platform made the notification's key; null if no service matches. */
  async find({key, before, amount, after}: KeyedNotification): Promise<string | null> {
    let digests = 0;
    for (const entry of this.#services) {
      const [service, secret] = entry;
      for (const spelling of amountSpellings(amount)) {
        const text = [service, this.#merchantId, ...before, spelling, ...after, this.#keys.merchant, secret].join('');
        digests += 1;
        if (!isSameSecret(key, await digest('MD5', text))) continue;
        if (entry !== this.#services[0]) this.#services = [entry, ...this.#services.filter((other) => other !== entry)];
        return service;
      }
    }
    this.#wasted += digests;
    return null;
  }
}

/** The private keys with which the platform makes the keys of its notifications. */
export interface NotificationKeys {
  readonly merchant: string;
  /** The services' private keys, by service code. */
  readonly services: ReadonlyMap<string, string>;
}

/**
 * How to compute the `key` of a payment page request. The spec does not define this, so the operator configures a
 * recipe, such as `md5(merchantId serviceId … secret)`: the hash of the named fields and of text in quotes. With
 * `hmac-`, the secret is the key of an HMAC. A field that the request lacks is empty text.
 */
export interface PaymentPageRecipe {
  readonly hash: Hash;
  readonly isHmac: boolean;
  /** Names of fields, `secret`, or text after a quotation mark, in the order in which the hash covers them. */
  readonly parts: readonly string[];
  readonly encoding: 'hex' | 'HEX' | 'base64';
}

const HASHES = {md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512'} as const;

const PARTS = [
  'merchantId',
  'serviceId',
  'referenceCode',
  'item',
  'price',
  'successUrl',
  'failureUrl',
  'hasTrialPeriod',
  'trialPeriodDay',
  'secret',
];

export const DEFAULT_RECIPE: PaymentPageRecipe = {
  hash: 'MD5',
  isHmac: false,
  parts: PARTS.filter((part) => !/trial/i.test(part)),
  encoding: 'hex',
};

/** Parses a recipe. Returns a sentence if the text is not one; the text may contain a secret, so it is not quoted. */
export function parseRecipe(text: string): PaymentPageRecipe | string {
  const [, hmac, name, list = '', encoding = 'hex'] =
    /^(hmac-)?(md5|sha1|sha256|sha512)\((.*)\)(?:\s+(hex|HEX|base64))?$/.exec(text.trim()) ?? [];
  const parts: string[] = list.match(/"[^"]*"|[^\s"]+/g) ?? [];
  if (name === undefined || list.split('"').length % 2 === 0)
    return 'Expected a recipe such as md5(merchantId price secret) or hmac-sha256(merchantId "|" price) base64.';
  if (!parts.every((part) => part.startsWith('"') || PARTS.includes(part)))
    return `Expected any of ${PARTS.join(', ')}, or text in quotation marks, separated by spaces.`;
  if (hmac === undefined && !parts.includes('secret')) return 'The recipe lacks `secret`.';
  return {
    hash: HASHES[name as keyof typeof HASHES],
    isHmac: hmac !== undefined,
    parts: parts.map((part) => part.replace(/"$/, '')),
    encoding: encoding as PaymentPageRecipe['encoding'],
  };
}

export async function paymentPageKey(
  {hash, isHmac, parts, encoding}: PaymentPageRecipe,
  fields: Readonly<Record<string, unknown>>,
  secret: string,
): Promise<string> {
  const values: Readonly<Record<string, unknown>> = {...fields, secret};
  const text = parts.map((part) => (part.startsWith('"') ? part.slice(1) : String(values[part] ?? ''))).join('');
  const bytes = await (isHmac ? hmacBytes(hash, secret, text) : digestBytes(hash, text));
  if (encoding === 'base64') return btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return encoding === 'HEX' ? toHex(bytes).toUpperCase() : toHex(bytes);
}
