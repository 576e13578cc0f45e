/** Digests, HMACs, sealed text, random text and constant-time comparison. */

const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export type Hash = 'MD5' | 'SHA-1' | 'SHA-256' | 'SHA-512';

/** The digest as lowercase hex. */
export async function digest(hash: Hash, text: string): Promise<string> {
  return toHex(await digestBytes(hash, text));
}

export function digestBytes(hash: Hash, text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest(hash, utf8(text));
}

/** The HMAC-SHA-256 as lowercase hex. */
export async function hmac(secret: string, text: string): Promise<string> {
  return toHex(await hmacBytes('SHA-256', secret, text));
}

export async function hmacBytes(hash: Hash, secret: string, text: string): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', await hmacKey(hash, secret), utf8(text));
}

/** Whether these bytes are the HMAC-SHA-256 of the text. The time does not reveal how many of them are right. */
export async function isHmac(bytes: Uint8Array<ArrayBuffer>, secret: string, text: string): Promise<boolean> {
  return crypto.subtle.verify('HMAC', await hmacKey('SHA-256', secret), bytes, utf8(text));
}

const hmacKey = (hash: Hash, secret: string) =>
  crypto.subtle.importKey('raw', utf8(secret), {name: 'HMAC', hash}, false, ['sign', 'verify']);

/** Text that was encrypted with AES-256-GCM. */
export interface SealedText {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Encrypts a text. @param purpose - Separates the keys of different uses of one secret. */
export async function sealText(secret: string, purpose: string, text: string): Promise<SealedText> {
  const nonce = crypto.getRandomValues(new Uint8Array(12));
  const key = await sealingKey(secret, purpose);
  const bytes = await crypto.subtle.encrypt({name: 'AES-GCM', iv: nonce}, key, utf8(text));
  return {nonce, bytes: new Uint8Array(bytes)};
}

/** Decrypts a text. Returns null if it was sealed with another secret or for another purpose. */
export async function openText(secret: string, purpose: string, {nonce, bytes}: SealedText): Promise<string | null> {
  const key = await sealingKey(secret, purpose);
  try {
    return new TextDecoder().decode(await crypto.subtle.decrypt({name: 'AES-GCM', iv: nonce}, key, bytes));
  } catch {
    return null;
  }
}

/** Decrypts a text that was sealed with any of the secrets. Returns null if it was sealed otherwise. */
export async function openWithAny(
  secrets: readonly string[],
  purpose: string,
  sealed: SealedText,
): Promise<string | null> {
  const opened = await Promise.all(secrets.map((secret) => openText(secret, purpose, sealed)));
  return opened.find((text) => text !== null) ?? null;
}

/** A sealed text as one text, which needs no encoding in an address. */
export function packSealed({nonce, bytes}: SealedText): string {
  return `${toBase64Url(nonce)}.${toBase64Url(bytes)}`;
}

/** Reads what `packSealed` wrote, also in plain base64. Of any other text it makes a sealed text that cannot be opened. */
export function unpackSealed(text: string): SealedText {
  const [nonce, bytes] = text.split('.').map(fromBase64);
  return {nonce, bytes} as SealedText;
}

async function sealingKey(secret: string, purpose: string) {
  const raw = await hmacBytes('SHA-256', secret, `seal\n${purpose}`);
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64Url(bytes: ArrayBuffer | Uint8Array): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes of a text in base64, in either alphabet; none if a stranger wrote something else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** Compares two texts in constant time: the time reveals only whether their lengths differ. */
export function isSameSecret(a: string, b: string): boolean {
  const [first, second] = [utf8(a), utf8(b)];
  const subtle = crypto.subtle as typeof crypto.subtle & {timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean};
  return first.length === second.length && subtle.timingSafeEqual(first, second);
}

/** Unguessable text of random bytes, in base64url. */
export function randomBase64Url(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Crockford's base 32: letters and digits that people do not confuse with each other. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Unguessable text of `length` characters with five random bits each. */
export function randomText(length: number): string {
  return toText(crypto.getRandomValues(new Uint8Array(length)));
}

/**
 * Text of `length` characters (at most 32) from the same alphabet as `randomText`. The same arguments always give the
 * same text. Without the secret, nobody can guess the result or find out `text`.
 * @param purpose - Separates the keys of different uses of one secret.
 */
export async function deriveText(secret: string, purpose: string, text: string, length: number): Promise<string> {
  const digits = await hmac(await hmac(secret, `derive\n${purpose}`), text);
  return toText(Uint8Array.from({length}, (_byte, at) => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16)));
}

function toText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('');
}
