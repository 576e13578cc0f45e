/**
 * Who sent these bytes: HMAC-SHA-256 over a purpose and all of them. A signature reads `<key id>:<hex>`; a sender that
 * is between two secrets gives one for each, so that either side may learn of a new secret first.
 */

import {createHmac, timingSafeEqual} from 'node:crypto';

export interface Key {
  /** Tells keys apart, and is good for nothing else. */
  readonly id: string;
  readonly secret: string;
}

/** What the bytes are for, so that one kind never passes for another. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

const SIGNATURES = /^[0-9a-f]{12}:[0-9a-f]{64}(?: [0-9a-f]{12}:[0-9a-f]{64}){0,3}$/;

export function keyOf(secret: string): Key {
  return {id: createHmac('sha256', secret).update('vezne-relay key v1').digest('hex').slice(0, 12), secret};
}

export function sign(key: Key, purpose: Purpose, bytes: Uint8Array): string {
  return `${key.id}:${mac(key, purpose, bytes).toString('hex')}`;
}

/** The key that made one of the signatures; null where none of ours did. */
export function signerOf(signatures: string, keys: readonly Key[], purpose: Purpose, bytes: Uint8Array): Key | null {
  if (!SIGNATURES.test(signatures)) return null;
  for (const signature of signatures.split(' ')) {
    const [id, hex = ''] = signature.split(':');
    const key = keys.find((one) => one.id === id);
    if (key && timingSafeEqual(Buffer.from(hex, 'hex'), mac(key, purpose, bytes))) return key;
  }
  return null;
}

function mac({secret}: Key, purpose: Purpose, bytes: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`vezne-relay ${purpose} v1\n`).update(bytes).digest();
}
