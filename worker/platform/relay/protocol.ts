/** Signatures between Worker and relay: HMAC-SHA-256 over a purpose and all bytes, as `relay/signature.ts` has them. */

import {toHex} from '../../lib/crypto.ts';

const signatureEncoder = new TextEncoder();

/** What the bytes are for, so that one kind never passes for another. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export class SigningKey {
  private constructor(
    /** Tells keys apart, and is good for nothing else. */
    readonly id: string,
    private readonly key: HmacKey,
  ) {}

  static async of(secret: string): Promise<SigningKey> {
    const key = await crypto.subtle.importKey(
      'raw',
      signatureEncoder.encode(secret),
      {name: 'HMAC', hash: 'SHA-256'},
      false,
      ['sign', 'verify'],
    );
    const id = toHex(await crypto.subtle.sign('HMAC', key, signatureEncoder.encode('vezne-relay key v1'))).slice(0, 12);
    return new SigningKey(id, key);
  }

  /** `<key id>:<hex>` */
  async sign(purpose: Purpose, bytes: Uint8Array): Promise<string> {
    return `${this.id}:${toHex(await crypto.subtle.sign('HMAC', this.key, under(purpose, bytes)))}`;
  }

  /** Whether one of ours made this signature. */
  async verifies(signature: string, purpose: Purpose, bytes: Uint8Array): Promise<boolean> {
    const [, id, hex] = /^([0-9a-f]{12}):([0-9a-f]{64})$/.exec(signature) ?? [];
    return (
      id === this.id && hex !== undefined && crypto.subtle.verify('HMAC', this.key, fromHex(hex), under(purpose, bytes))
    );
  }
}

function under(purpose: Purpose, bytes: Uint8Array): Uint8Array {
  const head = signatureEncoder.encode(`vezne-relay ${purpose} v1\n`);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return all;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
