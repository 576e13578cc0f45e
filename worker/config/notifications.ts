/** The keys of the platform's notifications, and the URL and keys of the merchant's webhook. */

import type {NotificationKeys} from '../platform/keys.ts';
import type {Mistakes} from './mistakes.ts';

/** The optional notifications, which not every platform sends. */
export const NOTIFICATION_NAMES = ['payment', 'billing', 'subscription'] as const;
export type NotificationName = (typeof NOTIFICATION_NAMES)[number];

interface PrivateKeys {
  readonly MERCHANT_PRIVATE_KEY?: string | undefined;
  readonly SERVICE_PRIVATE_KEYS: Readonly<Record<string, string>>;
  readonly SERVICES: Readonly<Record<string, {readonly privateKey?: string | undefined}>>;
}

interface WebhookBindings {
  readonly WEBHOOK_URL?: string | undefined;
  readonly WEBHOOK_SECRET?: Uint8Array<ArrayBuffer> | undefined;
  readonly WEBHOOK_SECRET_PREVIOUS?: Uint8Array<ArrayBuffer> | undefined;
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

/** @param mistakes - Receives the missing bindings. */
export function toWebhook(
  {WEBHOOK_URL: url, WEBHOOK_SECRET: key, WEBHOOK_SECRET_PREVIOUS: previous}: WebhookBindings,
  mistakes: Mistakes,
): Webhook | null {
  if (url === undefined) return null;
  if (key === undefined) mistakes.add('WEBHOOK_SECRET', 'WEBHOOK_URL needs this.');
  return {url, keys: [key, previous].filter((bytes) => bytes !== undefined)};
}

/** Minimum and maximum size of a key (Standard Webhooks, "Signature scheme"). */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;

/** Minimum length of a secret that is plain text. */
const MIN_TEXT_LENGTH = 32;

/**
 * Reads the key from a webhook secret: base64 after `whsec_`, otherwise the ASCII text itself. Null if the text cannot
 * be decoded or its length is out of bounds.
 */
export function parseWebhookSecret(secret: string): Uint8Array<ArrayBuffer> | null {
  if (!secret.startsWith('whsec_'))
    return secret.length >= MIN_TEXT_LENGTH && /^[\x20-\x7e]+$/.test(secret) ? toBytes(secret) : null;
  try {
    const key = toBytes(atob(secret.slice('whsec_'.length)));
    return key.length >= MIN_KEY_BYTES && key.length <= MAX_KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

export interface Webhook {
  readonly url: string;
  /** The current key first, then the previous key. */
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
}

function toBytes(letters: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}
