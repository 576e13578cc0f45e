/** The names of the platform's notifications, and the keys of the merchant's webhook. */

/** The optional notifications, which not every platform sends. */
export const NOTIFICATION_NAMES = ['payment', 'billing', 'subscription'] as const;
export type NotificationName = (typeof NOTIFICATION_NAMES)[number];

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
