/** Digests, as lowercase hex. */
const encoder = new TextEncoder();

export async function digest(algorithm: 'MD5' | 'SHA-256', text: string): Promise<string> {
  return toHex(await crypto.subtle.digest(algorithm, encoder.encode(text)));
}

/** HMAC-SHA-256. */
export async function hmac(secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), {name: 'HMAC', hash: 'SHA-256'}, false, [
    'sign',
  ]);
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
