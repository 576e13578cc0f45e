/**
 * Encrypts what a Durable Object stores and only the Worker may use, such as the secret of a webhook. The key is derived
 * from a secret of the configuration, so the stored bytes alone are useless.
 */

const encoder = new TextEncoder();
const IV_BYTES = 12;

/**
 * Encrypts the bytes with AES-GCM.
 * @param context Says what the bytes are and whose. They can be opened only with the same context.
 */
export async function seal(secret: string, context: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(iv, context), await keyFrom(secret, 'encrypt'), bytes);
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

export interface Opened {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the text was sealed with a secret that is not the first one. It should then be sealed again. */
  readonly isOutdated: boolean;
}

/** Decrypts what `seal` returned; null if no secret fits. @param secrets The current secret first. */
export async function unseal(secrets: readonly string[], context: string, sealed: string): Promise<Opened | null> {
  const all = fromBase64(sealed);
  const [iv, encrypted] = [all.slice(0, IV_BYTES), all.slice(IV_BYTES)];
  for (const [index, secret] of secrets.entries()) {
    try {
      const bytes = await crypto.subtle.decrypt(parameters(iv, context), await keyFrom(secret, 'decrypt'), encrypted);
      return {bytes: new Uint8Array(bytes), isOutdated: index > 0};
    } catch {
      // Sealed with another secret.
    }
  }
  return null;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function parameters(iv: Uint8Array<ArrayBuffer>, context: string) {
  return {name: 'AES-GCM', iv, additionalData: encoder.encode(context)};
}

async function keyFrom(secret: string, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const hkdf = {name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode('vezne sealed storage')};
  return crypto.subtle.deriveKey(hkdf, material, {name: 'AES-GCM', length: 256}, false, [usage]);
}
